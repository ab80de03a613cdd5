/** The judge alone, in this process, in processor time (it waits for nothing): a puller whose pods are done on nine nodes of ten and pull on the tenth. */
import type { Fields } from '../simulator/store.ts';
import { DEFAULT_POLICY } from '../src/api/policy.ts';
import { NO_FACTS } from '../src/verdict/facts.ts';
import { judge } from '../src/verdict/judge.ts';
import { readDaemonSet } from '../src/verdict/read-daemonset.ts';
import { readNode, readPod } from '../src/verdict/read-pod.ts';
import type { Snapshot } from '../src/verdict/snapshot.ts';
import type { Check } from './budgets.ts';
import { stormPuller } from './cluster-objects.ts';
import type { Line } from './plot.ts';
import { mean } from './statistics.ts';

export interface JudgeMeasured {
  checks: Check[];
  line: Line;
  samples: Record<string, number[]>;
}

const LARGEST = 15_000;
const SIZES = [LARGEST / 16, LARGEST / 8, LARGEST / 4, LARGEST / 2, LARGEST].map(Math.round);
/** Twice, and room for what the machine does besides: its caches end somewhere in between. */
const MAX_FACTOR = 2.4;
const NOW = Date.parse('2026-03-01T08:00:00Z');
const UID = 'the-puller';

/** Each round judges every size once, so that the machine's mood falls on all alike. */
export function measureJudge(rounds: number): JudgeMeasured {
  const snapshots = SIZES.map(snapshotOf);
  const samples: number[][] = SIZES.map(() => []);
  // The first rounds are the compiler's.
  for (let round = -5; round < rounds; round += 1) {
    for (const [index, snapshot] of snapshots.entries()) {
      const began = process.threadCpuUsage();
      judge(snapshot, DEFAULT_POLICY, new Date(NOW));
      const { user, system } = process.threadCpuUsage(began);
      if (round >= 0) samples[index]?.push((user + system) / 1_000);
    }
  }
  // A kernel may count processor time in ticks of four milliseconds.
  const means = samples.map(mean);
  const whole = means.at(-1) ?? NaN;
  const doublings = SIZES.length - 1;
  const what = `judge, ${LARGEST} nodes`;
  return {
    checks: [
      { what, how: `processor time, mean of ${rounds}`, value: whole, limit: 40, unit: 'ms' },
      {
        what: `${what}, growth for twice as many`,
        how: `ratio of the means, over ${doublings} doublings`,
        value: (whole / (means[0] ?? NaN)) ** (1 / doublings),
        limit: MAX_FACTOR,
        unit: '×',
      },
    ],
    line: { name: 'judge', points: SIZES.map((x, index) => ({ x, y: means[index] ?? NaN })) },
    samples: Object.fromEntries(SIZES.map((size, index) => [`judge, ${size} nodes, ms`, samples[index] ?? []])),
  };
}

function snapshotOf(size: number): Snapshot {
  const puller = stormPuller();
  const { metadata, spec } = puller;
  const at = new Date(NOW - 60_000).toISOString();
  const counts = { desiredNumberScheduled: size, currentNumberScheduled: size, numberMisscheduled: 0 };
  const object = {
    ...puller,
    metadata: { ...metadata, uid: UID, generation: 1, creationTimestamp: at },
    status: { observedGeneration: 1, ...counts },
  };
  const indexes = Array.from({ length: size }, (_, index) => index);
  return {
    daemonSet: readDaemonSet(object),
    pods: indexes.map((index) => readPod(podOf(index, spec.template as Fields, at))),
    nodes: indexes.map((index) =>
      readNode({ metadata: { name: `node-${index}`, labels: { 'kubernetes.io/os': 'linux' } } }),
    ),
    goneNodes: [],
    events: [],
    eventsComplete: true,
    facts: NO_FACTS,
    once: false,
  };
}

function podOf(index: number, { metadata, spec }: Fields, at: string): Fields {
  const done = index % 10 !== 0;
  const state = done ? { running: { startedAt: at } } : { waiting: { reason: 'ContainerCreating' } };
  const containers = spec.containers as Fields[];
  const condition = (type: string): Fields => ({ type, status: 'True', lastTransitionTime: at });
  return {
    metadata: {
      ...metadata,
      namespace: 'hub',
      name: `puller-${index}`,
      uid: `pod-${index}`,
      creationTimestamp: at,
      ownerReferences: [{ uid: UID, controller: true }],
    },
    spec: { ...spec, nodeName: `node-${index}` },
    status: {
      phase: done ? 'Running' : 'Pending',
      conditions: [condition('PodScheduled'), condition('PodReadyToStartContainers')],
      containerStatuses: containers.map(({ name, image }) => ({
        name,
        image,
        restartCount: 0,
        imageID: done ? 'sha256:1' : '',
        state,
      })),
    },
  };
}
