/**
 * What is written on the DaemonSet's status: a condition with the verdict and one that says of which generation it is, since
 * annotations do not survive a replace and Lua can only compare whole strings.
 */
import { OBSERVED_GENERATION_CONDITION, PULLED_CONDITION } from '../api/names.ts';
import type { Health } from '../api/reasons.ts';
import type { Condition, DaemonSet } from './snapshot.ts';
import { timeText } from './text.ts';
import type { Decision } from './verdict.ts';

/** A condition as the API server takes it. */
export interface WrittenCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  /** RFC 3339, whole seconds. */
  lastTransitionTime: string;
}

const STATUS: Readonly<Record<Health, WrittenCondition['status']>> = {
  Healthy: 'True',
  Degraded: 'False',
  Progressing: 'Unknown',
};

/** Both conditions; the time of a transition is kept while the status stays, as the API conventions ask. */
export function nextConditions(
  decision: Decision,
  daemonSet: DaemonSet,
  now: Date,
): [WrittenCondition, WrittenCondition] {
  const { health, reason, message } = decision;
  const { generation, conditions } = daemonSet;
  const write = (fields: Omit<WrittenCondition, 'lastTransitionTime'>): WrittenCondition => ({
    ...fields,
    lastTransitionTime: timeText(transition(fields, conditions) ?? now.getTime()),
  });
  return [
    write({ type: PULLED_CONDITION, status: STATUS[health], reason, message }),
    write({
      type: OBSERVED_GENERATION_CONDITION,
      status: 'True',
      reason: `Generation${generation}`,
      message: `The verdict is of generation ${generation}.`,
    }),
  ];
}

function transition(
  { type, status }: { type: string; status: string },
  previous: readonly Condition[],
): number | undefined {
  return previous.find((condition) => condition.type === type && condition.status === status)?.since;
}

/** Whether the object carries these already, so that nothing has to be written. */
export function carries(daemonSet: DaemonSet, conditions: readonly WrittenCondition[]): boolean {
  return conditions.every((next) =>
    daemonSet.conditions.some(
      ({ type, status, reason, message }) =>
        type === next.type && status === next.status && reason === next.reason && message === next.message,
    ),
  );
}
