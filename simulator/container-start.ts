/**
 * One attempt to get a container going: its image by the pull policy, then the start, each with its events and back-off
 * (pkg/kubelet/images/image_manager.go, pkg/kubelet/kuberuntime). Answers what the container's state is afterwards.
 */
import type { Backoff } from './backoff.ts';
import { createBackoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { NodeImages } from './node-images.ts';
import type { ContainerState } from './pod-status.ts';
import { goDuration } from './pod-status.ts';
import { invalidReference, NO_SHELL } from './pull-errors.ts';
import type { ApiObject, Fields } from './store.ts';
import { timestamp } from './store.ts';

/** How a container behaves once its image is there. */
export type StartOutcome = 'runs' | 'noShell' | 'wrongBinary' | 'runsAsRoot';

export type EventWriter = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

export interface StartParts {
  clock: Clock;
  pod: ApiObject;
  images: NodeImages;
  startOf: (image: string) => StartOutcome;
  /** Events about one container. */
  tell: (container: ContainerState) => EventWriter;
}

export interface Starter {
  /** Milliseconds until the next attempt makes sense; undefined when the container needs none. */
  attempt(container: ContainerState): Promise<number | undefined>;
}

const IMAGE_BACKOFF = [10_000, 300_000] as const;
const CRASH_BACKOFF = [10_000, 300_000] as const;
/** The next look of the kubelet at its pod: soon behind a failed attempt, else every ten seconds. */
const SOON = 1_500;
const SYNC = 10_000;

export function createStarter(parts: StartParts): Starter {
  const pulls = createBackoff(...IMAGE_BACKOFF);
  const crashes = createBackoff(...CRASH_BACKOFF);
  const errors = new Map<string, string>();

  async function attempt(container: ContainerState): Promise<number | undefined> {
    const { name, lastState } = container;
    const crash = crashes.left(name, parts.clock.now());
    if (crash > 0 && lastState.terminated !== undefined) return waitForCrash(parts, container, crash);
    const wait = await ensureImage(container);
    return wait ?? start(parts, container, crashes);
  }

  /** Undefined when the image is there. */
  async function ensureImage(container: ContainerState): Promise<number | undefined> {
    const { image } = container;
    const { images } = parts;
    const tell = parts.tell(container);
    const policy = policyOf(parts.pod, container);
    const invalid = invalidReference(image);
    if (invalid !== undefined) return refuse(container, 'InvalidImageName', invalid, tell);
    const present = images.has(image);
    if (policy === 'Never' && !present) {
      const text = `Container image "${image}" is not present with pull policy of Never`;
      return refuse(container, 'ErrImageNeverPull', text, tell);
    }
    if (present && policy !== 'Always') {
      tell('Normal', 'Pulled', `Container image "${image}" already present on machine`);
      return undefined;
    }
    return pulls.left(image, parts.clock.now()) > 0 ? waitForPull(container, tell) : pull(container, tell);
  }

  function waitForPull(container: ContainerState, tell: EventWriter): number {
    const { image } = container;
    const text = `Back-off pulling image "${image}"`;
    tell('Normal', 'BackOff', text);
    tell('Warning', 'Failed', 'Error: ImagePullBackOff');
    waiting(container, 'ImagePullBackOff', `${text}: ErrImagePull: ${errors.get(image) ?? ''}`);
    return pulls.left(image, parts.clock.now());
  }

  async function pull(container: ContainerState, tell: EventWriter): Promise<number | undefined> {
    const { image } = container;
    tell('Normal', 'Pulling', `Pulling image "${image}"`);
    const { error, took, waited, bytes } = await parts.images.pull(image);
    if (error === undefined) {
      const times = `in ${goDuration(took)} (${goDuration(waited)} including waiting)`;
      tell('Normal', 'Pulled', `Successfully pulled image "${image}" ${times}. Image size: ${String(bytes)} bytes.`);
      return undefined;
    }
    pulls.next(image, parts.clock.now());
    errors.set(image, error);
    tell('Warning', 'Failed', `Failed to pull image "${image}": ${error}`);
    tell('Warning', 'Failed', 'Error: ErrImagePull');
    waiting(container, 'ErrImagePull', error);
    return SOON;
  }

  return { attempt };
}

function policyOf(pod: ApiObject, { name, init }: ContainerState): string {
  const list = (init ? pod.spec?.initContainers : pod.spec?.containers) as Fields[];
  return (list.find((one) => one.name === name)?.imagePullPolicy as string | undefined) ?? 'IfNotPresent';
}

function waiting(container: ContainerState, reason: string, message: string): void {
  container.state = { waiting: { reason, message } };
}

/** Without any attempt at a registry, and without a back-off. */
function refuse(container: ContainerState, reason: string, message: string, tell: EventWriter): number {
  tell('Warning', reason === 'InvalidImageName' ? 'InspectFailed' : reason, message);
  tell('Warning', 'Failed', `Error: ${reason}`);
  waiting(container, reason, message);
  return SYNC;
}

function podTitle({ metadata }: ApiObject): string {
  return `${metadata.name}_${metadata.namespace ?? ''}(${metadata.uid})`;
}

function waitForCrash({ pod, tell }: StartParts, container: ContainerState, left: number): number {
  const { name } = container;
  tell(container)('Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${podTitle(pod)}`);
  const span = `${String(10 * 2 ** Math.min(container.restartCount, 5))}s`;
  const text = `back-off ${span} restarting failed container=${name} pod=${podTitle(pod)}`;
  waiting(container, 'CrashLoopBackOff', text);
  return left;
}

function start(parts: StartParts, container: ContainerState, crashes: Backoff): number | undefined {
  const { clock, pod } = parts;
  const tell = parts.tell(container);
  const outcome = parts.startOf(container.image);
  if (outcome === 'runsAsRoot') {
    const where = `(pod: "${podTitle(pod)}", container: ${container.name})`;
    const text = `container has runAsNonRoot and image will run as root ${where}`;
    tell('Warning', 'Failed', `Error: ${text}`);
    waiting(container, 'CreateContainerConfigError', text);
    return SYNC;
  }
  if (container.imageID !== '') container.restartCount += 1;
  const now = timestamp(clock.now());
  const containerID = `containerd://${digest(`${pod.metadata.uid}/${container.name}/${String(container.restartCount)}`)}`;
  container.imageID = `${container.image.replace(/@.*$|:[^/:]*$/, '')}@sha256:${digest(container.image)}`;
  container.containerID = containerID;
  tell('Normal', 'Created', `Created container: ${container.name}`);
  if (outcome === 'runs') {
    tell('Normal', 'Started', `Started container ${container.name}`);
    container.state = { running: { startedAt: now } };
    return undefined;
  }
  const ended =
    outcome === 'noShell'
      ? { exitCode: 128, reason: 'StartError', message: NO_SHELL, startedAt: '1970-01-01T00:00:00Z' }
      : { exitCode: 1, reason: 'Error', startedAt: now };
  if (outcome === 'noShell') tell('Warning', 'Failed', `Error: ${NO_SHELL}`);
  else tell('Normal', 'Started', `Started container ${container.name}`);
  const terminated = { ...ended, containerID, finishedAt: now };
  container.state = { terminated };
  container.lastState = { terminated };
  crashes.next(container.name, clock.now());
  return SOON;
}

/** 64 hexadecimal digits that stand for a text. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0').repeat(8);
}
