/** Pods, Nodes and Events as the API server prints them, made into what the judge looks at. */
import { IMAGES_LABEL } from '../api/names.ts';
import {
  at,
  conditionAt,
  countAt,
  earliest,
  labelAt,
  latest,
  listAt,
  readCondition,
  textAt,
  textsAt,
  timeAt,
} from './fields.ts';
import { imageOf, imageVolumes } from './read-daemonset.ts';
import type { ContainerStatus, Event, Node, Pod } from './snapshot.ts';

/** Reasons a container waits with although nothing went wrong yet. */
const STARTING = new Set(['', 'ContainerCreating', 'PodInitializing']);

/** Takes anything: what is absent or of another type reads as absent. */
export function readPod(object: unknown): Pod {
  const conditions = listAt(object, 'status', 'conditions').map(readCondition);
  const nodeName = textAt(object, 'spec', 'nodeName');
  return {
    namespace: textAt(object, 'metadata', 'namespace'),
    name: textAt(object, 'metadata', 'name'),
    uid: textAt(object, 'metadata', 'uid'),
    ownerUid: ownerOf(object),
    node: nodeName === '' ? targetOf(object) : nodeName,
    bound: nodeName !== '',
    createdAt: timeAt(object, 'metadata', 'creationTimestamp'),
    deletedAt: timeAt(object, 'metadata', 'deletionTimestamp'),
    imagesLabel: labelAt(object, 'metadata', 'labels', IMAGES_LABEL),
    templateGeneration: labelAt(object, 'metadata', 'labels', 'pod-template-generation'),
    phase: textAt(object, 'status', 'phase'),
    reason: textAt(object, 'status', 'reason'),
    message: textAt(object, 'status', 'message'),
    scheduled: conditions.find(({ type }) => type === 'PodScheduled'),
    sandbox: conditions.find(({ type }) => type === 'PodReadyToStartContainers'),
    lastTransition: latest(...conditions.map(({ since }) => since)),
    containers: readContainers(object),
  };
}

/** The controller among the owners; lists cut by hand may lack its mark. */
function ownerOf(object: unknown): string {
  const owners = listAt(object, 'metadata', 'ownerReferences');
  const controller = owners.find((owner) => at(owner, 'controller') === true);
  return textAt(controller ?? owners.find((owner) => at(owner, 'kind') === 'DaemonSet'), 'uid');
}

/** The node a DaemonSet's pod is made for stands in its affinity, as the controller's GetTargetNodeName reads it. */
function targetOf(object: unknown): string {
  const required = at(object, 'spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  const fields = listAt(required, 'nodeSelectorTerms').flatMap((term) => listAt(term, 'matchFields'));
  const field = fields.find((entry) => at(entry, 'key') === 'metadata.name');
  const [name] = listAt(field, 'values');
  return typeof name === 'string' ? name : '';
}

function readContainers(object: unknown): ContainerStatus[] {
  const spec = at(object, 'spec');
  const volumes = imageVolumes(spec);
  const read = (init: boolean, specs: string, statuses: string): ContainerStatus[] => {
    const found = new Map(listAt(object, 'status', statuses).map((status) => [textAt(status, 'name'), status]));
    return listAt(spec, specs).map((container) => {
      const name = textAt(container, 'name');
      return { name, init, image: imageOf(container, volumes), ...readStatus(found.get(name)) };
    });
  };
  return [...read(true, 'initContainers', 'initContainerStatuses'), ...read(false, 'containers', 'containerStatuses')];
}

function readStatus(status: unknown): Omit<ContainerStatus, 'name' | 'init' | 'image'> {
  const restarts = countAt(status, 'restartCount') ?? 0;
  const ended = at(status, 'state', 'terminated');
  const last = at(status, 'lastState', 'terminated');
  const startedAt = timeAt(status, 'state', 'running', 'startedAt');
  const endedWell = at(ended, 'exitCode') === 0 || at(last, 'exitCode') === 0;
  return {
    hasImageId: textAt(status, 'imageID') !== '',
    restarts,
    running: at(status, 'state', 'running') !== undefined && at(status, 'state', 'running') !== null,
    endedWell,
    firstRan: restarts === 0 ? (startedAt ?? timeAt(ended, 'finishedAt')) : undefined,
    waiting: waitingOf(at(status, 'state', 'waiting')),
    failure: failureOf(ended) ?? failureOf(last),
  };
}

function waitingOf(waiting: unknown): ContainerStatus['waiting'] {
  const reason = textAt(waiting, 'reason');
  return STARTING.has(reason) ? undefined : { reason, message: textAt(waiting, 'message') };
}

function failureOf(ended: unknown): string | undefined {
  const code = countAt(ended, 'exitCode');
  if (code === undefined || code === 0) return undefined;
  const message = textAt(ended, 'message');
  const reason = textAt(ended, 'reason');
  return message === '' ? `${reason} (exit code ${code})` : message;
}

/** Takes anything: what is absent or of another type reads as absent. */
export function readNode(object: unknown): Node {
  return {
    name: textAt(object, 'metadata', 'name'),
    createdAt: timeAt(object, 'metadata', 'creationTimestamp'),
    deletedAt: timeAt(object, 'metadata', 'deletionTimestamp'),
    labels: textsAt(object, 'metadata', 'labels'),
    taints: listAt(object, 'spec', 'taints').map((taint) => ({
      key: textAt(taint, 'key'),
      value: textAt(taint, 'value'),
      effect: textAt(taint, 'effect'),
    })),
    cordoned: at(object, 'spec', 'unschedulable') === true,
    ready: conditionAt(object, 'Ready'),
  };
}

/** An Event of the core or the events.k8s.io group. */
export function readEvent(object: unknown): Event {
  const about = at(object, 'involvedObject') ?? at(object, 'regarding');
  const once = timeAt(object, 'eventTime') ?? timeAt(object, 'metadata', 'creationTimestamp');
  const first = timeAt(object, 'firstTimestamp') ?? timeAt(object, 'deprecatedFirstTimestamp') ?? once;
  return {
    kind: textAt(about, 'kind'),
    namespace: textAt(about, 'namespace'),
    name: textAt(about, 'name'),
    uid: textAt(about, 'uid'),
    reason: textAt(object, 'reason'),
    message: textAt(object, 'message') || textAt(object, 'note'),
    first: earliest(first, timeAt(object, 'lastTimestamp')),
    last: latest(
      first,
      timeAt(object, 'lastTimestamp'),
      timeAt(object, 'deprecatedLastTimestamp'),
      timeAt(object, 'series', 'lastObservedTime'),
    ),
  };
}
