/** argocd-server as its UI and CLI use it: terminate, roll back, delete, and actions on a puller; one server a stage, started when first asked. */
import type { Fields } from '../../simulator/store.ts';
import { ARGOCD } from '../testbed/argocd-install.ts';
import { until } from '../testbed/until.ts';
import type { ArgoStage } from './argocd-stage.ts';

export interface ArgoApi {
  /** What the server answers to a request on an Application; `path` begins after its name. */
  ask(method: string, app: string, path?: string, body?: unknown): Promise<{ code: number; body: Fields }>;
}

/** Throws with the server's words where it does not answer 200. */
export async function demand(api: ArgoApi, ...asked: Parameters<ArgoApi['ask']>): Promise<Fields> {
  const { code, body } = await api.ask(...asked);
  if (code !== 200) throw new Error(`${asked.slice(0, 3).join(' ')}: ${code} ${JSON.stringify(body)}`);
  return body;
}

export function createArgoApi(url: string, token?: string): ArgoApi {
  return {
    async ask(method, app, path = '', body) {
      const response = await fetch(`${url}/api/v1/applications/${app}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { code: response.status, body: (await response.json()) as Fields };
    },
  };
}

const apis = new WeakMap<ArgoStage, Promise<ArgoApi>>();

/** Everybody may do everything. */
export function apiOf(stage: ArgoStage): Promise<ArgoApi> {
  const api = apis.get(stage) ?? stage.argo.startServer().then((url) => createArgoApi(url));
  apis.set(stage, api);
  return api;
}

/** Ends the running operation, as the button does; only one that has begun can be ended. */
export async function terminate(stage: ArgoStage, app: string): Promise<void> {
  const api = await apiOf(stage);
  await until(`${app} is terminated`, async () => (await api.ask('DELETE', app, '/operation')).code === 200);
}

const APPLICATIONS = `/apis/argoproj.io/v1alpha1/namespaces/${ARGOCD}/applications`;

/** Changes an Application as kubectl would, by a merge patch. */
export async function patchApp({ plane }: ArgoStage, app: string, patch: Fields): Promise<void> {
  const asked = { method: 'PATCH', path: `${APPLICATIONS}/${app}`, contentType: 'application/merge-patch+json' };
  const { code, body } = await plane.transportFor('admin').request({ ...asked, body: patch });
  if (code !== 200) throw new Error(`${app} cannot be changed: ${JSON.stringify(body)}`);
}
