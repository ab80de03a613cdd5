/** Starting a container whose image is there: it runs, or fails as kubelet and runc say, with the crash-loop's back-off (pkg/kubelet/kuberuntime). */
import { createBackoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { EventWriter } from './image-pull.ts';
import { SOON, SYNC } from './image-pull.ts';
import type { ContainerState } from './pod-status.ts';
import { NO_SHELL } from './pull-errors.ts';
import type { ApiObject, Fields } from './store.ts';
import { timestamp } from './store.ts';

/** How a container behaves once its image is there. */
export type StartOutcome = 'runs' | 'noShell' | 'wrongBinary' | 'runsAsRoot';

export interface Starter {
  /** Milliseconds to wait before the next start, told to the container; 0 when it may be started. */
  crashWait(container: ContainerState, tell: EventWriter): number;
  /** Milliseconds until the next attempt makes sense; undefined when the container runs. */
  start(container: ContainerState, tell: EventWriter): number | undefined;
}

const FIRST_BACKOFF = 10_000;
const LONGEST_BACKOFF = 300_000;

export function createStarter(clock: Clock, pod: ApiObject, startOf: (image: string) => StartOutcome): Starter {
  const backoff = createBackoff(FIRST_BACKOFF, LONGEST_BACKOFF);

  return {
    crashWait(container, tell) {
      const { name, lastState, restartCount } = container;
      const wait = lastState.terminated === undefined ? 0 : backoff.left(name, clock.now());
      if (wait === 0) return 0;
      tell('Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${podTitle(pod)}`);
      const span = goSpan(Math.min(FIRST_BACKOFF * 2 ** restartCount, LONGEST_BACKOFF));
      const message = `back-off ${span} restarting failed container=${name} pod=${podTitle(pod)}`;
      container.state = { waiting: { reason: 'CrashLoopBackOff', message } };
      return wait;
    },
    start(container, tell) {
      const outcome = startOf(container.image);
      if (outcome === 'runsAsRoot') return refuseRoot(pod, container, tell);
      create(clock, pod, container);
      tell('Normal', 'Created', `Created container: ${container.name}`);
      if (outcome === 'noShell') tell('Warning', 'Failed', `Error: ${NO_SHELL}`);
      else tell('Normal', 'Started', `Started container ${container.name}`);
      if (outcome === 'runs') {
        container.state = { running: { startedAt: timestamp(clock.now()) } };
        return undefined;
      }
      const terminated = ending(outcome, container, timestamp(clock.now()));
      container.state = { terminated };
      container.lastState = { terminated };
      backoff.next(container.name, clock.now());
      return SOON;
    },
  };
}

function podTitle({ metadata }: ApiObject): string {
  return `${metadata.name}_${metadata.namespace ?? ''}(${metadata.uid})`;
}

/** Whole seconds as Go prints them: 10s, 1m20s, 5m0s. */
function goSpan(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${String(seconds)}s` : `${String(Math.floor(seconds / 60))}m${String(seconds % 60)}s`;
}

/** The image is on the node, but nothing of it was created: imageID stays empty. */
function refuseRoot(pod: ApiObject, container: ContainerState, tell: EventWriter): number {
  const where = `(pod: "${podTitle(pod)}", container: ${container.name})`;
  const message = `container has runAsNonRoot and image will run as root ${where}`;
  tell('Warning', 'Failed', `Error: ${message}`);
  container.state = { waiting: { reason: 'CreateContainerConfigError', message } };
  return SYNC;
}

function create(clock: Clock, pod: ApiObject, container: ContainerState): void {
  const { name, image } = container;
  if (container.imageID !== '') container.restartCount += 1;
  const serial = `${pod.metadata.uid}/${name}/${String(container.restartCount)}/${String(clock.now())}`;
  container.containerID = `containerd://${digest(serial)}`;
  container.imageID = `${image.replace(/@.*$|:[^/:]*$/, '')}@sha256:${digest(image)}`;
}

function ending(outcome: StartOutcome, { containerID }: ContainerState, now: string): Fields {
  if (outcome !== 'noShell') return { exitCode: 1, reason: 'Error', startedAt: now, finishedAt: now, containerID };
  const startedAt = '1970-01-01T00:00:00Z';
  return { exitCode: 128, reason: 'StartError', message: NO_SHELL, startedAt, finishedAt: now, containerID };
}

/** 64 hexadecimal digits that stand for a text. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0').repeat(8);
}
