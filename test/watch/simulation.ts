/** A cluster whose every change the test makes itself: nodes, pods of a puller and their states. */
import { createApi } from '../../simulator/api.ts';
import { steppedClock } from '../../simulator/clock.ts';
import type { Clock, SteppedClock } from '../../simulator/clock.ts';
import { resourceNamed } from '../../simulator/resources.ts';
import { createServer } from '../../simulator/server.ts';
import type { Server } from '../../simulator/server.ts';
import { createStore, timestamp } from '../../simulator/store.ts';
import type { ApiObject, Fields, Store } from '../../simulator/store.ts';
import { PULLED_CONDITION } from '../../src/api/names.ts';
import { daemonSet, pod, podStatus, START } from './puller-objects.ts';
import type { PodState, PullerOptions } from './puller-objects.ts';

export const NAMESPACE = 'hub';
export interface Simulation<C extends Clock = SteppedClock> {
  clock: C;
  server: Server;
  store: Store;
  /** Nodes with Ready True or False. */
  node(name: string, ready?: boolean): void;
  removeNode(name: string): void;
  /** A puller, seen by the DaemonSet controller unless told otherwise. */
  puller(name: string, options?: PullerOptions): void;
  removePuller(name: string): void;
  /** Makes, changes or removes the puller's pod on a node. */
  pod(puller: string, node: string, state: PodState): void;
  /** The DaemonSet controller has looked: numbers and observedGeneration are those of the pods there are. */
  observe(puller: string): void;
  create(plural: string, namespace: string | undefined, object: Fields): void;
  annotate(plural: string, name: string, annotations: Record<string, string>): void;
  daemonSet(name: string): ApiObject | undefined;
  /** The condition's status with its reason, such as `True Pulled`; empty before the first. */
  condition(name: string): string;
  events(): string[];
  /** Writes by our controllers since the start. */
  writes(): { patches: number; events: number };
}

export function createSimulation(): Simulation {
  return simulate(steppedClock(START));
}

/** On any clock. */
export function simulate<C extends Clock>(clock: C): Simulation<C> {
  const store = createStore(clock);
  const api = createApi(store, clock, { mutate: (_resource, object) => object, validate: () => undefined });
  const server = createServer({ store, api, clock, seed: 1 });
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
    create(plural, namespace, object) {
      api.create(of(plural), namespace, object);
    },
    annotate(plural, name, annotations) {
      const target = { resource: of(plural), namespace: NAMESPACE, name };
      api.patch(target, 'application/merge-patch+json', { metadata: { annotations } });
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

/** Nodes a, b, c and a puller whose pods are all at work. */
export function threeNodes(state: PodState = 'pulling', role: 'hook' | 'continuous' = 'hook'): Simulation {
  const simulation = createSimulation();
  for (const name of ['a', 'b', 'c']) simulation.node(name);
  simulation.puller('pull', { role });
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, state);
  simulation.observe('pull');
  return simulation;
}
