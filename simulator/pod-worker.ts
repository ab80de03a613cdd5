/** What a kubelet does with one pod of its node, from admission to deletion (pkg/kubelet/pod_workers.go). */
import type { Clock } from './clock.ts';
import type { StartOutcome } from './container-start.ts';
import type { EventWriter } from './image-pull.ts';
import type { NodeImages } from './node-images.ts';
import type { Condition } from './pod-conditions.ts';
import { conditionOf } from './pod-conditions.ts';
import type { ContainerState, PodState } from './pod-status.ts';
import { firstState, podStatus, rejectedStatus } from './pod-status.ts';
import { syncPod } from './pod-sync.ts';
import type { ApiObject, Fields } from './store.ts';

/** How a node treats pods; a test changes it at any time. */
export interface Behaviour {
  /** Turns pods away with this reason and message, as a node over its pod cap does (`OutOfpods`). */
  rejects?: { reason: string; message: string } | undefined;
  /** Cannot make a sandbox: why. */
  cannotStart?: string | undefined;
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
  writeStatus: (pod: ApiObject, status: Fields) => void;
  remove: (pod: ApiObject) => void;
  tell: (pod: ApiObject, event: PodEvent) => void;
}

export interface PodEvent {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  fieldPath?: string;
}

export interface PodWorker {
  /** The pod as the API shows it now. */
  update(pod: ApiObject): void;
  /** The pod is gone, or its node is. */
  stop(): void;
}

const SANDBOX_TAKES = 1_000;
const SANDBOX_RETRY = 12_000;
const ENDING_TAKES = 1_000;
const RECONCILE_AFTER = 10_000;

/** A pod while a worker looks after it. */
interface Life extends WorkerParts {
  pod: ApiObject;
  state: PodState;
  /** The worker has nothing more to do or say. */
  over: boolean;
  /** The pod is being deleted. */
  ending: boolean;
  /** What was said last about its readiness. */
  reported: string | undefined;
  reconciling: boolean;
  wake: () => void;
}

export function startPodWorker(pod: ApiObject, parts: WorkerParts): PodWorker {
  const life: Life = {
    ...parts,
    pod,
    state: firstState(pod, parts.clock.now()),
    over: false,
    ending: false,
    reported: undefined,
    reconciling: false,
    wake: () => undefined,
  };
  if (pod.metadata.deletionTimestamp === undefined) void run(life);
  else end(life);
  return {
    update(next) {
      life.pod = next;
      if (next.metadata.deletionTimestamp !== undefined) end(life);
      else reconcile(life);
    },
    stop() {
      life.over = true;
      life.wake();
    },
  };
}

async function run(life: Life): Promise<void> {
  const { behaviour, pod, clock } = life;
  if (behaviour.rejects !== undefined) {
    const { reason, message } = behaviour.rejects;
    life.tell(pod, { type: 'Warning', reason, message });
    life.writeStatus(pod, rejectedStatus(pod, reason, `Pod was rejected: ${message}`, clock.now()));
    return;
  }
  report(life);
  if (!(await makeSandbox(life))) return;
  await syncPod({
    clock,
    pod,
    containers: life.state.containers,
    images: life.images,
    startOf: life.startOf,
    tell: (container) => teller(life, container),
    // SyncPod writes nothing before it returns: behind the first round of pulls the sandbox shows for the first time (1.34).
    report: () => {
      life.state.sandbox = true;
      report(life);
    },
    sleep: (milliseconds) => sleep(life, milliseconds),
    isOver: () => life.over || life.ending,
  });
}

function report(life: Life): void {
  if (life.over) return;
  const status = podStatus(life.pod, life.state, life.clock.now());
  life.reported = (status.conditions as Condition[]).find(({ type }) => type === 'Ready')?.status;
  life.writeStatus(life.pod, status);
}

/** Time that passes for this pod; false when it is over, or about to be, meanwhile. */
function sleep(life: Life, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = life.clock.after(milliseconds, () => {
      resolve(!life.over && !life.ending);
    });
    life.wake = () => {
      cancel();
      resolve(false);
    };
  });
}

async function makeSandbox(life: Life): Promise<boolean> {
  while (life.behaviour.cannotStart !== undefined) {
    const message = `Failed to create pod sandbox: ${life.behaviour.cannotStart}`;
    life.tell(life.pod, { type: 'Warning', reason: 'FailedCreatePodSandBox', message });
    if (!(await sleep(life, SANDBOX_RETRY))) return false;
  }
  return sleep(life, SANDBOX_TAKES);
}

function end(life: Life): void {
  if (life.ending) return;
  life.ending = true;
  life.wake();
  const grace = (life.pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  life.clock.after(Math.min(grace, ENDING_TAKES), () => {
    if (!life.over) life.remove(life.pod);
  });
}

/** Others may have said that the pod is not ready while the node was lost: the kubelet says it again. */
function reconcile(life: Life): void {
  const differs = (): boolean => conditionOf(life.pod, 'Ready')?.status !== life.reported;
  if (life.reported === undefined || life.reconciling || !differs()) return;
  life.reconciling = true;
  life.clock.after(RECONCILE_AFTER, () => {
    life.reconciling = false;
    if (!life.ending && differs()) report(life);
  });
}

function teller(life: Life, container: ContainerState | undefined): EventWriter {
  const list = container?.init === true ? 'initContainers' : 'containers';
  const about = container === undefined ? {} : { fieldPath: `spec.${list}{${container.name}}` };
  return (type, reason, message) => {
    if (!life.over && !life.ending) life.tell(life.pod, { type, reason, message, ...about });
  };
}
