/** What one test works with on a control plane that others use too: a namespace, nodes of its own, pullers on these nodes. */
import { createApiClient } from '../../simulator/api-client.ts';
import type { ApiClient } from '../../simulator/api-client.ts';
import type { NodeSpec } from '../../simulator/node-object.ts';
import type { NodeSwitches } from '../../simulator/node-switches.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import type { Transport } from '../../simulator/transports.ts';
import {
  IMAGES_LABEL,
  OBSERVED_GENERATION_CONDITION,
  PREFIX,
  PULLED_CONDITION,
  ROLE_LABEL,
} from '../../src/api/names.ts';
import { PROGRAM } from '../testbed/reconciler.ts';
import { pause, until } from '../testbed/until.ts';

/** Graces short enough for a test, long enough for a busy machine; by the annotations that say so. */
export const SHORT_POLICY: Readonly<Record<string, string>> = annotations({
  'scheduling-grace': '5s',
  'rejection-grace': '3s',
  'network-grace': '5s',
  'missing-image-window': '5s',
  deadline: '60s',
});

function annotations(policy: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(policy).map(([name, value]) => [`${PREFIX}/${name}`, value]));
}

export interface PullerSpec {
  name?: string;
  role?: 'hook' | 'continuous';
  images?: readonly string[];
  /** Of the policy, by their parameters' names, over those of the suite. */
  policy?: Record<string, string>;
  /** Fields of the pod's spec. */
  pod?: Fields;
  finalizers?: string[];
}

/** The condition as it stands, for the generation it is about. */
export interface Stated {
  status: string;
  reason: string;
  message: string;
  generation: number;
}

export interface Scene {
  namespace: string;
  /** The path of the program that is tried. */
  program: string;
  client: ApiClient;
  nodes: NodeSwitches;
  /** For what the client has no resource for; throws when refused. */
  raw(method: 'POST' | 'DELETE', path: string, body?: Fields): Promise<void>;
  /** Nodes that the scene's pullers select, called NAMESPACE-n. */
  join(n: string, spec?: Omit<NodeSpec, 'name'>): Promise<string>;
  /** Creates a puller, or changes the template of the one that is there. */
  puller(spec?: PullerSpec): Promise<ApiObject>;
  get(name?: string): Promise<ApiObject>;
  remove(name?: string, propagation?: 'Foreground' | 'Background'): Promise<void>;
  /** A pod that only takes room on a node; resolves when it has it. */
  fill(node: string, spec?: Fields): Promise<string>;
  stated(name?: string): Promise<Stated | undefined>;
  /** So many pods of the namespace pull, or have pulled: the one sign of it is an event. */
  pulling(pods: number): Promise<void>;
  /** True or False for the newest generation. */
  verdict(name?: string, within?: number): Promise<Stated>;
  /** Holds at every look for so long. */
  stays(what: string, look: () => Promise<boolean>, milliseconds: number): Promise<void>;
  tidy(): Promise<void>;
}

const PULLER = 'hook-image-puller';

export async function setScene(namespace: string, transport: Transport, nodes: NodeSwitches): Promise<Scene> {
  const client = createApiClient(transport);
  const names = new Set<string>();
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const account = { resource: 'serviceaccounts', namespace, name: 'default' };
  await until('the namespace has its ServiceAccount', async () => (await client.get(account)).metadata.name);
  const refTo = (name: string) => ({ resource: 'daemonsets', namespace, name });
  const get = (name = PULLER): Promise<ApiObject> => client.get(refTo(name));
  const stated = async (name = PULLER): Promise<Stated | undefined> => statedOn(await get(name));
  return {
    namespace,
    program: PROGRAM,
    client,
    nodes,
    get,
    stated,
    async raw(method, path, body) {
      const { code } = await transport.request({ method, path, contentType: 'application/json', body });
      if (code >= 300) throw new Error(`${method} ${path} answered ${code}`);
    },
    async join(n, spec = {}) {
      const name = `${namespace}-${n}`;
      names.add(name);
      await joinNode(client, nodes, { ...spec, name, labels: { scene: namespace, ...spec.labels } });
      return name;
    },
    async puller(spec = {}) {
      const object = pullerObject(namespace, spec);
      const known = await get(spec.name).catch(() => undefined);
      if (known === undefined) return client.create(object);
      return client.patch(refTo(known.metadata.name), { spec: { template: object.spec?.template as Fields } });
    },
    async remove(name = PULLER, propagationPolicy = 'Background') {
      await client.delete(refTo(name), { propagationPolicy });
    },
    async pulling(pods) {
      await until(`${pods} pods pull`, async () => {
        const { items } = await client.list('events', { namespace, fieldSelector: 'reason=Pulling' });
        return new Set(items.map(({ involvedObject }) => (involvedObject as { uid: string }).uid)).size >= pods;
      });
    },
    fill: (node, spec) => fill({ namespace, client }, node, spec),
    verdict: (name, within = 40_000) =>
      until(
        `puller ${name ?? PULLER} of ${namespace} has its verdict`,
        async () => {
          const object = await get(name);
          const said = statedOn(object);
          const isOfNow = said?.generation === object.metadata.generation;
          return isOfNow && said?.status !== 'Unknown' ? said : undefined;
        },
        { within },
      ),
    async stays(what, look, milliseconds) {
      const end = performance.now() + milliseconds;
      while (performance.now() < end) {
        if (!(await look())) throw new Error(`no longer so: ${what}`);
        await pause(250);
      }
    },
    async tidy() {
      for (const name of names) await nodes.remove(name).catch(() => undefined);
      await client.delete({ resource: 'namespaces', name: namespace });
    },
  };
}

/** Resolves when DaemonSets count the node in. */
export async function joinNode(client: ApiClient, nodes: NodeSwitches, spec: NodeSpec): Promise<void> {
  await nodes.add(spec);
  // Admission taints every new node as not ready; until that is taken away DaemonSets leave it out.
  await until('the node counts as ready', async () => {
    const node = await client.get({ resource: 'nodes', name: spec.name });
    return !JSON.stringify(node.spec?.taints ?? []).includes('not-ready');
  });
}

function statedOn({ status = {} }: ApiObject): Stated | undefined {
  const conditions = (status.conditions ?? []) as { type: string; status: string; reason: string; message: string }[];
  const pulled = conditions.find(({ type }) => type === PULLED_CONDITION);
  const observed = conditions.find(({ type }) => type === OBSERVED_GENERATION_CONDITION);
  if (pulled === undefined || observed === undefined) return undefined;
  const { status: state, reason, message } = pulled;
  return { status: state, reason, message, generation: Number(observed.reason.replace('Generation', '')) };
}

/** The shape that generate writes: the label of the images on the template, one container an image, no grace period. */
function pullerObject(namespace: string, spec: PullerSpec): ApiObject {
  const { name = PULLER, role = 'hook', images = ['registry.test/lab:1'], policy = {}, pod = {}, finalizers } = spec;
  const digest = images.join('_').replaceAll(/[^A-Za-z0-9]/g, '-');
  const labels = { puller: name, [ROLE_LABEL]: role, [IMAGES_LABEL]: digest.slice(-60) };
  const containers = images.map((image, index) => ({
    name: `pull-${index}`,
    image,
    command: ['/bin/sh', '-c', 'sleep 1000000'],
  }));
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      name,
      namespace,
      labels: { [ROLE_LABEL]: role },
      annotations: { ...SHORT_POLICY, ...annotations(policy) },
      ...(finalizers !== undefined && { finalizers }),
    },
    spec: {
      selector: { matchLabels: { puller: name } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } },
      template: {
        metadata: { labels },
        spec: { terminationGracePeriodSeconds: 0, nodeSelector: { scene: namespace }, containers, ...pod },
      },
    },
  } as unknown as ApiObject;
}

let fillers = 0;

/** A pod that only takes room on a node; resolves when it has it. */
export async function fill(
  { namespace, client }: Pick<Scene, 'namespace' | 'client'>,
  node: string,
  spec: Fields = {},
): Promise<string> {
  fillers += 1;
  const name = `filler-${fillers}`;
  await client.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: {
      nodeSelector: { 'kubernetes.io/hostname': node },
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'filler', image: 'registry.test/filler:1' }],
      ...spec,
    },
  });
  await until('the filler has its place', async () => {
    const pod = await client.get({ resource: 'pods', namespace, name });
    return pod.spec?.nodeName === node && pod.status?.phase === 'Running';
  });
  return name;
}
