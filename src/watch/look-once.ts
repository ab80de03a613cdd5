/** Everything the judge looks at, read once: as the Lists that `kubectl get ds,pods,nodes,events -o json` would save. */
import { ROLE_LABEL } from '../api/names.ts';
import { isForbidden, listAll, pathOf } from './kube-api.ts';
import type { KubeClient, Query } from './kube-api.ts';

const PULLERS = `${ROLE_LABEL} in (hook,continuous)`;

/** Of one namespace or of all. Nodes and events that may not be read are left out, as they may be of a saved list. */
export async function lookOnce(
  client: KubeClient,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<unknown[]> {
  const list = (path: string, query: Query): Promise<readonly unknown[]> => listAll(client, path, query, signal);
  const about = (kind: string): Promise<readonly unknown[]> =>
    unlessForbidden(list(pathOf('events', namespace), { fieldSelector: `involvedObject.kind=${kind}` }));
  return [
    { kind: 'DaemonSetList', items: await list(pathOf('daemonsets', namespace), { labelSelector: PULLERS }) },
    { kind: 'PodList', items: await list(pathOf('pods', namespace), { labelSelector: PULLERS }) },
    { kind: 'NodeList', items: await unlessForbidden(list(pathOf('nodes'), {})) },
    { kind: 'EventList', items: [...(await about('Pod')), ...(await about('DaemonSet'))] },
  ];
}

async function unlessForbidden(items: Promise<readonly unknown[]>): Promise<readonly unknown[]> {
  try {
    return await items;
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
