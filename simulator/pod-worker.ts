/**
 * What a kubelet does with one pod of its node, from admission to deletion: sandbox, init containers one by one, then the regular
 * ones, each tried again in its own time while no failure of one keeps it from the next (pkg/kubelet/pod_workers.go, SyncPod).
 */
import type { ContainerState, PodState } from './pod-status.ts';
import { firstState, isCompleted, isRunning, podStatus, rejectedStatus } from './pod-status.ts';
import type { Clock } from './clock.ts';
import type { Condition } from './pod-conditions.ts';
import { conditionOf } from './pod-conditions.ts';
import type { StartOutcome } from './container-start.ts';
import { createStarter } from './container-start.ts';
import type { NodeImages } from './node-images.ts';
import type { ApiObject, Fields } from './store.ts';

/** How a node treats pods; a test changes it at any time. */
export interface Behaviour {
  /** Turns pods away with this reason and message, as a node over its pod cap does (`OutOfpods`). */
  rejects?: { reason: string; message: string };
  /** Cannot make a sandbox: why. */
  cannotStart?: string;
  /** Says nothing and does nothing. */
  dead?: boolean;
  /** No space left for any image. */
  diskFull?: boolean;
  /** Pulls take so many times as long. */
  slow?: number;
}

export interface WorkerParts {
  clock: Clock;
  behaviour: Behaviour;
  images: NodeImages;
  startOf: (image: string) => StartOutcome;
  writeStatus(pod: ApiObject, status: Fields): void;
  remove(pod: ApiObject): void;
  tell(pod: ApiObject, event: { type: 'Normal' | 'Warning'; reason: string; message: string; fieldPath?: string }): void;
}

export interface PodWorker {
  /** The pod as the API shows it now. */
  update(pod: ApiObject): void;
  /** The pod is gone, or its node is. */
  stop(): void;
}

const SANDBOX_TAKES = 1_000;
const SANDBOX_RETRY = 12_000;
const INIT_RUNS = 500;
const ENDING_TAKES = 1_000;
const RECONCILE_AFTER = 10_000;

export function startPodWorker(first: ApiObject, parts: WorkerParts): PodWorker {
  const { clock, behaviour } = parts;
  let pod = first;
  let over = false;
  let ending = false;
  let wake = (): void => undefined;
  let reconciling = false;
  let reported: string | undefined;
  const state = firstState(first, clock.now());

  /** Time that passes for this pod; false when it is over meanwhile. */
  function sleep(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = clock.after(milliseconds, () => {
        resolve(!over && !ending);
      });
      wake = () => {
        cancel();
        resolve(false);
      };
    });
  }

  function report(): void {
    if (over) return;
    const status = podStatus(pod, state, clock.now());
    reported = (status.conditions as Condition[]).find(({ type }) => type === 'Ready')?.status;
    parts.writeStatus(pod, status);
  }

  async function run(): Promise<void> {
    if (ending) return;
    if (behaviour.rejects !== undefined) {
      const { reason, message } = behaviour.rejects;
      parts.tell(pod, { type: 'Warning', reason, message });
      parts.writeStatus(pod, rejectedStatus(pod, reason, `Pod was rejected: ${message}`, clock.now()));
      return;
    }
    report();
    if (!(await makeSandbox())) return;
    state.sandbox = true;
    report();
    await keepTrying(pod, state, parts, { sleep, report, isOver: () => over || ending });
  }

  async function makeSandbox(): Promise<boolean> {
    while (behaviour.cannotStart !== undefined) {
      const message = `Failed to create pod sandbox: ${behaviour.cannotStart}`;
      parts.tell(pod, { type: 'Warning', reason: 'FailedCreatePodSandBox', message });
      if (!(await sleep(SANDBOX_RETRY))) return false;
    }
    return sleep(SANDBOX_TAKES);
  }

  function end(): void {
    if (ending) return;
    ending = true;
    wake();
    const grace = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    clock.after(Math.min(grace, ENDING_TAKES), () => {
      if (!over) parts.remove(pod);
    });
  }

  /** Others may have said that the pod is not ready while the node was lost: the kubelet says it again. */
  function reconcile(): void {
    if (reconciling || over || conditionOf(pod, 'Ready')?.status === reported) return;
    reconciling = true;
    clock.after(RECONCILE_AFTER, () => {
      reconciling = false;
      if (!ending && conditionOf(pod, 'Ready')?.status !== reported) report();
    });
  }

  if (pod.metadata.deletionTimestamp === undefined) void run();
  else end();
  return {
    update(next) {
      pod = next;
      if (pod.metadata.deletionTimestamp !== undefined) end();
      else if (reported !== undefined) reconcile();
    },
    stop() {
      over = true;
      wake();
    },
  };
}

interface Life {
  sleep(milliseconds: number): Promise<boolean>;
  report(): void;
  isOver(): boolean;
}

/** Looks at every container that is not where it should be, again and again until none is left. */
async function keepTrying(pod: ApiObject, state: PodState, parts: WorkerParts, life: Life): Promise<void> {
  const starter = createStarter({
    clock: parts.clock,
    pod,
    images: parts.images,
    startOf: parts.startOf,
    tell: (container) => (type, reason, message) => {
      if (life.isOver()) return;
      const fieldPath = `spec.${container.init ? 'initContainers' : 'containers'}{${container.name}}`;
      parts.tell(pod, { type, reason, message, fieldPath });
    },
  });
  for (;;) {
    const waits: number[] = [];
    for (const container of pending(state.containers)) {
      const wait = await starter.attempt(container);
      if (life.isOver()) return;
      if (wait !== undefined) waits.push(wait);
      if (wait === undefined && container.init && !(await completeInit(container, life))) return;
      if (container.init && !isCompleted(container)) break;
    }
    life.report();
    if (waits.length === 0 || !(await life.sleep(Math.min(...waits)))) return;
  }
}

/** Init containers come first, one at a time; regular ones are tried whatever became of the others. */
function* pending(containers: readonly ContainerState[]): Generator<ContainerState> {
  for (const container of containers) {
    if (!(container.init ? isCompleted(container) : isRunning(container))) yield container;
  }
}

async function completeInit(container: ContainerState, life: Life): Promise<boolean> {
  life.report();
  const startedAt = container.state.running?.startedAt as string;
  if (!(await life.sleep(INIT_RUNS))) return false;
  const { containerID } = container;
  container.state = { terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt: startedAt, containerID } };
  return true;
}
