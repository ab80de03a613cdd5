/** Random clusters for property tests: what befell each node is known, so that a verdict can be checked against the truth. */
import fc from 'fast-check';
import type { Policy } from '../../src/api/policy.ts';
import {
  backOff,
  CREATING,
  event,
  failedPull,
  node,
  NOT_FOUND,
  pod,
  puller,
  pulledPod,
  running,
  successfulPull,
  unschedulable,
  waiting,
  type PodOptions,
  type Raw,
} from './cluster.ts';
import { NO_SHELL } from './stories.ts';

const REFUSED = 'dial tcp 10.0.0.1:443: connect: connection refused';
const DENIED = 'unauthorized: access to the requested resource is not authorized';
const NO_MATCH = 'no match for platform in manifest: not found';

type Story = (name: string, at: number, shape: PodOptions) => Raw[];

/** A pod whose first image fails so, with its event; the other images are still to come. */
const failing =
  (text: string, hidden = false): Story =>
  (name, at, shape) => {
    const stuck = pod(name, { ...shape, containers: [backOff('quay.io/a/nb:1', hidden ? '' : text)] });
    return [stuck, failedPull(stuck, text, 3, 3 + at)];
  };

/** What can befall a node, `at` seconds into the story. */
export const STORIES = {
  pulled: (name, _at, shape) => [pulledPod(name, shape)],
  pulledFromRegistry: (name, _at, shape) => {
    const done = pulledPod(name, shape);
    return [done, successfulPull(done)];
  },
  creating: (name, _at, shape) => [pod(name, shape)],
  half: (name, at, shape) => [pod(name, { ...shape, containers: [running(at), CREATING, CREATING] })],
  noShell: (name, _at, shape) => [
    pod(name, {
      ...shape,
      containers: [waiting('CrashLoopBackOff', 'x', { imageID: 's', restartCount: 3, lastState: NO_SHELL })],
    }),
  ],
  full: (name, at, shape) => [unschedulable(name, '1 Too many pods', at, shape)],
  rejected: (name, at, shape) => [
    pod(name, { ...shape, created: at, status: { phase: 'Failed', reason: 'OutOfpods', message: 'full' } }),
  ],
  notStarted: (name, at, shape) => [pod(name, { ...shape, created: at, sandbox: false })],
  silent: (name, at, shape) => [pod(name, { ...shape, created: at, sandbox: null })],
  notReady: (name, at, shape) => [pod(name, shape), node(name, { ready: 'Unknown', readySince: at })],
  notReadyFailing: (name, at, shape) => [
    ...failing(NOT_FOUND())(name, at, shape),
    node(name, { ready: 'Unknown', readySince: at }),
  ],
  cordoned: (name, _at, shape) => [pod(name, shape), node(name, { cordoned: true })],
  leaving: (name, at, shape) => [pod(name, shape), node(name, { deleted: at })],
  virtual: (name, _at, shape) => [pod(name, shape), node(name, { labels: { type: 'virtual-kubelet' } })],
  late: (name, at, shape) => [pod(name, { ...shape, created: at + 5 }), node(name, { created: at })],
  stuck: (name, at, shape) => [pod(name, { ...shape, deleted: at })],
  old: (name, _at, shape) => [pod(name, { ...shape, label: 'old' })],
  leftOut: (name, at) => [
    node(name, {
      ready: 'False',
      readySince: at,
      taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
    }),
  ],
  missing: failing(NOT_FOUND()),
  missingHidden: failing(NOT_FOUND(), true),
  invalid: (name, _at, shape) => [
    pod(name, { ...shape, containers: [waiting('InvalidImageName', 'invalid reference format')] }),
  ],
  denied: failing(DENIED),
  unreachable: failing(REFUSED),
  busy: failing('429 Too Many Requests'),
  platform: failing(NO_MATCH),
  attempting: (name, _at, shape) => [pod(name, { ...shape, containers: [waiting('ErrImagePull', NOT_FOUND())] })],
  sandboxFails: (name, at, shape) => {
    const stuck = pod(name, { ...shape, created: at, sandbox: false });
    return [stuck, event(stuck, 'FailedCreatePodSandBox', 'no network', at + 1, at + 50)];
  },
} satisfies Record<string, Story>;

export type StoryName = keyof typeof STORIES;
const NAMES = Object.keys(STORIES) as StoryName[];

export interface Cluster {
  /** What befell each node, by name. */
  truth: ReadonlyMap<string, StoryName>;
  objects: Raw[];
  shape: PodOptions;
  role: string;
  desired: number;
}

/** Nodes of these stories get no pod, and are not among the desired ones. */
const NOT_DESIRED: ReadonlySet<StoryName> = new Set(['leftOut']);

const IMAGES = ['quay.io/a/nb:1', 'quay.io/a/second:1', 'quay.io/a/third:1'];

export function clusters(stories: readonly StoryName[] = NAMES): fc.Arbitrary<Cluster> {
  return fc
    .record({
      nodes: fc.array(fc.record({ story: fc.constantFrom(...stories), at: fc.nat(400) }), { maxLength: 6 }),
      images: fc.integer({ min: 1, max: 3 }),
      init: fc.boolean(),
      role: fc.constantFrom('hook', 'continuous'),
      absent: fc.constantFrom(0, 0, 0, 1, 2),
    })
    .map(({ nodes, images, init, role, absent }) => {
      const shape = { images: IMAGES.slice(0, images), init };
      const desired = nodes.filter(({ story }) => !NOT_DESIRED.has(story)).length + absent;
      const truth = new Map(nodes.map(({ story }, index) => [`n${index}`, story]));
      const told = nodes.flatMap(({ story, at }, index) => STORIES[story](`n${index}`, at, shape));
      return { truth, objects: [puller({ ...shape, role, desired }), ...told], shape, role, desired };
    });
}

const wait = (most: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: most }).map((seconds) => seconds * 1000);

/** Any policy whose graces end before its deadline, as people set them. */
export const policies: fc.Arbitrary<Partial<Policy>> = fc.record({
  strict: fc.boolean(),
  schedulingGrace: wait(300),
  rejectionGrace: wait(300),
  networkGrace: wait(900),
  missingImageWindow: wait(600),
  deadline: fc.integer({ min: 1000, max: 5000 }).map((seconds) => seconds * 1000),
  onDeadline: fc.constantFrom('fail' as const, 'tolerate' as const),
  minPulled: fc.oneof(fc.record({ nodes: fc.nat(3) }), fc.record({ percent: fc.nat(100) })),
});
