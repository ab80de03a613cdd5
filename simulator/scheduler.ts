/**
 * The scheduler (pkg/scheduler): binds pods, says in its own words why it cannot, makes room for higher priority, tries again
 * when something changed. A DaemonSet's pod names its node in its affinity, so only that node is looked at.
 */
import type { Api } from './api.ts';
import type { Clock } from './clock.ts';
import { targetNode } from './node-fit.ts';
import type { Condition } from './pod-conditions.ts';
import { conditionOf, transitioned } from './pod-conditions.ts';
import type { Recorder } from './recorder.ts';
import { resourceNamed } from './resources.ts';
import type { SchedulerCache } from './scheduler-cache.ts';
import { createSchedulerCache } from './scheduler-cache.ts';
import type { Obstacle, SchedulerNode } from './scheduler-nodes.ts';
import { obstacle, priorityOf, unavailable, victims } from './scheduler-nodes.ts';
import type { ApiObject, Fields, Store } from './store.ts';

const PODS = resourceNamed('pods');

/** What the plugin for claims of devices says of every pod that has none, in front of what preemption says. */
const NO_CLAIMS = ' no new claims to deallocate, preemption:';

export interface SchedulerParts {
  store: Store;
  api: Api;
  clock: Clock;
  record: Recorder;
}

interface Scheduler extends SchedulerParts {
  cache: SchedulerCache;
}

/** A node that was looked at and cannot take the pod. */
interface Attempt {
  node: SchedulerNode;
  obstacle: Obstacle;
}

/** Runs as long as its clock. */
export function runScheduler(parts: SchedulerParts): void {
  const cache = createSchedulerCache(parts.store, parts.clock, (pod) => {
    schedule({ ...parts, cache }, pod);
  });
}

function schedule(scheduler: Scheduler, pod: ApiObject): void {
  const { nodes } = scheduler.cache;
  const only = targetNode(pod);
  const candidates = only === undefined ? [...nodes.values()] : [nodes.get(only)].filter((node) => node !== undefined);
  const fitting: SchedulerNode[] = [];
  const tried: Attempt[] = [];
  for (const node of candidates) {
    const found = obstacle(pod, node);
    if (found === undefined) fitting.push(node);
    else tried.push({ node, obstacle: found });
  }
  const chosen = fitting.sort((a, b) => a.pods.size - b.pods.size)[0];
  if (chosen === undefined) turnAway(scheduler, pod, tried);
  else bind(scheduler, pod, chosen.node.metadata.name);
}

function bind({ store, clock, record }: Scheduler, pod: ApiObject, node: string): void {
  const { namespace = '', name } = pod.metadata;
  const status = withCondition(pod, { type: 'PodScheduled', status: 'True' }, clock.now());
  const bound = store.replace(PODS, { ...pod, spec: { ...pod.spec, nodeName: node }, status });
  const message = `Successfully assigned ${namespace}/${name} to ${node}`;
  record({ about: bound, type: 'Normal', reason: 'Scheduled', message });
}

function turnAway(scheduler: Scheduler, pod: ApiObject, tried: readonly Attempt[]): void {
  const { cache, clock, api, record } = scheduler;
  cache.park(pod);
  const total = cache.nodes.size;
  const reasons = tried.flatMap((one) => one.obstacle.reasons);
  const others = Array<string>(total - tried.length).fill("node(s) didn't satisfy plugin(s) [NodeAffinity]");
  const outcome = preempt(scheduler, pod, tried);
  const message = `${unavailable(total, [...reasons, ...others])}${outcome.text}`;
  const told = conditionOf(pod, 'PodScheduled')?.message === message;
  const condition: Condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
  const status = withCondition(pod, condition, clock.now());
  if (outcome.node !== undefined) status.nominatedNodeName = outcome.node;
  const { name, namespace } = pod.metadata;
  api.update({ resource: PODS, namespace, name, subresource: 'status' }, { ...pod, status });
  if (!told) record({ about: pod, type: 'Warning', reason: 'FailedScheduling', message });
}

/** Makes room on the node where it costs least; the text says why nowhere. */
function preempt(scheduler: Scheduler, pod: ApiObject, tried: readonly Attempt[]): { node?: string; text: string } {
  const { nodes } = scheduler.cache;
  const why = notEligible(pod, nodes);
  if (why !== undefined) return { text: `${NO_CLAIMS} not eligible due to ${why}.` };
  const cheapest = tried
    .filter((one) => !one.obstacle.final)
    .map(({ node }) => ({ node, chosen: victims(pod, node) }))
    .filter(({ chosen }) => chosen.length > 0)
    .sort((a, b) => a.chosen.length - b.chosen.length)[0];
  if (cheapest !== undefined) {
    evict(scheduler, pod, cheapest.node, cheapest.chosen);
    return { node: cheapest.node.node.metadata.name, text: '' };
  }
  const resolvable = tried.filter((one) => !one.obstacle.final).length;
  const reasons = [
    ...Array<string>(resolvable).fill('No preemption victims found for incoming pod'),
    ...Array<string>(nodes.size - resolvable).fill('Preemption is not helpful for scheduling'),
  ];
  return { text: `${NO_CLAIMS} ${unavailable(nodes.size, reasons)}` };
}

function notEligible(pod: ApiObject, nodes: ReadonlyMap<string, SchedulerNode>): string | undefined {
  if (pod.spec?.preemptionPolicy === 'Never') return 'preemptionPolicy=Never';
  const nominated = nodes.get((pod.status?.nominatedNodeName as string | undefined) ?? '');
  const leaving = [...(nominated?.pods.values() ?? [])].some(
    (other) => other.metadata.deletionTimestamp !== undefined && priorityOf(other) < priorityOf(pod),
  );
  return leaving ? 'a terminating pod on the nominated node' : undefined;
}

function evict(scheduler: Scheduler, pod: ApiObject, room: SchedulerNode, chosen: readonly ApiObject[]): void {
  const { store, api, clock, record } = scheduler;
  // The room is promised: pods of lower priority do not get it meanwhile.
  room.pods.set(pod.metadata.uid, pod);
  const message = `Preempted by pod ${pod.metadata.uid} on node ${room.node.metadata.name}`;
  for (const victim of chosen) {
    const condition: Condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: 'default-scheduler: preempting to accommodate a higher priority pod',
    };
    const told = store.replace(PODS, { ...victim, status: withCondition(victim, condition, clock.now()) });
    record({ about: told, type: 'Normal', reason: 'Preempted', message });
    const { name, namespace } = victim.metadata;
    api.delete({ resource: PODS, namespace, name }, {});
  }
}

function withCondition(pod: ApiObject, condition: Condition, now: number): Fields {
  const others = ((pod.status?.conditions ?? []) as Condition[]).filter(({ type }) => type !== condition.type);
  return { ...pod.status, conditions: [...others, transitioned(pod, condition, now)] };
}
