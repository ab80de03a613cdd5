/**
 * DaemonSets that are not ours, in an Argo CD with our health script and in one without: the same words in both. The rules are those of
 * gitops-engine pkg/health/health_daemonset.go.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../../../simulator/store.ts';
import { until } from '../../testbed/until.ts';
import { USERS_ONLY } from '../argocd-hub.ts';
import { daemonSetHealth } from '../argocd-health.ts';
import type { ArgoStage, HubPlay } from '../argocd-stage.ts';
import type { HubScene } from '../argocd-scene.ts';

interface Foreign {
  /** The tag of its image. */
  tag?: string;
  updateStrategy?: Fields;
  labels?: Record<string, string>;
  nowhere?: boolean;
}

function daemonSet(scene: string, name: string, { tag = '1', updateStrategy, labels = {}, nowhere }: Foreign): Fields {
  const matchLabels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, labels },
    spec: {
      selector: { matchLabels },
      ...(updateStrategy && { updateStrategy }),
      template: {
        metadata: { labels: matchLabels },
        spec: {
          nodeSelector: nowhere === true ? { scene: 'nowhere' } : { scene },
          tolerations: [{ key: USERS_ONLY.key, operator: 'Exists' }],
          containers: [{ name: 'main', image: `registry.test/${name}:${tag}` }],
        },
      },
    },
  };
}

const FOREIGN: Readonly<Record<string, Foreign>> = {
  driver: {},
  full: {},
  'no-image': { tag: 'missing' },
  'on-delete': { updateStrategy: { type: 'OnDelete' } },
  nowhere: { nowhere: true },
  // Charts of others have pullers too; only our label makes one ours.
  'their-image-puller': { labels: { component: 'continuous-image-puller' } },
};

/** Of one node with room for all, and one that is full. */
const EXPECTED = {
  driver: 'Progressing: Waiting for daemon set "driver" rollout to finish: 1 of 2 updated pods are available...',
  full: 'Progressing: Waiting for daemon set "full" rollout to finish: 1 of 2 updated pods are available...',
  'no-image': 'Progressing: Waiting for daemon set "no-image" rollout to finish: 0 of 2 updated pods are available...',
  'on-delete': 'Healthy: daemon set 2 out of 2 new pods have been updated',
  nowhere: 'Healthy',
  'their-image-puller':
    'Progressing: Waiting for daemon set "their-image-puller" rollout to finish: 1 of 2 updated pods are available...',
};

/** The pod on the full node is new already; with one away at most the other has to wait for it. */
const UPDATED = {
  ...EXPECTED,
  full: 'Progressing: Waiting for daemon set "full" rollout to finish: 1 out of 2 new pods have been updated...',
};

async function foreign(scene: HubScene, stage: ArgoStage): Promise<void> {
  await scene.join('good');
  await scene.joinFull('full');
  await commit(scene, FOREIGN);
  await scene.apply({ plugin: 'none', source: { path: 'foreign', helm: undefined } });
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  await expectHealth(scene, stage, EXPECTED);
  await commit(scene, { ...FOREIGN, full: { tag: '2' } });
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  await expectHealth(scene, stage, UPDATED);
}

async function commit({ name: scene, repository }: HubScene, all: typeof FOREIGN): Promise<void> {
  const items = Object.entries(all).map(([name, one]) => daemonSet(scene, name, one));
  await repository.commit({ 'foreign/all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) }, 'Foreign');
}

async function expectHealth({ name }: HubScene, stage: ArgoStage, expected: Record<string, string>): Promise<void> {
  let seen: Record<string, string> = {};
  const look = async (): Promise<boolean> => {
    seen = Object.fromEntries(await daemonSetHealth(stage, name));
    return isDeepStrictEqual(seen, expected);
  };
  await until('health is as expected', look, { every: 500 }).catch(() => undefined);
  expect(seen).toEqual(expected);
}

export const FOREIGN_PLAY: HubPlay = {
  name: 'DaemonSets of others have the health they had',
  app: 'foreign',
  play: foreign,
};
