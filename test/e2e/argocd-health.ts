/** What Argo CD itself says of objects, as its UI shows it: health by name, from the resource tree. */
import { apiOf, demand } from './argocd-api.ts';
import type { ArgoStage } from './argocd-stage.ts';

interface TreeNode {
  kind: string;
  name: string;
  health?: { status: string; message?: string };
}

/** `Status: message` of an application's DaemonSets, by their names. */
export async function daemonSetHealth(stage: ArgoStage, app: string): Promise<Map<string, string>> {
  const { nodes = [] } = (await demand(await apiOf(stage), 'GET', app, '/resource-tree')) as { nodes?: TreeNode[] };
  return new Map(
    nodes
      .filter(({ kind }) => kind === 'DaemonSet')
      .map(({ name, health }) => [name, [health?.status, health?.message].filter(Boolean).join(': ')]),
  );
}
