/** Objects of any kind to a real API server: server-side apply as Argo CD does it, and pods tried without being made. */
import type { Transport } from '../../simulator/transports.ts';

/** An object as a YAML reader gives it. */
export interface AnyObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

/** What the server said: its message, or nothing when it took the object. */
export type Refusal = string | undefined;

export interface Applier {
  /** Whether the server knows the kind; CRDs are not installed. */
  serves(object: AnyObject): Promise<boolean>;
  isNamespaced(object: AnyObject): Promise<boolean>;
  /** The object in its own namespace, which must exist. */
  apply(object: AnyObject, options?: { dryRun: boolean }): Promise<Refusal>;
  /** A pod of this template, through all of admission, and not made. */
  tryPod(namespace: string, template: object): Promise<Refusal>;
  remove(object: AnyObject): Promise<void>;
}

interface ApiResource {
  name: string;
  kind: string;
  namespaced: boolean;
}

export function createApplier(transport: Transport): Applier {
  const groups = new Map<string, Promise<ApiResource[]>>();

  async function ask(method: string, path: string, body?: unknown, contentType = 'application/json') {
    const { code, body: answer } = await transport.request({
      method,
      path,
      contentType,
      ...(body !== undefined && { body }),
    });
    return { code, answer: answer as { message?: string; resources?: ApiResource[] } };
  }

  function root(apiVersion: string): string {
    return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  }

  async function resourceOf({ apiVersion, kind }: AnyObject): Promise<ApiResource | undefined> {
    const known = groups.get(apiVersion) ?? ask('GET', root(apiVersion)).then(({ answer }) => answer.resources ?? []);
    groups.set(apiVersion, known);
    return (await known).find((resource) => resource.kind === kind && !resource.name.includes('/'));
  }

  async function pathOf(object: AnyObject): Promise<string> {
    const resource = await resourceOf(object);
    if (resource === undefined) throw new Error(`no ${object.kind} of ${object.apiVersion} is served`);
    const { name, namespace } = object.metadata;
    const scope = resource.namespaced ? `/namespaces/${namespace ?? 'default'}` : '';
    return `${root(object.apiVersion)}${scope}/${resource.name}/${name}`;
  }

  return {
    serves: async (object) => (await resourceOf(object)) !== undefined,
    isNamespaced: async (object) => (await resourceOf(object))?.namespaced === true,
    async apply(object, { dryRun } = { dryRun: false }) {
      const query = `fieldManager=argocd-controller&force=true${dryRun ? '&dryRun=All' : ''}`;
      const path = `${await pathOf(object)}?${query}`;
      const { code, answer } = await ask('PATCH', path, object, 'application/apply-patch+yaml');
      return code < 300 ? undefined : (answer.message ?? String(code));
    },
    async tryPod(namespace, template) {
      const pod = { apiVersion: 'v1', kind: 'Pod', ...template };
      const named = { ...pod, metadata: { ...(template as Partial<AnyObject>).metadata, generateName: 'tried-' } };
      const { code, answer } = await ask('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, named);
      return code < 300 ? undefined : (answer.message ?? String(code));
    },
    async remove(object) {
      await ask('DELETE', await pathOf(object));
    },
  };
}
