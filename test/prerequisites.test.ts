/**
 * In every gate, at every priority setting and by every pull method, over all real charts of ../shared/cases: what a puller
 * needs is there before it, nothing that stays leans on a hook, puller pods have no rights, and no class is named that nothing makes.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CONTINUOUS_PRIORITIES, GATES, PULL_METHODS } from '../src/api/choices.ts';
import { DEFAULT_POLICY } from '../src/api/policy.ts';
import type { Manifest } from '../src/manifest/manifest.ts';
import { readStream } from '../src/manifest/stream.ts';
import type { PrepullOptions } from '../src/prepull/options.ts';
import { transform } from '../src/prepull/transform.ts';
import { ROOT, readObjects, type ReadObject } from './examples/argo-cd.ts';
import { keyOf, leaningOnHooks, placeOf, podSpecOf, pullers, roleOf, tooEarly, tooMuch } from './examples/ours.ts';

const cases = process.env.PREPULLER_CASES ?? join(ROOT, '../shared/cases');
const names = existsSync(cases)
  ? readdirSync(cases).filter((name) => existsSync(join(cases, name, 'rendered.yaml')))
  : [];
const whenCases = names.length === 0 && !process.env.CI ? describe.skip : describe;

const combinations = GATES.flatMap((gate) =>
  PULL_METHODS.flatMap((pullMethod) =>
    [...CONTINUOUS_PRIORITIES, 'without'].map((priority) => ({ gate, pullMethod, priority })),
  ),
);

function optionsFor({ gate, pullMethod, priority }: (typeof combinations)[number]): PrepullOptions {
  return {
    gate,
    pullMethod,
    image: 'registry.example.org/argocd-prepuller:1',
    images: [],
    profileImages: 'auto',
    mutableTags: ['latest'],
    continuous: true,
    continuousPriority: priority === 'without' ? 'auto' : priority,
    emitPriorityClass: priority !== 'without',
    emitNodeRole: true,
    policy: DEFAULT_POLICY,
    app: { name: 'hub', namespace: 'hub' },
  };
}

/** Most documents are the same in all combinations: each text is read once. */
const read = new Map<string, ReadObject[]>();
function objectsOf(manifests: readonly Manifest[]): ReadObject[] {
  return manifests.flatMap(({ body }) => {
    const text = Buffer.from(body).toString();
    const objects = read.get(text) ?? readObjects(text);
    read.set(text, objects);
    return objects;
  });
}

/** Names of classes that DaemonSets use and that neither the render nor Kubernetes makes. */
function classesNobodyMakes(objects: readonly ReadObject[]): string[] {
  const made = objects.filter(({ kind }) => kind === 'PriorityClass').map(({ metadata }) => metadata.name);
  return objects
    .filter(({ kind }) => kind === 'DaemonSet')
    .map((puller) => podSpecOf(puller)?.priorityClassName)
    .filter((name) => name !== undefined && !made.includes(name) && !name.startsWith('system-')) as string[];
}

whenCases(`over ${String(names.length)} real charts, ${String(combinations.length)} ways each`, () => {
  test('all cases are here', () => {
    expect(names.length).toBeGreaterThanOrEqual(process.env.PREPULLER_CASES === undefined ? 38 : 1);
  });

  test.each(names)('%s', (name) => {
    const stream = readStream(readFileSync(join(cases, name, 'rendered.yaml')));
    const before = objectsOf(stream);
    const dangling = [...classesNobodyMakes(before), ...leaningOnHooks(before)];
    const pulling = new Set<string>();
    for (const combination of combinations) {
      const { manifests, summary } = transform(stream, optionsFor(combination));
      const objects = objectsOf(manifests);
      const preconditions = summary.apps.flatMap((app) => app.preconditions);
      const findings = [
        ...tooEarly(objects, preconditions),
        ...pullers(objects).flatMap(tooMuch),
        ...[...classesNobodyMakes(objects), ...leaningOnHooks(objects)].filter((one) => !dangling.includes(one)),
        ...(gateStands(combination.gate, objects) ? [] : ['the gate does not stand']),
      ];
      expect({ ...combination, findings }).toEqual({ ...combination, findings: [] });
      if (pullers(objects).length > 0) pulling.add(combination.gate);
    }
    expect([...pulling].sort()).toEqual([...GATES].sort());
  });
});

/** What Argo CD waits for is there, and nothing of another gate is. */
function gateStands(gate: PrepullOptions['gate'], objects: readonly ReadObject[]): boolean {
  const hooks = pullers(objects).filter((puller) => roleOf(puller) === 'hook');
  const continuous = pullers(objects).filter((puller) => roleOf(puller) === 'continuous');
  const jobs = objects.filter((object) => object.kind === 'Job' && roleOf(object) !== undefined);
  const awaiters = objects.filter((object) => keyOf(object).includes('image-awaiter'));
  if (awaiters.length > 0 || hooks.some((hook) => placeOf(hook).phase !== 'PreSync')) return false;
  if (gate === 'presync') return hooks.length > 0 && jobs.length === 0;
  if (gate === 'job') return hooks.length > 0 && jobs.length === hooks.length;
  return (
    hooks.length + jobs.length === 0 && continuous.every((puller) => placeOf(puller).wave < 0 === (gate === 'wave'))
  );
}
