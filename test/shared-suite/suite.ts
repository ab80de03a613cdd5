/**
 * Cases about what a cluster does with pullers, written once: they run on the simulated cluster and on a real control plane,
 * and look at nothing but API objects. Whoever runs them gives a SuiteCluster.
 */
import assert, { AssertionError } from 'node:assert/strict';
import type { ApiClient } from '../../simulator/api-client.ts';
import { ApiError } from '../../simulator/errors.ts';
import { targetNode } from '../../simulator/node-fit.ts';
import type { PullOutcome, PullRequest } from '../../simulator/node-images.ts';
import type { NodeSwitches } from '../../simulator/node-switches.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';

export interface SuiteCluster {
  /** With every right. */
  client: ApiClient;
  /** Scripted nodes, whose registry is `suiteRegistry`. */
  nodes: NodeSwitches;
  /** Lets so many milliseconds of the cluster's time pass. */
  wait: (milliseconds: number) => Promise<void>;
  /** Makes the server forget versions that are not the newest, so that what reads from them is told to begin anew. */
  forgetHistory: () => Promise<void>;
}

export interface Case {
  name: string;
  /** In a namespace of its own that exists and is empty; nodes it adds carry `suite: <namespace>` and are removed afterwards. */
  run: (bench: Bench) => Promise<void>;
}

/** What one case works with. */
export interface Bench extends SuiteCluster {
  namespace: string;
  /** A node of this case, `n` becoming `<namespace>-n`. */
  addNode(n: string, spec?: Omit<Parameters<NodeSwitches['add']>[0], 'name'>): Promise<string>;
}

export const GOOD = 'registry.test/nb:1';
export const OTHER = 'registry.test/nb:2';
export const SLOW = 'registry.test/slow:1';
export const MISSING = 'registry.test/nb:missing';

/** The registry of every case: what an image does is in its name. */
export function suiteRegistry({ image }: PullRequest): PullOutcome {
  if (image === MISSING) return { takes: 200, error: 'missing' };
  return { takes: image === SLOW ? 15_000 : 300 };
}

/** A puller of the case's namespace that runs on the case's nodes. */
export function puller(namespace: string, name: string, image: string, changes: PullerChanges = {}): Fields {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 0,
          nodeSelector: { suite: namespace },
          containers: [{ name: 'pull-0', image, command: ['/bin/sh', '-c', 'sleep 1000000'] }],
          ...changes.pod,
        },
      },
      ...changes.spec,
    },
  };
}

export interface PullerChanges {
  /** Fields of the pod's spec. */
  pod?: Fields;
  /** Fields of the DaemonSet's spec. */
  spec?: Fields;
}

/** A pod that only takes room on a node. */
export function filler(namespace: string, name: string, node: string, spec: Fields = {}): Fields {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { filler: 'true' } },
    spec: {
      nodeSelector: { 'kubernetes.io/hostname': node },
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'pause', image: GOOD }],
      ...spec,
    },
  };
}

const LONGEST = 90_000;
const STEP = 500;

/** Tries again until it holds, at most for a minute and a half of the cluster's time. */
export async function eventually<T>(
  cluster: Pick<SuiteCluster, 'wait'>,
  check: () => Promise<T>,
  longest = LONGEST,
): Promise<T> {
  for (let waited = 0; ; waited += STEP) {
    try {
      return await check();
    } catch (error) {
      const expected = error instanceof AssertionError || error instanceof ApiError;
      if (!expected || waited >= longest) throw error;
      await cluster.wait(STEP);
    }
  }
}

/** The numbers of a DaemonSet's status, those that Go leaves out as 0. */
export interface Counts {
  desired: number;
  current: number;
  ready: number;
  updated: number;
  misscheduled: number;
}

export function countsOf({ status = {} }: ApiObject): Counts {
  const number = (field: string): number => (status[field] as number | undefined) ?? 0;
  return {
    desired: number('desiredNumberScheduled'),
    current: number('currentNumberScheduled'),
    ready: number('numberReady'),
    updated: number('updatedNumberScheduled'),
    misscheduled: number('numberMisscheduled'),
  };
}

export function getPuller({ client, namespace }: Bench, name: string): Promise<ApiObject> {
  return client.get({ resource: 'daemonsets', namespace, name });
}

/** Waits until the puller's status shows these numbers for its present generation. */
export function expectCounts(bench: Bench, name: string, wanted: Partial<Counts>): Promise<ApiObject> {
  return eventually(bench, async () => {
    const daemonSet = await getPuller(bench, name);
    assert.equal(daemonSet.status?.observedGeneration, daemonSet.metadata.generation, 'observedGeneration');
    const found = countsOf(daemonSet);
    assert.deepEqual({ ...found, ...wanted }, found);
    return daemonSet;
  });
}

/** The puller's pods by node, also those that are bound to none yet. */
export async function podsOf({ client, namespace }: Bench, name: string): Promise<Map<string, ApiObject>> {
  const { items } = await client.list('pods', { namespace, labelSelector: `app=${name}` });
  return new Map(items.map((pod) => [targetNode(pod) ?? '', pod]));
}

/** Messages of events about an object, by reason. */
export async function eventsAbout({ client, namespace }: Bench, name: string, reason: string): Promise<string[]> {
  const fieldSelector = `involvedObject.name=${name},reason=${reason}`;
  const { items } = await client.list('events', { namespace, fieldSelector });
  return items.map(({ message }) => message as string);
}

/** The refusal a request must meet. */
export async function refusal(request: Promise<unknown>): Promise<ApiError> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, 'the request should have been refused');
  return error;
}

/** Runs one case in a namespace of its own and takes its nodes away again. */
export async function runCase(cluster: SuiteCluster, { run }: Case, namespace: string): Promise<void> {
  const nodes = new Set<string>();
  const { client } = cluster;
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await eventually(cluster, () => client.get({ resource: 'serviceaccounts', namespace, name: 'default' }));
  const bench: Bench = {
    ...cluster,
    namespace,
    async addNode(n, spec = {}) {
      const name = `${namespace}-${n}`;
      nodes.add(name);
      await cluster.nodes.add({ ...spec, name, labels: { suite: namespace, ...spec.labels } });
      return name;
    },
  };
  try {
    await run(bench);
  } finally {
    for (const name of nodes) await cluster.nodes.remove(name).catch(() => undefined);
    await client.delete({ resource: 'namespaces', name: namespace });
  }
}
