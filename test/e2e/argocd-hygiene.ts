/** What may be left and what must stay: objects of ours, and the UIDs of what pullers share with others. */
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { ROLE_LABEL } from '../../src/api/names.ts';
import { until } from '../testbed/until.ts';
import type { HubScene } from './argocd-scene.ts';

const NAMESPACED = ['daemonsets', 'jobs', 'pods', 'roles', 'rolebindings', 'serviceaccounts', 'secrets'];
const CLUSTER = ['priorityclasses', 'clusterroles', 'clusterrolebindings'];

/** `resource/name` of objects with our label in the scene's namespace, and of cluster-scoped ones that bear its name. */
export async function oursIn(scene: HubScene, roles: readonly string[] = ['hook', 'continuous', 'prerequisite']) {
  const labelSelector = `${ROLE_LABEL} in (${roles.join(',')})`;
  const lists = [...NAMESPACED, ...CLUSTER].map(async (resource) => {
    const namespace = NAMESPACED.includes(resource) ? { namespace: scene.name } : {};
    const { items } = await scene.client.list(resource, { labelSelector, ...namespace });
    return items.filter((object) => isOf(object, scene)).map(({ metadata }) => `${resource}/${metadata.name}`);
  });
  return (await Promise.all(lists)).flat().sort();
}

/** The hook and all that was made for it alone is gone. */
export async function hookIsGone(scene: HubScene, within = 30_000): Promise<void> {
  const isHook = ({ metadata }: ApiObject): boolean => 'argocd.argoproj.io/hook' in (metadata.annotations ?? {});
  await until(
    `nothing of the hook is left of ${scene.name}`,
    async () => {
      const lists = ['daemonsets', 'jobs', 'roles', 'rolebindings', 'serviceaccounts', 'secrets', 'priorityclasses'];
      const found = lists.map(async (resource) => {
        const { items } = await scene.client.list(
          resource,
          resource === 'priorityclasses' ? {} : { namespace: scene.name },
        );
        return items.filter((object) => isOf(object, scene) && isHook(object));
      });
      return (await Promise.all(found)).flat().length === 0 && (await oursIn(scene, ['hook'])).length === 0;
    },
    { within },
  );
}

function isOf({ metadata }: ApiObject, { name }: HubScene): boolean {
  return metadata.namespace === name || metadata.name.includes(name);
}

export type Uids = ReadonlyMap<string, string>;

/** UIDs of ServiceAccounts, Secrets and PriorityClasses that are not made for hooks. */
export async function sharedUids(scene: HubScene): Promise<Uids> {
  const lists = ['serviceaccounts', 'secrets', 'priorityclasses'].map(async (resource) => {
    const { items } = await scene.client.list(
      resource,
      resource === 'priorityclasses' ? {} : { namespace: scene.name },
    );
    const shared = items.filter((object) => isOf(object, scene) && object.metadata.labels?.[ROLE_LABEL] === undefined);
    return shared.map(({ metadata }): [string, string] => [`${resource}/${metadata.name}`, metadata.uid]);
  });
  return new Map((await Promise.all(lists)).flat().sort());
}

/** What others made before the hub came, and the hub's pullers use. */
export async function shareWithOthers({ name, client }: HubScene): Promise<Fields> {
  const secret = { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{"auths":{}}' } };
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await client.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'shared-pull', namespace: name },
    ...secret,
  });
  await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'shared', namespace: name } });
  const metadata = { name: `shared-${name}` };
  await client.create({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata, value: 5 });
  return {
    singleuser: { serviceAccountName: 'shared' },
    imagePullSecrets: [{ name: 'shared-pull' }],
    imagePullSecret: { create: true, registry: 'registry.test', username: 'puller', password: 'not-a-real-password' },
    scheduling: { podPriority: { enabled: true } },
  };
}
