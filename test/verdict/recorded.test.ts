/** Pods and events that a real kubelet wrote under the e2e suite (see test/e2e/record.ts), judged ten minutes after. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_POLICY } from '../../src/api/policy.ts';
import { judge } from '../../src/verdict/judge.ts';
import { PREFIX, type Raw } from './cluster.ts';
import { snapshotOf } from './look.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/kubelet');

/** File → health, the node's state and reason, and words of its message. */
const EXPECTED: [file: string, verdict: string, words: RegExp][] = [
  ['disk-full', 'Healthy tolerated DiskFull', /no disk space for it/],
  ['pause-image-missing', 'Healthy tolerated CannotStartPods', /failed to get sandbox image/],
  // Two that pull: the condition is False, the first container runs, and the status shows neither pull nor container.
  ['registry-never-answers', 'Progressing pulling InProgress', /./],
  ['second-image-under-way', 'Progressing pulling InProgress', /./],
  ['wrong-password', 'Degraded failed CredentialsRefused', /401 Unauthorized/],
];

function clusterOf(file: string): Raw[] {
  const { pod, events } = JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8')) as { pod: Raw; events: Raw[] };
  const metadata = pod.metadata as Raw;
  const { namespace, name, uid, creationTimestamp, ownerReferences } = metadata;
  const owner = (ownerReferences as Raw[])[0]!;
  const daemonSet = {
    kind: 'DaemonSet',
    metadata: {
      namespace,
      name: owner.name,
      uid: owner.uid,
      generation: 1,
      creationTimestamp,
      labels: { [`${PREFIX}/role`]: 'hook' },
    },
    spec: { template: { metadata: { labels: metadata.labels }, spec: pod.spec } },
    status: { observedGeneration: 1, desiredNumberScheduled: 1, currentNumberScheduled: 1 },
  };
  const about = { kind: 'Pod', uid, name, namespace };
  return [
    daemonSet,
    { ...pod, kind: 'Pod' },
    ...events.map((event) => ({ ...event, kind: 'Event', involvedObject: about })),
  ];
}

test('every recording is judged', () => {
  const files = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
  expect(files.sort()).toEqual(EXPECTED.map(([file]) => file).sort());
});

test.each(EXPECTED)('%s: %s', (file, expected, words) => {
  const objects = clusterOf(file);
  const created = Date.parse((objects[0]?.metadata as Raw).creationTimestamp as string);
  const verdict = judge(snapshotOf(objects, { once: true }), DEFAULT_POLICY, new Date(created + 600_000));
  const [node] = verdict.nodes;
  expect(`${verdict.health} ${node?.state ?? ''} ${node?.reason ?? ''}`).toBe(expected);
  expect(node?.message).toMatch(words);
});
