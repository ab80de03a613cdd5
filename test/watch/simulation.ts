/** A cluster whose every change the test makes itself: nodes, pods of a puller and their states; and controllers that watch it. */
import { createApi } from '../../simulator/api.ts';
import { steppedClock } from '../../simulator/clock.ts';
import type { SteppedClock } from '../../simulator/clock.ts';
import { resourceNamed } from '../../simulator/resources.ts';
import { createServer } from '../../simulator/server.ts';
import type { Server } from '../../simulator/server.ts';
import { createStore, timestamp } from '../../simulator/store.ts';
import type { ApiObject, Fields, Store } from '../../simulator/store.ts';
import { IMAGES_LABEL, PREFIX, PULLED_CONDITION, ROLE_LABEL } from '../../src/api/names.ts';
import type { DaemonSet } from '../../src/verdict/snapshot.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { startController } from '../../src/watch/controller.ts';
import type { Controller, ControllerOptions } from '../../src/watch/controller.ts';
import { simulatedClient } from './simulated-client.ts';

export const NAMESPACE = 'hub';
export const IMAGES = ['registry.example/user:2', 'registry.example/tools:1'];
const START = Date.parse('2026-03-01T08:00:00Z');

/** What a pod is doing; `none` is no pod at all. */
export const POD_STATES = ['none', 'starting', 'pulling', 'half', 'pulled', 'missing', 'busy', 'full'] as const;
export type PodState = (typeof POD_STATES)[number];

export interface Simulation {
  clock: SteppedClock;
  server: Server;
  store: Store;
  /** Nodes with Ready True or False. */
  node(name: string, ready?: boolean): void;
  removeNode(name: string): void;
  /** A puller, seen by the DaemonSet controller unless told otherwise. */
  puller(
    name: string,
    options?: { role?: 'hook' | 'continuous'; tag?: string; annotations?: Record<string, string> },
  ): void;
  removePuller(name: string): void;
  /** Makes, changes or removes the puller's pod on a node. */
  pod(puller: string, node: string, state: PodState): void;
  /** The DaemonSet controller has looked: numbers and observedGeneration are those of the pods there are. */
  observe(puller: string): void;
  daemonSet(name: string): ApiObject | undefined;
  /** The condition's status with its reason, such as `True Pulled`; empty before the first. */
  condition(name: string): string;
  events(): string[];
  /** Writes by our controllers since the start. */
  writes(): { patches: number; events: number };
}

export function createSimulation(seed = 1): Simulation {
  const clock = steppedClock(START);
  const store = createStore(clock);
  const api = createApi(store, clock, { mutate: (_resource, object) => object, validate: () => undefined });
  const server = createServer({ store, api, clock, seed });
  const of = (plural: string) => resourceNamed(plural);
  for (const name of [NAMESPACE, 'prepuller']) {
    api.create(of('namespaces'), undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const exists = (plural: string, name: string) =>
    store.get(of(plural), name, plural === 'nodes' ? undefined : NAMESPACE);

  function remove(plural: string, name: string): void {
    const namespace = plural === 'nodes' ? undefined : NAMESPACE;
    if (exists(plural, name)) api.delete({ resource: of(plural), namespace, name }, { gracePeriodSeconds: 0 });
  }

  function setStatus(plural: string, name: string, status: Fields): void {
    const namespace = plural === 'nodes' ? undefined : NAMESPACE;
    const target = { resource: of(plural), namespace, name, subresource: 'status' as const };
    api.patch(target, 'application/merge-patch+json', { status });
  }

  return {
    clock,
    server,
    store,
    node(name, ready = true) {
      if (!exists('nodes', name)) {
        const metadata = { name, labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': name } };
        api.create(of('nodes'), undefined, { apiVersion: 'v1', kind: 'Node', metadata, spec: {} });
      }
      const condition = {
        type: 'Ready',
        status: ready ? 'True' : 'False',
        reason: 'Test',
        message: 'as the test says',
      };
      setStatus('nodes', name, { conditions: [{ ...condition, lastTransitionTime: timestamp(clock.now()) }] });
    },
    removeNode(name) {
      remove('nodes', name);
    },
    puller(name, options = {}) {
      const object = daemonSet(name, options);
      const before = exists('daemonsets', name);
      if (before === undefined) api.create(of('daemonsets'), NAMESPACE, object);
      else
        api.patch({ resource: of('daemonsets'), namespace: NAMESPACE, name }, 'application/merge-patch+json', object);
    },
    removePuller(name) {
      remove('daemonsets', name);
      for (const pod of store.list(of('pods'))) {
        if (pod.metadata.labels?.puller === name) remove('pods', pod.metadata.name);
      }
    },
    pod(puller, node, state) {
      const name = `${puller}-${node}`;
      const owner = exists('daemonsets', puller);
      const known = exists('pods', name);
      if (known && (state === 'none' || known.metadata.labels?.state !== state)) remove('pods', name);
      if (state === 'none' || owner === undefined) return;
      if (!exists('pods', name)) api.create(of('pods'), NAMESPACE, pod(name, { owner, node, state }));
      setStatus('pods', name, podStatus(state, timestamp(clock.now())));
    },
    observe(name) {
      const found = exists('daemonsets', name);
      if (found === undefined) return;
      const pods = store
        .list(of('pods'))
        .filter((one) => one.metadata.ownerReferences?.[0]?.uid === found.metadata.uid);
      const nodes = store.list(of('nodes')).length;
      setStatus('daemonsets', name, {
        observedGeneration: found.metadata.generation,
        desiredNumberScheduled: nodes,
        currentNumberScheduled: pods.length,
        numberMisscheduled: 0,
        numberReady: 0,
      });
    },
    daemonSet: (name) => exists('daemonsets', name),
    condition(name) {
      const conditions = (exists('daemonsets', name)?.status?.conditions ?? []) as Fields[];
      const pulled = conditions.find(({ type }) => type === PULLED_CONDITION);
      return pulled === undefined ? '' : `${pulled.status} ${pulled.reason}`;
    },
    events: () => store.list(of('events')).map(({ type, reason }) => `${String(type)} ${String(reason)}`),
    writes: () => ({
      patches: server.traffic.total({ verb: 'patch' }).requests,
      events: server.traffic.total({ verb: 'create', resource: 'events' }).requests,
    }),
  };
}

interface PullerOptions {
  role?: 'hook' | 'continuous';
  tag?: string;
  annotations?: Record<string, string>;
}

function daemonSet(name: string, { role = 'hook', tag = '2', annotations = {} }: PullerOptions): Fields {
  const containers = IMAGES.map((image, index) => ({
    name: `image-${index}`,
    image: index === 0 ? image.replace(/:2$/, `:${tag}`) : image,
    imagePullPolicy: 'IfNotPresent',
  }));
  const policy = Object.entries(annotations).map(([key, value]) => [`${PREFIX}/${key}`, value]);
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, labels: { [ROLE_LABEL]: role }, annotations: Object.fromEntries(policy) },
    spec: {
      selector: { matchLabels: { puller: name } },
      template: {
        metadata: { labels: { puller: name, [ROLE_LABEL]: role, [IMAGES_LABEL]: `digest-${tag}` } },
        spec: { containers },
      },
    },
  };
}

function pod(name: string, { owner, node, state }: { owner: ApiObject; node: string; state: PodState }): Fields {
  const { metadata, spec } = owner.spec?.template as Fields;
  const { uid, name: ownerName } = owner.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: { ...metadata.labels, state },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: ownerName, uid, controller: true }],
    },
    spec: { ...spec, ...(state === 'full' ? { affinity: affinityTo(node) } : { nodeName: node }) },
  };
}

function affinityTo(node: string): Fields {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
}

/** The state of each of the two containers. */
const CONTAINERS: Record<PodState, readonly [Fields, Fields]> = {
  none: [{}, {}],
  starting: [creating(), creating()],
  pulling: [creating(), creating()],
  half: [running(), creating()],
  pulled: [running(), running()],
  missing: [failing('not found'), running()],
  busy: [failing('429 Too Many Requests'), running()],
  full: [{}, {}],
};

function creating(): Fields {
  return { state: { waiting: { reason: 'ContainerCreating' } } };
}

function running(): Fields {
  return { state: { running: { startedAt: timestamp(START) } }, imageID: 'sha256:1' };
}

function failing(why: string): Fields {
  const message = `failed to pull and unpack image: failed to resolve reference: ${why}`;
  return { state: { waiting: { reason: 'ErrImagePull', message } } };
}

function podStatus(state: PodState, at: string): Fields {
  const condition = (type: string, status: string, more: Fields = {}) => ({
    type,
    status,
    lastTransitionTime: at,
    ...more,
  });
  if (state === 'full') {
    const why = { reason: 'Unschedulable', message: '0/3 nodes are available: 1 Too many pods.' };
    return { phase: 'Pending', conditions: [condition('PodScheduled', 'False', why)] };
  }
  return {
    phase: state === 'pulled' ? 'Running' : 'Pending',
    conditions: [
      condition('PodScheduled', 'True'),
      condition('PodReadyToStartContainers', state === 'starting' ? 'False' : 'True'),
    ],
    containerStatuses: CONTAINERS[state].map((status, index) => ({
      name: `image-${index}`,
      image: IMAGES[index],
      restartCount: 0,
      ready: false,
      imageID: '',
      ...status,
    })),
  };
}

export interface Watcher extends Controller {
  /** Every verdict it came to, newest last. */
  verdicts: { daemonSet: DaemonSet; verdict: Verdict }[];
  remarks: string[];
}

/** A replica. Without an identity it writes nothing, as `await` does. */
export function startWatcher(
  { server, clock }: Simulation,
  identity?: string,
  options: Partial<ControllerOptions> = {},
): Watcher {
  const verdicts: Watcher['verdicts'] = [];
  const remarks: string[] = [];
  const controller = startController({
    client: simulatedClient(server, clock, identity ?? 'await'),
    clock,
    random: () => 0.5,
    namespaces: undefined,
    ...(identity !== undefined && { writing: { identity, leaseNamespace: 'prepuller', leaseName: 'prepuller' } }),
    judged: (daemonSet, verdict) => void verdicts.push({ daemonSet, verdict }),
    gone: () => undefined,
    remark: (level, message, fields) => void remarks.push(`${level}: ${message} ${JSON.stringify(fields)}`),
    ...options,
  });
  return { ...controller, verdicts, remarks };
}

/** Nodes a, b, c and a puller whose pods are all at work. */
export function threeNodes(state: PodState = 'pulling', role: 'hook' | 'continuous' = 'hook'): Simulation {
  const simulation = createSimulation();
  for (const name of ['a', 'b', 'c']) simulation.node(name);
  simulation.puller('pull', { role });
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, state);
  simulation.observe('pull');
  return simulation;
}

/** Stops it while time goes on, as it does for a process that ends. */
export async function stopWatcher({ clock }: Simulation, watcher: Watcher): Promise<void> {
  let ended = false;
  const stopping = watcher.stop().then(() => {
    ended = true;
  });
  while (!ended) await clock.advance(100);
  await stopping;
}
