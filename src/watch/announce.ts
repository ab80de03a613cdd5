/** A Kubernetes Event on the puller when its health changes: `kubectl describe` then tells what happened, and what to do. */
import { OBSERVED_GENERATION_CONDITION, PULLED_CONDITION } from '../api/names.ts';
import type { DaemonSet } from '../verdict/snapshot.ts';
import { timeText } from '../verdict/text.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { pathOf } from './kube-api.ts';
import type { Permitted } from './permission.ts';

export const COMPONENT = 'argocd-prepuller';

const STATUS = { Healthy: 'True', Degraded: 'False', Progressing: 'Unknown' } as const;

/** Whether this verdict is another health than the object carried, or the first of a generation. */
export function isTransition({ conditions, generation }: DaemonSet, { health }: Verdict): boolean {
  const carried = (type: string): (typeof conditions)[number] | undefined =>
    conditions.find((condition) => condition.type === type);
  const sameHealth = carried(PULLED_CONDITION)?.status === STATUS[health];
  return !sameHealth || carried(OBSERVED_GENERATION_CONDITION)?.reason !== `Generation${generation}`;
}

/** Never fails: the verdict stands on the object whether this is heard or not. */
export async function announce(daemonSet: DaemonSet, verdict: Verdict, permitted: Permitted): Promise<void> {
  const { namespace, name, uid } = daemonSet;
  const at = timeText(permitted.clock.now());
  const involvedObject = { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace, name, uid };
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: `${name.slice(0, 200)}.`, namespace },
    involvedObject,
    type: verdict.health === 'Degraded' ? 'Warning' : 'Normal',
    reason: verdict.reason,
    message: verdict.message,
    source: { component: COMPONENT },
    reportingComponent: COMPONENT,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
  await permitted.attempt(async () => {
    await permitted.client.create(pathOf('events', namespace), event, permitted.signal);
  });
}
