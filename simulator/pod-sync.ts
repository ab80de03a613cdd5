/**
 * The kubelet's passes over a pod (SyncPod in pkg/kubelet/kuberuntime): image volumes, then init containers one by one, then the
 * regular ones; a failure of one keeps it waiting in its own time and, unless it is an init container, none of the others.
 */
import type { Clock } from './clock.ts';
import type { StartOutcome, Starter } from './container-start.ts';
import { createStarter } from './container-start.ts';
import { fieldsAt } from './fields.ts';
import type { EnsureImage, EventWriter, Missing } from './image-pull.ts';
import { createImagePuller } from './image-pull.ts';
import type { NodeImages } from './node-images.ts';
import type { ContainerState } from './pod-status.ts';
import { isCompleted, isRunning } from './pod-status.ts';
import type { ApiObject, Fields } from './store.ts';

export interface PodSync {
  clock: Clock;
  pod: ApiObject;
  containers: readonly ContainerState[];
  images: NodeImages;
  startOf: (image: string) => StartOutcome;
  /** Events about the pod, or about one of its containers. */
  tell: (container?: ContainerState) => EventWriter;
  report: () => void;
  /** False: the pod is over, or is being deleted. */
  sleep: (milliseconds: number) => Promise<boolean>;
  isOver: () => boolean;
}

interface Tools {
  ensure: EnsureImage;
  starter: Starter;
}

const INIT_RUNS = 500;

/** Comes back when every container is where it should be, or the pod is over. */
export async function syncPod(sync: PodSync): Promise<void> {
  const { clock, pod, images, startOf } = sync;
  const tools = { ensure: createImagePuller(clock, images), starter: createStarter(clock, pod, startOf) };
  for (;;) {
    const waits = await pass(sync, tools);
    if (sync.isOver()) return;
    sync.report();
    if (waits.length === 0 || !(await sync.sleep(Math.min(...waits)))) return;
  }
}

/** One pass: how long each container that is not where it should be has to wait. */
async function pass(sync: PodSync, tools: Tools): Promise<number[]> {
  const waits: number[] = [];
  const unmounted = await pullVolumes(sync, tools.ensure);
  for (const container of sync.containers) {
    if (sync.isOver()) return [];
    if (container.init ? isCompleted(container) : isRunning(container)) continue;
    const wait = await attempt(sync, tools, container, unmounted);
    if (wait !== undefined) waits.push(wait);
    else if (container.init && !(await complete(sync, container))) return [];
    if (container.init && !isCompleted(container)) break;
  }
  return waits;
}

/** Undefined: the container runs. */
async function attempt(
  { pod, tell }: PodSync,
  { ensure, starter }: Tools,
  container: ContainerState,
  unmounted: ReadonlyMap<string, Missing>,
): Promise<number | undefined> {
  const spec = specOf(pod, container);
  const write = tell(container);
  const crash = starter.crashWait(container, write);
  if (crash > 0) return crash;
  const volumes = ((spec.volumeMounts ?? []) as { name: string }[]).map(({ name }) => unmounted.get(name));
  const policy = (spec.imagePullPolicy as string | undefined) ?? 'IfNotPresent';
  const missing =
    volumes.find((one) => one !== undefined) ?? (await ensure({ image: container.image, policy, tell: write }));
  if (missing === undefined) return starter.start(container, write);
  const { reason, message, wait } = missing;
  write('Warning', 'Failed', `Error: ${reason}`);
  container.state = { waiting: { reason, message } };
  return wait;
}

function specOf({ spec = {} }: ApiObject, { init, name }: ContainerState): Fields {
  const list = (init ? spec.initContainers : spec.containers) as Fields[];
  return list.find((one) => one.name === name) ?? {};
}

/** Image volumes that cannot be had now, by the volume's name; the containers that mount them wait. */
async function pullVolumes({ pod, tell }: PodSync, ensure: EnsureImage): Promise<Map<string, Missing>> {
  const unmounted = new Map<string, Missing>();
  for (const { name, image } of (pod.spec?.volumes ?? []) as { name: string; image?: Fields }[]) {
    if (image === undefined) continue;
    const policy = (image.pullPolicy as string | undefined) ?? 'IfNotPresent';
    const missing = await ensure({ image: image.reference as string, policy, tell: tell() });
    if (missing !== undefined) unmounted.set(name, missing);
  }
  return unmounted;
}

async function complete(sync: PodSync, container: ContainerState): Promise<boolean> {
  sync.report();
  const { startedAt } = fieldsAt(container.state, 'running') as { startedAt: string };
  if (!(await sync.sleep(INIT_RUNS))) return false;
  const { containerID } = container;
  container.state = { terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt: startedAt, containerID } };
  sync.report();
  return true;
}
