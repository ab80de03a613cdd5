/**
 * The verdict on the DaemonSet: conditions and annotation in one strategic merge patch of its status, for exactly this UID. A change
 * of the verdict is written at once, progress at most every five seconds, and nothing when nothing changed.
 */
import { OBSERVED_GENERATION_CONDITION, PULLED_CONDITION, VERDICT_ANNOTATION } from '../api/names.ts';
import { printAnnotation } from '../verdict/annotation.ts';
import { carries, nextConditions } from '../verdict/conditions.ts';
import type { WrittenCondition } from '../verdict/conditions.ts';
import type { DaemonSet } from '../verdict/snapshot.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Clock } from './clock.ts';
import { codeOf, pathOf } from './kube-api.ts';
import type { KubeClient } from './kube-api.ts';

export type Written =
  /** The object carries the verdict; `answer` is the new object when a patch was needed. */
  | { wrote: 'verdict' | 'progress' | 'nothing'; answer?: unknown }
  /** Progress that is due in so many milliseconds. */
  | { wrote: 'later'; milliseconds: number }
  /** There is no such object any more. */
  | { wrote: 'gone' };

export interface StatusWriter {
  write(daemonSet: DaemonSet, verdict: Verdict): Promise<Written>;
  forget(uid: string): void;
}

const PROGRESS_EVERY = 5_000;

export function createStatusWriter(client: KubeClient, clock: Clock, signal: AbortSignal): StatusWriter {
  const writtenAt = new Map<string, number>();
  return {
    async write(daemonSet, verdict) {
      const now = new Date(clock.now());
      const conditions = nextConditions(verdict, daemonSet, now);
      const annotation = printAnnotation(verdict, daemonSet, now);
      const isSame = daemonSet.annotations.get(VERDICT_ANNOTATION) === annotation;
      if (isSame && carries(daemonSet, conditions)) return { wrote: 'nothing' };
      const isVerdict = isChange(daemonSet, conditions);
      const due = (writtenAt.get(daemonSet.uid) ?? -Infinity) + PROGRESS_EVERY - clock.now();
      if (!isVerdict && due > 0) return { wrote: 'later', milliseconds: due };
      const { namespace, name, uid } = daemonSet;
      const metadata = { uid, annotations: { [VERDICT_ANNOTATION]: annotation } };
      try {
        const path = `${pathOf('daemonsets', namespace)}/${name}/status`;
        const answer = await client.patch(path, { metadata, status: { conditions } }, signal);
        writtenAt.set(uid, clock.now());
        return { wrote: isVerdict ? 'verdict' : 'progress', answer };
      } catch (error) {
        if (codeOf(error) === 404) return { wrote: 'gone' };
        throw error;
      }
    },
    forget(uid) {
      writtenAt.delete(uid);
    },
  };
}

/** What Argo CD acts on: health, reason, generation. The rest is how far it is. */
function isChange({ conditions }: DaemonSet, next: readonly WrittenCondition[]): boolean {
  return [PULLED_CONDITION, OBSERVED_GENERATION_CONDITION].some((type) => {
    const before = conditions.find((condition) => condition.type === type);
    const after = next.find((condition) => condition.type === type);
    return before?.status !== after?.status || before?.reason !== after?.reason;
  });
}
