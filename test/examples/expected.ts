/** What each example must come to, written by hand: the images of its pullers, and when each object of ours comes and goes. */

const TOOLS = 'quay.io/jupyterhub/k8s-network-tools:4.4.0';
const NOTEBOOK = 'quay.io/example/datascience-notebook:2026-03-01';
const COURSE = 'quay.io/example/course-notebook:winter';
const PAUSE = 'registry.k8s.io/pause:3.10.1';
const HUB = [TOOLS, NOTEBOOK, PAUSE];

const HOOK = 'DaemonSet/hook-image-puller';
const CONTINUOUS = 'DaemonSet/continuous-image-puller';

const PROFILES = [
  TOOLS,
  PAUSE,
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
const MIRRORED_PAUSE = 'registry.example.org/mirror/pause:3.10.1';
const CHART_SOURCE = [TOOLS, PAUSE, 'quay.io/example/datascience-notebook:latest', 'quay.io/example/desktop:24.04'];
const DASHBOARD = ['migrate', 'server', 'worker'].map((name) => `registry.example.org/dashboard/${name}:8.1.0`);

/** Example → puller → the images its pods name. */
export const EXPECTED_IMAGES: Record<string, Record<string, readonly string[]>> = {
  hub: { [HOOK]: HUB, [CONTINUOUS]: HUB },
  'chart-source': { [HOOK]: CHART_SOURCE, [CONTINUOUS]: CHART_SOURCE },
  profiles: { [HOOK]: PROFILES, [CONTINUOUS]: PROFILES },
  placeholders: { [HOOK]: HUB, [CONTINUOUS]: HUB },
  'hooks-off': { [HOOK]: [...HUB, COURSE] },
  'hooks-off-wave': { [CONTINUOUS]: [...HUB, COURSE] },
  umbrella: { [HOOK]: HUB, [CONTINUOUS]: HUB },
  'two-hubs': {
    'DaemonSet/teaching-hook-image-puller': [TOOLS, PAUSE, COURSE],
    'DaemonSet/teaching-continuous-image-puller': [TOOLS, PAUSE, COURSE],
    'DaemonSet/research-hook-image-puller': HUB,
    'DaemonSet/research-continuous-image-puller': HUB,
  },
  'rendered-in-git': { [HOOK]: HUB, [CONTINUOUS]: HUB },
  'labelled-workload': { [HOOK]: [...DASHBOARD, PAUSE] },
  wave: { [CONTINUOUS]: HUB },
  job: { [HOOK]: HUB, [CONTINUOUS]: HUB },
  none: { [CONTINUOUS]: HUB },
  'pull-init': { [HOOK]: HUB, [CONTINUOUS]: HUB },
  'pull-volume': { [HOOK]: [TOOLS, NOTEBOOK, MIRRORED_PAUSE], [CONTINUOUS]: [TOOLS, NOTEBOOK, MIRRORED_PAUSE] },
};

/** Example → `role Kind/name phase wave delete-policy` of every object of ours. */
export const EXPECTED_ORDER: Record<string, readonly string[]> = {};
