/**
 * What a kubelet writes of a pod while it pulls, written once: the cases run on the simulator's scripted nodes and on a real one,
 * and look at nothing but API objects.
 */
import assert from 'node:assert/strict';
import type { ApiClient } from '../../simulator/api-client.ts';
import { conditionOf } from '../../simulator/pod-conditions.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { eventually } from './suite.ts';

export interface KubeletBench {
  client: ApiClient;
  namespace: string;
  /** A node that pulls what it does not have. */
  node: string;
  /** The slow one is not on the node and takes ten seconds or more. */
  images: { quick: string; slow: string; missing: string };
  wait: (milliseconds: number) => Promise<void>;
}

export interface KubeletCase {
  name: string;
  /** In a namespace that exists and has no pod called `pulls`. */
  run: (bench: KubeletBench) => Promise<void>;
}

const NAME = 'pulls';

async function start({ client, namespace, node }: KubeletBench, spec: Fields): Promise<void> {
  await client.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: NAME, namespace },
    spec: { nodeName: node, terminationGracePeriodSeconds: 0, ...spec },
  });
}

function stays(name: string, image: string): Fields {
  return { name, image, command: ['/bin/sh', '-c', 'sleep 1000000'] };
}

function ends(name: string, image: string): Fields {
  return { name, image, command: ['/bin/sh', '-c', 'exit 0'] };
}

function podOf({ client, namespace }: KubeletBench): Promise<ApiObject> {
  return client.get({ resource: 'pods', namespace, name: NAME });
}

function sandbox(pod: ApiObject): string | undefined {
  return conditionOf(pod, 'PodReadyToStartContainers')?.status;
}

/** `running`, or the reason of what else it is. */
function states({ status = {} }: ApiObject, list = 'containerStatuses'): string[] {
  return ((status[list] ?? []) as { state: Record<string, Fields> }[]).map(({ state }) => {
    const [[kind, what] = ['none', {}]] = Object.entries(state);
    return (what.reason as string | undefined) ?? kind;
  });
}

/** Waits until the event tells that the pull of an image has begun. */
async function pulling(bench: KubeletBench, image: string): Promise<void> {
  const { client, namespace } = bench;
  await eventually(bench, async () => {
    const { items } = await client.list('events', { namespace, fieldSelector: 'reason=Pulling' });
    assert.ok(items.some(({ message }) => message === `Pulling image "${image}"`));
  });
}

async function firstRound(bench: KubeletBench): Promise<void> {
  const { quick, slow } = bench.images;
  await start(bench, { containers: [stays('a', quick), stays('b', slow)] });
  await pulling(bench, slow);
  await bench.wait(3_000);
  const meanwhile = await podOf(bench);
  assert.equal(sandbox(meanwhile), 'False');
  assert.equal(meanwhile.status?.podIP, undefined);
  assert.deepEqual(states(meanwhile), ['ContainerCreating', 'ContainerCreating']);
  await eventually(bench, async () => {
    const pod = await podOf(bench);
    assert.equal(sandbox(pod), 'True');
    assert.deepEqual(states(pod), ['running', 'running']);
  });
}

async function failedRound(bench: KubeletBench): Promise<void> {
  await start(bench, { containers: [stays('a', bench.images.missing)] });
  await eventually(bench, async () => {
    const pod = await podOf(bench);
    assert.match(states(pod).join(), /^(ErrImagePull|ImagePullBackOff)$/);
    assert.equal(sandbox(pod), 'True');
    assert.notEqual(pod.status?.podIP, undefined);
  });
}

async function initChain(bench: KubeletBench): Promise<void> {
  const { quick, slow } = bench.images;
  await start(bench, { initContainers: [ends('a', quick), ends('b', slow)], containers: [stays('c', quick)] });
  await pulling(bench, slow);
  await bench.wait(3_000);
  const meanwhile = await podOf(bench);
  assert.equal(sandbox(meanwhile), 'True');
  assert.deepEqual(states(meanwhile, 'initContainerStatuses'), ['Completed', 'PodInitializing']);
  await eventually(bench, async () => {
    assert.deepEqual(states(await podOf(bench)), ['running']);
  });
}

export const KUBELET_CASES: readonly KubeletCase[] = [
  { name: 'first pulls show in one event and nowhere else, the sandbox neither', run: firstRound },
  { name: 'a round of pulls that failed shows the sandbox', run: failedRound },
  { name: 'an init container that is through shows while the next image is pulled', run: initChain },
];
