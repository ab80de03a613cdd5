/** The status a kubelet writes for a pod, from what its containers are at (pkg/kubelet/kubelet_pods.go, pkg/kubelet/status/generate.go). */
import { fieldsAt } from './fields.ts';
import type { Condition } from './pod-conditions.ts';
import { conditionOf } from './pod-conditions.ts';
import type { ApiObject, Fields } from './store.ts';
import { timestamp } from './store.ts';

export interface ContainerState {
  name: string;
  image: string;
  init: boolean;
  state: Fields;
  lastState: Fields;
  /** Set once the container was created from the image. */
  imageID: string;
  containerID?: string;
  restartCount: number;
}

export interface PodState {
  startTime: number;
  sandbox: boolean;
  containers: ContainerState[];
}

export function firstState(pod: ApiObject, now: number): PodState {
  const spec = pod.spec ?? {};
  const of = (list: unknown, init: boolean): ContainerState[] =>
    ((list ?? []) as Fields[]).map(({ name, image }) => ({
      name: name as string,
      image: image as string,
      init,
      state: {},
      lastState: {},
      imageID: '',
      restartCount: 0,
    }));
  return {
    startTime: now,
    sandbox: false,
    containers: [...of(spec.initContainers, true), ...of(spec.containers, false)],
  };
}

export function isCompleted({ state }: ContainerState): boolean {
  return fieldsAt(state, 'terminated').exitCode === 0;
}

export function isRunning({ state }: ContainerState): boolean {
  return state.running !== undefined;
}

/** The whole status, conditions with the times of their last transitions. */
export function podStatus(pod: ApiObject, state: PodState, now: number): Fields {
  const initial = state.containers.filter(({ init }) => init);
  const regular = state.containers.filter(({ init }) => !init);
  const incomplete = initial.filter((one) => !isCompleted(one));
  const unready = regular.filter((one) => !isRunning(one));
  return {
    phase: incomplete.length > 0 ? 'Pending' : phaseOf(regular),
    observedGeneration: pod.metadata.generation,
    startTime: timestamp(state.startTime),
    ...(state.sandbox ? { podIP: '10.88.0.2', podIPs: [{ ip: '10.88.0.2' }] } : {}),
    conditions: conditions(pod, now, [
      { type: 'PodReadyToStartContainers', status: state.sandbox ? 'True' : 'False' },
      { type: 'Initialized', ...lack(incomplete, 'ContainersNotInitialized', 'incomplete') },
      { type: 'Ready', ...lack(unready, 'ContainersNotReady', 'unready') },
      { type: 'ContainersReady', ...lack(unready, 'ContainersNotReady', 'unready') },
      { type: 'PodScheduled', status: 'True' },
    ]),
    ...(initial.length === 0
      ? {}
      : { initContainerStatuses: initial.map((one) => containerStatus(one, initial.length > 0)) }),
    containerStatuses: regular.map((one) => containerStatus(one, initial.length > 0)),
  };
}

/** A pod the node turned away. */
export function rejectedStatus(pod: ApiObject, reason: string, message: string, now: number): Fields {
  const observedGeneration = pod.metadata.generation;
  return { phase: 'Failed', reason, message, observedGeneration, startTime: timestamp(now) };
}

/** Pending while a container has never been started, whatever the others do (getPhase with restartPolicy Always). */
function phaseOf(regular: readonly ContainerState[]): string {
  const waiting = regular.some(
    (one) => !isRunning(one) && one.lastState.terminated === undefined && !one.state.terminated,
  );
  return waiting ? 'Pending' : 'Running';
}

function lack(
  missing: readonly ContainerState[],
  reason: string,
  word: string,
): Pick<Condition, 'status'> & Partial<Condition> {
  if (missing.length === 0) return { status: 'True' };
  const names = missing.map(({ name }) => name).join(' ');
  return { status: 'False', reason, message: `containers with ${word} status: [${names}]` };
}

function conditions(pod: ApiObject, now: number, wanted: readonly Condition[]): Fields[] {
  return wanted.map((condition) => {
    const before = conditionOf(pod, condition.type);
    const since = before?.status === condition.status ? before.lastTransitionTime : undefined;
    // null takes away what an earlier patch left there: conditions merge by type.
    const { reason = null, message = null } = condition;
    return {
      ...condition,
      reason,
      message,
      observedGeneration: pod.metadata.generation,
      lastProbeTime: null,
      lastTransitionTime: since ?? timestamp(now),
    };
  });
}

function containerStatus(container: ContainerState, hasInit: boolean): Fields {
  const { name, image, imageID, containerID, restartCount, lastState, init } = container;
  const reason = hasInit ? 'PodInitializing' : 'ContainerCreating';
  const state = Object.keys(container.state).length === 0 ? { waiting: { reason } } : container.state;
  return {
    name,
    image,
    imageID,
    ...(containerID === undefined ? {} : { containerID }),
    state,
    lastState,
    restartCount,
    ready: init ? isCompleted(container) : isRunning(container),
    started: isRunning(container),
  };
}

/** Go's way to write a duration, in milliseconds: `571ms`, `2.92s`, `2m12.102s`. */
export function goDuration(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  if (whole < 1000) return `${String(whole)}ms`;
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor((whole % 3_600_000) / 60_000);
  const seconds = (whole % 60_000) / 1000;
  const parts = [hours > 0 ? `${String(hours)}h` : '', hours + minutes > 0 ? `${String(minutes)}m` : ''];
  return `${parts.join('')}${String(seconds)}s`;
}
