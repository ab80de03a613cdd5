/**
 * How long pulls and hooks took. Pulls are labelled by repository alone, and only the first ones by their own name, so that neither
 * a new tag nor many images make series without end. What is listed anew is not counted again.
 */
import { Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { PULLED_CONDITION } from '../api/names.ts';
import type { Health } from '../api/reasons.ts';
import type { DaemonSet, Event } from '../verdict/snapshot.ts';
import { clean } from '../verdict/text.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { readPulled } from './remaining.ts';

export interface PullMetrics {
  judged(daemonSet: DaemonSet, verdict: Verdict): void;
  gone(key: string): void;
  heard: (event: Event) => void;
}

export interface Counting {
  /** This process is the one that counts. */
  counts: () => boolean;
  now: () => number;
}

/** Seconds. Images of 2 to 20 GB take minutes; those of a few MB seconds. */
const BUCKETS = [1, 5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600];

const ENDS = ['Healthy', 'Degraded'] as const satisfies readonly Health[];

/** Repositories with a series of their own; those that come later are counted together. */
export const REPOSITORIES = 100;
export const OTHER_REPOSITORIES = 'other';

/** Longer than events live. Milliseconds. */
const EVENT_LIFE = 2 * 3_600_000;
/** Pulls that are remembered as counted. */
const COUNTED = 50_000;

export function createPullMetrics(registry: Registry, { counts, now }: Counting): PullMetrics {
  const pulls = new Histogram({
    name: 'prepull_image_pull_duration_seconds',
    help: 'What kubelets needed for one image that was not on the node, waiting included.',
    labelNames: ['repository'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const hooks = new Histogram({
    name: 'prepull_hook_verdict_duration_seconds',
    help: 'From the creation of a hook to its verdict, which ends the wait of a sync.',
    labelNames: ['health'],
    buckets: BUCKETS,
    registers: [registry],
  });
  // From nothing on, so that the first one is seen as a rise.
  for (const health of ENDS) hooks.zero({ health });
  const repositories = createRepositories();
  const isNew = createOnce(now);
  /** UIDs of hooks that are counted. */
  const ended = new Map<string, string>();
  /** When this process began to count; undefined while it does not. */
  let since: number | undefined;

  function isCounting(): boolean {
    since = counts() ? (since ?? now()) : undefined;
    return since !== undefined;
  }

  return {
    judged(daemonSet, { health }) {
      const { namespace, name, uid, createdAt } = daemonSet;
      const key = `${namespace}/${name}`;
      if (!isCounting() || health === 'Progressing' || !isOpenHook(daemonSet)) return;
      if (createdAt === undefined || ended.get(key) === uid) return;
      ended.set(key, uid);
      hooks.observe({ health }, Math.max(0, now() - createdAt) / 1000);
    },
    gone(key) {
      ended.delete(key);
    },
    heard({ uid, message, last }) {
      const pulled = readPulled(message);
      if (pulled === undefined || !isCounting()) return;
      // Times of events are whole seconds.
      const isOld = last !== undefined && since !== undefined && last < since - 1_000;
      if (isOld || !isNew(`${uid} ${pulled.image}`)) return;
      pulls.observe({ repository: repositories(pulled.image) }, pulled.milliseconds / 1000);
    },
  };
}

/** A hook that carries no final verdict yet: one that does was counted when it got it. */
function isOpenHook({ role, conditions }: DaemonSet): boolean {
  const pulled = conditions.find(({ type }) => type === PULLED_CONDITION);
  return role === 'hook' && pulled?.status !== 'True' && pulled?.status !== 'False';
}

function createRepositories(): (image: string) => string {
  const known = new Set<string>();
  return (image) => {
    const repository = repositoryOf(image);
    if (known.size < REPOSITORIES) known.add(repository);
    return known.has(repository) ? repository : OTHER_REPOSITORIES;
  };
}

/** Without digest and tag; a colon before a slash is a registry's port. */
export function repositoryOf(image: string): string {
  const [named = ''] = image.split('@');
  return clean(named.replace(/:[^/:]*$/, ''), 253);
}

/** Whether a text was not there within the life of an event. */
function createOnce(now: () => number): (text: string) => boolean {
  const seen = new Map<string, number>();
  return (text) => {
    for (const [oldest, at] of seen) {
      if (seen.size < COUNTED && now() - at < EVENT_LIFE) break;
      seen.delete(oldest);
    }
    if (seen.has(text)) return false;
    seen.set(text, now());
    return true;
  };
}
