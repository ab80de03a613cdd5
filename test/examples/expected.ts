/** What each example must come to, written by hand: the images of its pullers, and when each object of ours comes and goes. */

const TOOLS = 'quay.io/jupyterhub/k8s-network-tools:4.4.0';
const NOTEBOOK = 'quay.io/example/datascience-notebook:2026-03-01';
const COURSE = 'quay.io/example/course-notebook:winter';
const PAUSE = 'registry.k8s.io/pause:3.10.1';
const HUB = [TOOLS, NOTEBOOK];

const HOOK = 'DaemonSet/hook-image-puller';
const CONTINUOUS = 'DaemonSet/continuous-image-puller';

/** A hook puller by containers needs no pause image; the continuous one keeps the chart's init chain, and its pause container. */
function both(images: readonly string[]): Record<string, readonly string[]> {
  return { [HOOK]: images, [CONTINUOUS]: [...images, PAUSE] };
}

const PROFILES = [
  TOOLS,
  'registry.example.org/lab/base:4.2.0',
  'docker.io/library/busybox:1.37.0',
  'registry.k8s.io/git-sync/git-sync:v4.4.0',
  'registry.example.org/lab/rstudio:2026.1',
  'registry.example.org/lab/licence-client:7',
  'registry.example.org/lab/gpu-metrics@sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  'registry.example.org/lab/pytorch:2.9.1',
  'registry.example.org/lab/tensorflow:2.20.0',
  'registry.example.org/lab/desktop:24.04',
];
const MIRRORED = [...HUB, 'registry.example.org/mirror/pause:3.10.1'];

/** Example → puller → the images its pods name. */
export const EXPECTED_IMAGES: Record<string, Record<string, readonly string[]>> = {
  hub: both(HUB),
  'chart-source': both([TOOLS, 'quay.io/example/datascience-notebook:latest', 'quay.io/example/desktop:24.04']),
  profiles: both(PROFILES),
  placeholders: both(HUB),
  'hooks-off': { [HOOK]: [...HUB, COURSE] },
  'hooks-off-wave': { [CONTINUOUS]: [...HUB, COURSE] },
  umbrella: both(HUB),
  'two-hubs': {
    'DaemonSet/teaching-hook-image-puller': [TOOLS, COURSE],
    'DaemonSet/teaching-continuous-image-puller': [TOOLS, COURSE, PAUSE],
    'DaemonSet/research-hook-image-puller': HUB,
    'DaemonSet/research-continuous-image-puller': [...HUB, PAUSE],
  },
  'rendered-in-git': both(HUB),
  'labelled-workload': {
    'DaemonSet/dashboard-hook-image-puller-#': ['migrate', 'server', 'worker'].map(
      (name) => `registry.example.org/dashboard/${name}:8.1.0`,
    ),
  },
  wave: { [CONTINUOUS]: HUB },
  job: both(HUB),
  none: { [CONTINUOUS]: [...HUB, PAUSE] },
  'pull-init': { [HOOK]: [...HUB, PAUSE], [CONTINUOUS]: [...HUB, PAUSE] },
  'pull-volume': { [HOOK]: MIRRORED, [CONTINUOUS]: MIRRORED },
};

const HOOK_PLACE = 'PreSync -10 BeforeHookCreation,HookSucceeded';
const BEFORE_HOOK = 'PreSync -11 HookSucceeded';

/** A hook as the chart renders it has a ServiceAccount of its own, which is copied for it. */
const CHART_HOOK = [
  `hook ${HOOK} ${HOOK_PLACE}`,
  `prerequisite ServiceAccount/hook-image-puller-prepull-# ${BEFORE_HOOK}`,
];
const CHART_CONTINUOUS = `continuous ${CONTINUOUS} Sync 0`;

/** Where the chart has no class for placeholders, the continuous puller brings one of its own. */
function withOwnPriority(app: string): string[] {
  return [...CHART_HOOK, CHART_CONTINUOUS, `prerequisite PriorityClass/${app}-jupyterhub-priority-minus-10-# Sync -1`];
}

const WITH_PLACEHOLDERS = [
  ...CHART_HOOK,
  CHART_CONTINUOUS,
  `prerequisite PriorityClass/jupyterhub-jupyterhub-priority-minus-5-# ${BEFORE_HOOK}`,
];

/** Example → `role Kind/name phase wave delete-policy` of every object of ours; `#` stands for a digest in a name. */
export const EXPECTED_ORDER: Record<string, readonly string[]> = {
  hub: withOwnPriority('jupyterhub'),
  'chart-source': withOwnPriority('jupyterhub'),
  profiles: [...withOwnPriority('jupyterhub'), `prerequisite Secret/image-pull-secret-prepull-# ${BEFORE_HOOK}`],
  placeholders: WITH_PLACEHOLDERS,
  'hooks-off': [`hook ${HOOK} ${HOOK_PLACE}`],
  'hooks-off-wave': [
    `continuous ${CONTINUOUS} Sync -1`,
    'prerequisite PriorityClass/jupyterhub-jupyterhub-priority-minus-5-# Sync -2',
  ],
  umbrella: withOwnPriority('campus'),
  'two-hubs': [
    `hook DaemonSet/teaching-hook-image-puller ${HOOK_PLACE}`,
    `prerequisite ServiceAccount/teaching-hook-image-puller-prepull-# ${BEFORE_HOOK}`,
    'continuous DaemonSet/teaching-continuous-image-puller Sync 0',
    'prerequisite PriorityClass/campus-jupyterhub-priority-minus-10-# Sync -1',
    `hook DaemonSet/research-hook-image-puller ${HOOK_PLACE}`,
    `prerequisite ServiceAccount/research-hook-image-puller-prepull-# ${BEFORE_HOOK}`,
    `prerequisite PriorityClass/campus-jupyterhub-priority-minus-5-# ${BEFORE_HOOK}`,
    'continuous DaemonSet/research-continuous-image-puller Sync 0',
  ],
  'rendered-in-git': withOwnPriority('jupyterhub'),
  'labelled-workload': [`hook DaemonSet/dashboard-hook-image-puller-# ${HOOK_PLACE}`],
  wave: [`continuous ${CONTINUOUS} Sync -1`],
  job: [
    ...WITH_PLACEHOLDERS,
    `prerequisite ServiceAccount/hook-image-puller-await ${BEFORE_HOOK}`,
    `prerequisite Role/hook-image-puller-await ${BEFORE_HOOK}`,
    `prerequisite RoleBinding/hook-image-puller-await ${BEFORE_HOOK}`,
    'prerequisite Job/hook-image-puller-await PreSync -9 BeforeHookCreation,HookSucceeded',
  ],
  none: [CHART_CONTINUOUS],
  'pull-init': withOwnPriority('jupyterhub'),
  'pull-volume': withOwnPriority('jupyterhub'),
};
