/** Pods and events that a real kubelet wrote, judged as the recordings' own README says: as recorded, and as containers pullers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PREFIX, type Raw } from './cluster.ts';
import { snapshotOf } from './look.ts';
import { DEFAULT_POLICY } from '../../src/api/policy.ts';
import { judge } from '../../src/verdict/judge.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';

const folder = process.env.PREPULLER_KUBELET ?? join(import.meta.dirname, '../../../shared/kubelet');
const MINIMUM = process.env.PREPULLER_KUBELET === undefined ? 16 : 1;

interface Recording {
  file: string;
  says: string;
  pod: Raw;
  events: Raw[];
}

/** The README has one line a file: `name.json`: what it is. */
function recordings(): Recording[] {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.map((file) => {
    const line = readme.split('\n').find((text) => text.startsWith(`- \`${file}\``)) ?? '';
    const { pod, events } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { pod: Raw; events: Raw[] };
    return { file, says: line, pod, events };
  });
}

/** The rule a README line stands for: words of the line, then health, the node's state and reason. */
const EXPECTED: [words: RegExp, verdict: string][] = [
  [/cannot run it/, 'Degraded failed NoBuild'],
  [/turned the pod away/, 'Healthy tolerated Rejecting'],
  [/never even tried/, 'Healthy tolerated Blocked'],
  [/one is failed/, 'Degraded failed ImageMissing'],
  [/It IS|the image is pulled/, 'Healthy pulled PulledNotStarted'],
  [/^- `pulled/, 'Healthy pulled EveryImagePulled'],
  [/transient/, 'Progressing pulling Retrying'],
  [/credentials/, 'Degraded failed CredentialsRefused'],
  [/Not a valid reference/, 'Degraded failed ImageInvalid'],
  [/imagePullPolicy Never/, 'Degraded failed ImageNeverPulled'],
  [/does not exist/, 'Degraded failed ImageMissing'],
];

const expected = ({ says }: Recording): string | undefined => EXPECTED.find(([words]) => words.test(says))?.[1];

/** A DaemonSet of this pod alone, the pod its own, its events about it. */
function clusterOf({ pod, events }: Recording, method: 'init' | 'containers'): Raw[] {
  const spec = method === 'init' ? pod.spec : asContainers(pod.spec as Raw);
  const status = method === 'init' ? pod.status : withoutInit(pod.status as Raw);
  const metadata = { ...pod.metadata, ownerReferences: [{ kind: 'DaemonSet', controller: true, uid: 'ds' }] };
  const daemonSet = {
    kind: 'DaemonSet',
    metadata: {
      name: 'x',
      namespace: pod.metadata.namespace,
      uid: 'ds',
      generation: 1,
      creationTimestamp: pod.metadata.creationTimestamp,
      labels: { [`${PREFIX}/role`]: 'hook' },
    },
    spec: { template: { spec } },
    status: { observedGeneration: 1, desiredNumberScheduled: 1, currentNumberScheduled: 1 },
  };
  const about = { kind: 'Pod', uid: metadata.uid, name: metadata.name, namespace: metadata.namespace };
  return [
    daemonSet,
    { ...pod, kind: 'Pod', metadata, spec, status },
    ...events.map((event) => ({ ...event, kind: 'Event', involvedObject: about })),
  ];
}

function asContainers(spec: Raw): Raw {
  return {
    ...spec,
    initContainers: undefined,
    containers: [...((spec.initContainers ?? []) as Raw[]), ...(spec.containers as Raw[])],
  };
}

/** What the kubelet would have said of regular containers. */
function withoutInit(status: Raw): Raw {
  const statuses = [...((status.initContainerStatuses ?? []) as Raw[]), ...((status.containerStatuses ?? []) as Raw[])];
  const renamed = JSON.parse(JSON.stringify(statuses).replaceAll('"PodInitializing"', '"ContainerCreating"')) as Raw[];
  return { ...status, initContainerStatuses: undefined, containerStatuses: renamed };
}

/** Half an hour later, by one look; and by many from the pod's creation on, as the reconciler would. */
function judgeLate(objects: Raw[]): Verdict[] {
  const created = Date.parse((objects[1]?.metadata as Raw).creationTimestamp as string);
  const once = judge(snapshotOf(objects, { once: true }), DEFAULT_POLICY, new Date(created + 1_800_000));
  let watched: Verdict | undefined;
  for (let seconds = 0; seconds <= 1800; seconds += 15) {
    const facts = watched === undefined ? {} : { facts: watched.facts };
    watched = judge(snapshotOf(objects, facts), DEFAULT_POLICY, new Date(created + seconds * 1000));
  }
  return watched === undefined ? [once] : [once, watched];
}

function lineOf({ health, nodes }: Verdict): string {
  return `${health} ${nodes[0]?.state ?? ''} ${nodes[0]?.reason ?? ''}`;
}

const isPresent = existsSync(folder);
const suite = isPresent || process.env.CI !== undefined ? describe : describe.skip;

suite(`recordings of a kubelet${isPresent ? '' : ' (skipped: the folder is not there)'}`, () => {
  const all = isPresent ? recordings() : [];

  test(`${all.length} recordings, at least ${MINIMUM}, each with a README line that says what it is`, () => {
    console.log(`kubelet recordings judged: ${all.length}`);
    expect(all.length).toBeGreaterThanOrEqual(MINIMUM);
    expect(all.filter((recording) => expected(recording) === undefined).map(({ file }) => file)).toEqual([]);
  });

  test.each(all.map((recording) => [recording.file, recording] as const))('%s as recorded', (_, recording) => {
    for (const verdict of judgeLate(clusterOf(recording, 'init'))) expect(lineOf(verdict)).toBe(expected(recording));
  });

  const single = all.filter(({ pod }) => ((pod.spec.initContainers ?? []) as Raw[]).length === 1);
  test.each(single.map((recording) => [recording.file, recording] as const))(
    '%s as a containers puller',
    (_, recording) => {
      for (const verdict of judgeLate(clusterOf(recording, 'containers')))
        expect(lineOf(verdict)).toBe(expected(recording));
    },
  );

  test('three containers: the two good ones are no exception, the bad one is named', () => {
    const recording = all.find(({ file }) => file === 'three-containers.json');
    if (recording === undefined) return;
    const [verdict] = judgeLate(clusterOf(recording, 'init'));
    expect(verdict?.message).toContain('nb:nope: not found in the registry');
  });
});
