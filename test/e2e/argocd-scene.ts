/** What one test of Argo CD works with: a repository, an Application and its namespace, nodes of its own, and the timeline of it all. */
import type { ApiClient } from '../../simulator/api-client.ts';
import type { NodeSpec } from '../../simulator/node-object.ts';
import type { NodeSwitches } from '../../simulator/node-switches.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import type { Transport } from '../../simulator/transports.ts';
import { ARGOCD } from '../testbed/argocd-install.ts';
import type { Repository } from '../testbed/argocd-repository.ts';
import { until } from '../testbed/until.ts';
import type { AppOptions, HubRegistry } from './argocd-hub.ts';
import { applicationOf, USERS_ONLY, valuesOf } from './argocd-hub.ts';
import type { Timeline } from './argocd-timeline.ts';
import { fill, joinNode } from './scene.ts';

/** Argo CD's status.operationState, as far as tests look. */
export interface Operation {
  phase: string;
  message: string;
  startedAt: string;
  finishedAt?: string;
  retryCount?: number;
  syncResult?: { revision: string; resources?: Fields[] };
}

export interface HubScene {
  /** Of the Application, the release, the namespace, and the label of its nodes. */
  name: string;
  client: ApiClient;
  nodes: NodeSwitches;
  registry: HubRegistry;
  repository: Repository;
  timeline: Timeline;
  /** A node for users, called NAME-n. */
  join(n: string, spec?: Omit<NodeSpec, 'name'>): Promise<string>;
  /** A node for users that holds as many pods as it may. */
  joinFull(n: string): Promise<string>;
  /** Commits the hub's values with this tag of the users' image, and whatever else; the commit's hash. */
  commit(tag: string, more?: Fields): Promise<string>;
  /** Makes the Application, or changes its spec. */
  apply(options?: AppOptions): Promise<void>;
  app(): Promise<ApiObject>;
  /** Makes Argo CD look at git now, as a webhook would. */
  refresh(kind?: 'normal' | 'hard'): Promise<void>;
  /** Asks for a sync, as a person does in the UI; fields of `operation.sync` beside. */
  begin(sync?: Fields): Promise<void>;
  /** The next operation that is over, seen from the last one this gave. */
  ended(within?: number): Promise<Operation>;
  /** Waits until the app is Synced and nothing runs; what ended before counts as seen. Under load Argo CD heals what it has not seen yet. */
  atRest(): Promise<void>;
  /** Begins one and waits for its end. */
  sync(sync?: Fields, within?: number): Promise<Operation>;
  /** The running operation, once it is such. */
  running(what: string, look: (operation: Operation, hook: string) => boolean, within?: number): Promise<Operation>;
  /** etcd's revision now: what the timeline is asked for since. */
  now(): Promise<number>;
  find(resource: string, name: string): Promise<ApiObject | undefined>;
}

export interface SceneParts {
  client: ApiClient;
  transport: Transport;
  nodes: NodeSwitches;
  registry: HubRegistry;
  repository: Repository;
  timeline: Timeline;
}

const APPLICATIONS = `/apis/argoproj.io/v1alpha1/namespaces/${ARGOCD}/applications`;

export function setHubScene(name: string, parts: SceneParts): HubScene {
  const { client, transport, nodes, repository, timeline } = parts;
  let lastEnd = 0;
  const ask = async (method: string, path: string, body?: Fields): Promise<ApiObject> => {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { code, body: answer } = await transport.request({ method, path, contentType, ...(body && { body }) });
    if (code >= 300) throw new Error(`${method} ${path} answered ${code}: ${JSON.stringify(answer)}`);
    return answer as ApiObject;
  };
  const app = (): Promise<ApiObject> => ask('GET', `${APPLICATIONS}/${name}`);
  const change = async (patch: Fields): Promise<void> => {
    await ask('PATCH', `${APPLICATIONS}/${name}`, patch);
  };
  const operation = async (): Promise<Operation | undefined> =>
    (await app()).status?.operationState as Operation | undefined;
  const scene: HubScene = {
    name,
    ...parts,
    async join(n, spec = {}) {
      const node = `${name}-${n}`;
      const taints = [USERS_ONLY, ...(spec.taints ?? [])];
      await joinNode(client, nodes, { ...spec, name: node, taints, labels: { scene: name, ...spec.labels } });
      return node;
    },
    async joinFull(n) {
      const node = await scene.join(n, { pods: 1 });
      const { key, value, effect } = USERS_ONLY;
      await fill({ namespace: 'default', client }, node, { tolerations: [{ key, value, effect, operator: 'Equal' }] });
      return node;
    },
    commit: (tag, more) => repository.commit({ 'hub/values.yaml': valuesOf(name, tag, more) }, `Lab ${tag}`),
    async apply(options = {}) {
      const wanted = applicationOf(name, repository.url, options);
      const isThere = await app().then(
        () => true,
        () => false,
      );
      // A merge leaves what is not named: the other kind of source would stand beside.
      const source = { helm: null, plugin: null, ...(wanted.spec as Fields).source };
      await (isThere ? change({ spec: { ...(wanted.spec as Fields), source } }) : ask('POST', APPLICATIONS, wanted));
    },
    app,
    refresh: (kind = 'normal') => change({ metadata: { annotations: { 'argocd.argoproj.io/refresh': kind } } }),
    async begin(sync = {}) {
      const { syncOptions, retry } = (await app()).spec?.syncPolicy as Fields;
      const asked = { initiatedBy: { username: 'somebody' }, sync: { syncOptions, ...sync }, ...(retry && { retry }) };
      await change({ operation: asked });
    },
    async ended(within = 60_000) {
      const over = await until(`an operation of ${name} is over`, () => nextEnd(timeline, lastEnd), { within });
      lastEnd = over.revision;
      return over.operation;
    },
    async atRest() {
      await until(`${name} is at rest`, async () => {
        const { operation: asked, status = {} } = await app();
        return asked === undefined && status.sync?.status === 'Synced' && status.operationState?.phase !== 'Running';
      });
      lastEnd = await scene.now();
    },
    async sync(sync, within) {
      await scene.begin(sync);
      return scene.ended(within);
    },
    running: (what, look, within = 30_000) =>
      until(
        `${name}: ${what}`,
        async () => {
          const state = await operation();
          return state?.phase === 'Running' && look(state, timeline.said(state.startedAt).at(-1)?.hook ?? '') && state;
        },
        { within, every: 250 },
      ),
    async now() {
      const { metadata } = await client.list('namespaces', { limit: 1 });
      return Number(metadata.resourceVersion);
    },
    find: (resource, object) => client.get({ resource, namespace: name, name: object }).catch(() => undefined),
  };
  return scene;
}

/** The first end after a revision. One may stand for moments only, when Argo CD begins the next operation at once. */
function nextEnd(timeline: Timeline, since: number): { operation: Operation; revision: number } | undefined {
  const states = timeline.moments().map(({ object, revision }) => {
    const isFree = object.kind === 'Application' && object.operation === undefined;
    return { operation: isFree ? (object.status?.operationState as Operation | undefined) : undefined, revision };
  });
  const before = states.findLast(({ operation, revision }) => operation !== undefined && revision <= since);
  const isNew = (one: Operation): boolean => one.finishedAt !== undefined && !isSame(one, before?.operation);
  const end = states.find(({ operation, revision }) => revision > since && operation !== undefined && isNew(operation));
  return end as { operation: Operation; revision: number } | undefined;
}

function isSame(one: Operation, other: Operation | undefined): boolean {
  return one.startedAt === other?.startedAt && one.finishedAt === other.finishedAt && one.phase === other.phase;
}
