/** install/argocd/argocd-cm.yaml is what the Lua files make of it, and they use the names of src/api. */
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import {
  OBSERVED_GENERATION_CONDITION,
  OVERRIDE_ANNOTATION,
  OVERRIDE_GENERATION_ANNOTATION,
  PREFIX,
  PULLED_CONDITION,
  RETRY_AT_ANNOTATION,
  ROLE_LABEL,
} from '../../src/api/names.ts';
import { POLICY_SETTINGS } from '../../src/api/policy.ts';
import { ACTIONS, ACTIONS_KEY, HEALTH_KEY, argocdConfigMap } from './argocd-cm.ts';
import { INSTALL_FOLDER } from './sandbox.ts';

function read(path: string): string {
  return readFileSync(INSTALL_FOLDER + path, 'utf8');
}

test('argocd-cm.yaml is in step with the Lua files', () => {
  const wanted = argocdConfigMap(read);
  const inStep = read('argocd-cm.yaml') === wanted;
  // The file that would be right, to be put in its place.
  if (!inStep) writeFileSync(`${INSTALL_FOLDER}got.yaml`, wanted);
  expect(inStep ? 'in step' : 'out of step: move install/argocd/got.yaml to argocd-cm.yaml').toBe('in step');
});

test('a YAML reader gets the text of the Lua files back', () => {
  const configMap = load(argocdConfigMap(read)) as { data: Record<string, string> };
  expect(configMap.data[HEALTH_KEY]).toBe(read('health.lua'));
  expect(load(configMap.data[ACTIONS_KEY]!)).toEqual({
    mergeBuiltinActions: true,
    'discovery.lua': read('actions/discovery.lua'),
    definitions: ACTIONS.map((name) => ({ name, 'action.lua': read(`actions/${name}.lua`) })),
  });
});

const judge = `${PREFIX}/${POLICY_SETTINGS.judge.name}`;
const override = [OVERRIDE_ANNOTATION, OVERRIDE_GENERATION_ANNOTATION];

test.each([
  // file, every name it takes from the prefix
  ['health.lua', [ROLE_LABEL, PULLED_CONDITION, OBSERVED_GENERATION_CONDITION, judge]],
  ['actions/discovery.lua', [ROLE_LABEL, PULLED_CONDITION, OBSERVED_GENERATION_CONDITION, ...override]],
  ['actions/let-through.lua', [ROLE_LABEL, ...override]],
  ['actions/give-up.lua', [ROLE_LABEL, ...override]],
  ['actions/retry.lua', [ROLE_LABEL, RETRY_AT_ANNOTATION]],
])('%s uses the names of src/api/names.ts', (path, names) => {
  const text = read(path);
  expect(/^local PREFIX = "(.*)"$/m.exec(text)?.[1]).toBe(`${PREFIX}/`);
  const used = [...text.matchAll(/PREFIX \.\. "(.*?)"/g)].map((match) => `${PREFIX}/${match[1]!}`);
  expect(new Set(used)).toEqual(new Set(names));
});
