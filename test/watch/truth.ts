/** What the judge says of everything there is, without any watch, cache or process between: the reference for convergence. */
import { readPolicy } from '../../src/api/policy.ts';
import { resourceNamed } from '../../simulator/resources.ts';
import { readAnnotation } from '../../src/verdict/annotation.ts';
import { mergeFacts } from '../../src/verdict/facts.ts';
import { judge } from '../../src/verdict/judge.ts';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import { readEvent, readNode, readPod } from '../../src/verdict/read-pod.ts';
import type { Simulation } from './simulation.ts';
import { NAMESPACE } from './simulation.ts';

const STATUS = { Healthy: 'True', Degraded: 'False', Progressing: 'Unknown' } as const;

/** As the condition would say it, such as `True Pulled`. Two looks, as a failed image needs; facts are those that were written. */
export function judgeTruth({ store, clock }: Simulation, name: string): string {
  const object = store.get(resourceNamed('daemonsets'), name, NAMESPACE);
  const daemonSet = readDaemonSet(object);
  const now = clock.now();
  const { policy } = readPolicy(Object.fromEntries(daemonSet.annotations));
  const list = (plural: string): unknown[] => store.list(resourceNamed(plural));
  const snapshot = {
    daemonSet,
    pods: list('pods').map(readPod),
    nodes: list('nodes').map(readNode),
    goneNodes: [],
    events: list('events').map(readEvent),
    eventsComplete: true,
    once: false,
  };
  let facts = readAnnotation(daemonSet, new Date(now));
  for (const moment of [now, now + 11_000]) {
    const verdict = judge({ ...snapshot, facts }, policy, new Date(moment));
    facts = mergeFacts(facts, verdict.facts);
    if (moment > now) return `${STATUS[verdict.health]} ${verdict.reason}`;
  }
  return '';
}
