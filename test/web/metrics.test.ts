/** The metrics: their names and words, what they count and what not, and that 500 tags make no more series than one. */
import { spawnSync } from 'node:child_process';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import type { DaemonSet, Event } from '../../src/verdict/snapshot.ts';
import type { CallMetrics } from '../../src/web/call-metrics.ts';
import { createMetrics } from '../../src/web/metrics.ts';
import type { Metrics } from '../../src/web/metrics.ts';
import { OTHER_REPOSITORIES, REPOSITORIES, repositoryOf } from '../../src/web/pull-metrics.ts';
import { fleet, MISSING, node, pulling, verdict } from './site.ts';

const HOUR = 3_600_000;

interface Watched extends Metrics {
  state: { pictureAge: number; leading: boolean; queued: number };
  clock: { now: number };
  /** The values of all series whose text begins so. */
  values(beginning: string): Promise<Record<string, number>>;
}

function watched(): Watched {
  const state = { pictureAge: 0, leading: true, queued: 0 };
  const clock = { now: Date.parse('2026-04-01T09:00:00Z') };
  const metrics = createMetrics({ state: () => state, now: () => clock.now, version: '1.2.3' });
  return {
    ...metrics,
    state,
    clock,
    async values(beginning) {
      const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(beginning));
      return Object.fromEntries(
        lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
      );
    },
  };
}

function puller(tag: string, more: { uid?: string; createdAt?: number; status?: string } = {}): DaemonSet {
  const { uid = `uid-${tag}`, createdAt, status } = more;
  const read = readDaemonSet({
    metadata: {
      namespace: 'hub',
      name: 'hook-image-puller',
      uid,
      generation: 1,
      labels: { 'argocd-prepuller.github.io/role': 'hook' },
      annotations: { 'argocd.argoproj.io/tracking-id': 'lab:apps/DaemonSet:hub/hook-image-puller' },
    },
    spec: { template: { spec: { containers: [{ name: 'user', image: `quay.io/lab/user:${tag}` }] } } },
    status: { conditions: status === undefined ? [] : [{ type: 'argocd-prepuller.github.io/Pulled', status }] },
  });
  return { ...read, createdAt };
}

function pulled(image: string, uid: string, last: number): Event {
  const message = `Successfully pulled image "${image}" in 1m30s (2m5s including waiting). Image size: 5 bytes.`;
  return { kind: 'Pod', namespace: 'hub', name: 'pod', uid, reason: 'Pulled', message, first: last, last };
}

/** Everything that can be fed, once. */
function feed(metrics: Watched, tag: string): void {
  const hook = puller(tag, { createdAt: metrics.clock.now - 90_000 });
  const key = 'hub/hook-image-puller';
  metrics.arrived(key);
  metrics.judged(hook, verdict(fleet(3, (name) => pulling(name))));
  metrics.arrived(key);
  metrics.judged(hook, verdict([node('one'), node('two', { ...MISSING, image: `quay.io/lab/user:${tag}` })]));
  metrics.verdictWritten(key, { status: 'False', generation: 'Generation1' });
  metrics.heard(pulled(`quay.io/lab/user:${tag}`, `pod-${tag}`, metrics.clock.now));
  metrics.heard(pulled(`quay.io/lab/user@sha256:${tag.padStart(64, '0')}`, `pod-${tag}`, metrics.clock.now));
  metrics.wrote('daemonsets');
  metrics.watchBroke('pods');
}

async function ownText(metrics: Metrics): Promise<string> {
  const blocks = (await metrics.text()).split(/(?=# HELP )/);
  return blocks.filter((block) => /^# HELP prepull(er)?_/.test(block)).join('');
}

const HELP = /^# HELP (\S+) (.+)\n# TYPE \1 (\w+)$/gm;
/** Prometheus' own words for units, and what must not be one. */
const OTHER_UNITS = /_(?:milliseconds|ms|minutes|hours|kilobytes|megabytes|percent)(?:_|$)/;

test('names and help keep to what Prometheus asks for', async () => {
  const metrics = watched();
  feed(metrics, '1');
  const described = [...(await ownText(metrics)).matchAll(HELP)];
  expect(described.length).toBeGreaterThanOrEqual(12);
  for (const [, name = '', help = '', type] of described) {
    expect(name).toMatch(/^prepull(er)?(_[a-z]+)+$/);
    expect(name).not.toMatch(OTHER_UNITS);
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect(name).not.toMatch(/_(?:gauge|counter|histogram|count|sum|bucket)$/);
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(help).toMatch(/^[^a-z].{10,}\.$/);
  }
});

const promtool = spawnSync('promtool', ['--version']).status === 0;
if (!promtool && process.env.CI !== undefined) throw new Error('promtool of the package prometheus is not there');

(promtool ? test : test.skip)('promtool has nothing to say (skipped where it is not there)', async () => {
  const metrics = watched();
  feed(metrics, '1');
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: await ownText(metrics),
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('500 tags make no more series than one, and none holds a tag, a digest, a node or a UID', async () => {
  const metrics = watched();
  const namesAfter = async (): Promise<string[]> => Object.keys(await metrics.values('prepull')).sort();
  feed(metrics, '1');
  const first = await namesAfter();
  for (let tag = 2; tag <= 500; tag += 1) {
    metrics.clock.now += 60_000;
    feed(metrics, String(tag));
  }
  expect(await namesAfter()).toEqual(first);
  expect(first.length).toBeGreaterThan(20);
  expect(first.filter((name) => /user:|sha256|uid-|node-|pod-/.test(name))).toEqual([]);
  expect(await metrics.values('prepull_hook_verdict_duration_seconds_count')).toEqual({
    'prepull_hook_verdict_duration_seconds_count{health="Degraded"}': 500,
    'prepull_hook_verdict_duration_seconds_count{health="Healthy"}': 0,
  });
});

test('repositories past the first hundred are counted together', async () => {
  const metrics = watched();
  for (let index = 0; index < REPOSITORIES + 50; index += 1) {
    metrics.heard(pulled(`quay.io/lab/user-${index}:1`, `pod-${index}`, metrics.clock.now));
  }
  const counts = await metrics.values('prepull_image_pull_duration_seconds_count');
  expect(Object.keys(counts)).toHaveLength(REPOSITORIES + 1);
  expect(counts[`prepull_image_pull_duration_seconds_count{repository="${OTHER_REPOSITORIES}"}`]).toBe(50);
});

test.each([
  ['quay.io/lab/user:2026-04', 'quay.io/lab/user'],
  ['localhost:5000/user', 'localhost:5000/user'],
  ['localhost:5000/user:1@sha256:abc', 'localhost:5000/user'],
  ['busybox', 'busybox'],
])('%s is of %s', (image, repository) => {
  expect(repositoryOf(image)).toBe(repository);
});

test('a pull is counted once, with its waiting, and not when it ended before this replica counted', async () => {
  const metrics = watched();
  const { clock } = metrics;
  const first = pulled('quay.io/lab/user:1', 'pod-1', clock.now);
  metrics.heard(first);
  metrics.heard(first);
  metrics.heard(pulled('quay.io/lab/user:1', 'pod-2', clock.now - 60_000));
  metrics.heard({ ...first, uid: 'pod-3', message: 'Pulling image "quay.io/lab/user:1"' });
  const about = '{repository="quay.io/lab/user"}';
  expect(await metrics.values('prepull_image_pull_duration_seconds_sum')).toEqual({
    [`prepull_image_pull_duration_seconds_sum${about}`]: 125,
  });
  metrics.state.leading = false;
  metrics.heard(pulled('quay.io/lab/user:1', 'pod-4', clock.now));
  clock.now += HOUR;
  metrics.state.leading = true;
  metrics.heard(pulled('quay.io/lab/user:1', 'pod-5', clock.now - HOUR / 2));
  metrics.heard(pulled('quay.io/lab/user:1', 'pod-6', clock.now));
  expect(await metrics.values('prepull_image_pull_duration_seconds_count')).toEqual({
    [`prepull_image_pull_duration_seconds_count${about}`]: 2,
  });
});

test('a hook is counted when it gets its verdict, by the replica that writes it', async () => {
  const metrics = watched();
  const createdAt = metrics.clock.now - 90_000;
  const done = verdict([node('one')]);
  metrics.judged(puller('1', { createdAt }), verdict([pulling('one')]));
  const counted = 'prepull_hook_verdict_duration_seconds_count{health="Healthy"}';
  expect(await metrics.values(counted)).toEqual({ [counted]: 0 });
  metrics.judged(puller('1', { createdAt }), done);
  metrics.judged(puller('1', { createdAt }), done);
  metrics.judged(puller('1', { createdAt, status: 'True' }), done);
  metrics.gone('hub/hook-image-puller');
  metrics.judged(puller('1', { createdAt, status: 'True' }), done);
  metrics.state.leading = false;
  metrics.judged(puller('2', { createdAt }), done);
  metrics.state.leading = true;
  expect(await metrics.values('prepull_hook_verdict_duration_seconds_sum')).toEqual({
    'prepull_hook_verdict_duration_seconds_sum{health="Degraded"}': 0,
    'prepull_hook_verdict_duration_seconds_sum{health="Healthy"}': 90,
  });
});

test('latency runs from the first news of a look to the verdict that ends a wait', async () => {
  const metrics = watched();
  const { clock } = metrics;
  const key = 'hub/hook-image-puller';
  const written = (status: string): Parameters<CallMetrics['verdictWritten']> => [key, { status, generation: '1' }];
  const look = (status: string, milliseconds: number): void => {
    clock.now += milliseconds;
    metrics.judged(puller('1'), verdict([node('one')]));
    metrics.verdictWritten(...written(status));
  };
  metrics.arrived(key);
  look('Unknown', 400);
  metrics.arrived(key);
  clock.now += 20;
  metrics.arrived(key);
  look('True', 20);
  metrics.arrived(key);
  look('True', 3_000);
  look('False', 3_000);
  metrics.state.leading = false;
  metrics.arrived(key);
  metrics.state.leading = true;
  look('Unknown', HOUR);
  look('True', HOUR);
  expect(await metrics.values('prepuller_verdict_latency_seconds_sum')).toEqual({
    prepuller_verdict_latency_seconds_sum: 0.04,
  });
  expect(await metrics.values('prepuller_verdict_latency_seconds_count')).toEqual({
    prepuller_verdict_latency_seconds_count: 1,
  });
});

test('the program says its version', async () => {
  expect(await watched().values('prepuller_build_info')).toEqual({ 'prepuller_build_info{version="1.2.3"}': 1 });
});
