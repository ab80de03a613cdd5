/** Renders of the example chart that no example shows, through the whole transform: what is rare in charts and easy to lose. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { IMAGES_DIGEST_ANNOTATION, PULL_LABEL } from '../src/api/names.ts';
import { DEFAULT_POLICY } from '../src/api/policy.ts';
import { printStream, readStream } from '../src/manifest/stream.ts';
import type { PrepullOptions } from '../src/prepull/options.ts';
import { transform } from '../src/prepull/transform.ts';
import { EXAMPLES, readObjects, type ReadObject } from './examples/argo-cd.ts';
import { imagesOf, keyOf, leaningOnHooks, placeOf, podSpecOf, pullers, roleOf, tooEarly } from './examples/ours.ts';

const OPTIONS: PrepullOptions = {
  gate: 'presync',
  pullMethod: 'containers',
  images: [],
  profileImages: 'auto',
  mutableTags: ['latest'],
  continuous: false,
  continuousPriority: 'auto',
  emitPriorityClass: true,
  emitNodeRole: false,
  policy: DEFAULT_POLICY,
  app: { name: 'campus', namespace: 'jupyterhub' },
};

function render(example: string, ...settings: string[]): string {
  const args = ['template', 'jupyterhub', join(EXAMPLES, 'chart'), '--values', join(EXAMPLES, example, 'values.yaml')];
  const { stdout, stderr } = spawnSync('helm', [...args, ...settings.map((setting) => `--set=${setting}`)], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return stdout;
}

function planned(stream: string, options: Partial<PrepullOptions> = {}): ReadObject[] {
  const { manifests } = transform(readStream(Buffer.from(stream)), { ...OPTIONS, ...options });
  return readObjects(Buffer.from(printStream(manifests)).toString());
}

function print(objects: readonly unknown[]): string {
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}

test('the chart’s pull Secret stays for users where only the hook puller uses it', () => {
  const objects = planned(render('profiles', 'prePuller.continuous.enabled=false'));
  const secrets = objects.filter(({ type }) => type === 'kubernetes.io/dockerconfigjson');
  expect(secrets.map((secret) => [roleOf(secret), placeOf(secret)])).toEqual([
    [undefined, { phase: 'Sync', wave: 0, policy: '' }],
    ['prerequisite', { phase: 'PreSync', wave: -11, policy: 'HookSucceeded' }],
  ]);
  expect(tooEarly(objects, [])).toEqual([]);
  expect(leaningOnHooks(objects)).toEqual([]);
});

test.each(['presync', 'wave', 'none'] as const)('one release in two namespaces is two hubs: %s', (gate) => {
  const namespaces = ['teaching', 'research'];
  // As kustomize prints them: kind by kind, not hub by hub.
  const objects = readObjects(render('placeholders', 'scheduling.podPriority.enabled=false')).flatMap((object) =>
    namespaces.map((namespace) => ({ ...object, metadata: { ...object.metadata, namespace } })),
  );
  const after = planned(print(objects), { gate });
  const found = pullers(after).map((puller) => `${puller.metadata.namespace ?? ''} ${keyOf(puller)}`);
  const roles = gate === 'presync' ? ['continuous', 'hook'] : ['continuous'];
  expect(found.sort()).toEqual(
    namespaces.flatMap((namespace) => roles.map((role) => `${namespace} DaemonSet/${role}-image-puller`)).sort(),
  );
  expect(tooEarly(after, [])).toEqual([]);
});

test('where no continuous puller is, the digest stands on an ordinary object', () => {
  const objects = planned(render('hooks-off'));
  const carriers = objects.filter(({ metadata }) => metadata.annotations?.[IMAGES_DIGEST_ANNOTATION] !== undefined);
  expect(carriers.map(keyOf)).toEqual(['Deployment/hub']);
  expect(pullers(objects).map(keyOf)).toEqual(['DaemonSet/hook-image-puller']);
});

test.each<[what: string, pools: string[], nodeSelector: object | undefined]>([
  ['the same nodes', ['web', 'web'], { pool: 'web' }],
  ['different nodes', ['web', 'batch'], undefined],
])('labelled workloads on %s', (_what, pools, nodeSelector) => {
  const workloads = pools.map((pool, index) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `app-${String(index)}`, labels: { [PULL_LABEL]: 'true' } },
    spec: {
      selector: { matchLabels: { app: String(index) } },
      template: {
        metadata: { labels: { app: String(index) } },
        spec: {
          nodeSelector: { pool },
          containers: [{ name: 'app', image: `registry.example.org/app:${String(index)}` }],
        },
      },
    },
  }));
  const [puller, ...others] = pullers(planned(print(workloads)));
  expect(others).toEqual([]);
  expect(podSpecOf(puller!)?.nodeSelector).toEqual(nodeSelector);
  expect(imagesOf(podSpecOf(puller!)!)).toEqual(['registry.example.org/app:0', 'registry.example.org/app:1']);
});

test('two apps of one namespace make cluster-scoped objects of their own', () => {
  const classes = (name: string) =>
    planned(render('hub'), { app: { name, namespace: 'jupyterhub' } })
      .filter(({ kind }) => kind === 'PriorityClass')
      .map(({ metadata }) => metadata.name);
  expect(classes('one').length).toBeGreaterThan(0);
  expect(classes('one').filter((name) => classes('two').includes(name))).toEqual([]);
});

test('a List of all objects is planned like the objects themselves', () => {
  const items = readObjects(render('profiles'));
  const list = planned(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const flat = list.flatMap((object) => (object.kind === 'List' ? (object.items as ReadObject[]) : [object]));
  const separate = planned(print(items));
  const sorted = (objects: ReadObject[]) => objects.map((object) => JSON.stringify(object)).sort();
  expect(sorted(flat)).toEqual(sorted(separate));
});
