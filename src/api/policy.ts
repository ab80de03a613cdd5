/**
 * What is tolerated and for how long: written by generate as annotations on a puller, read by the reconciler.
 * The annotation of each setting is the parameter's name behind the prefix.
 */
import { parseDuration, printDuration } from './duration.ts';
import { PREFIX } from './names.ts';

/** A node count, or a share of the eligible nodes. */
export type MinPulled = { nodes: number } | { percent: number };

export interface Policy {
  /** Tolerated nodes count as failures. */
  strict: boolean;
  /** Milliseconds a node may turn a pod away, be NotReady or not start it, before it is tolerated. */
  schedulingGrace: number;
  /** Milliseconds a node may reject pods (or pods may be missing) before that counts. */
  rejectionGrace: number;
  /** Milliseconds of connection errors on one node while another has the image. */
  networkGrace: number;
  /** Milliseconds a missing image may still be on its way from CI. */
  missingImageWindow: number;
  /** Milliseconds without progress on a node before `onDeadline` speaks. */
  deadline: number;
  onDeadline: 'fail' | 'tolerate';
  minPulled: MinPulled;
  /** Who decides health: our reconciler, or Argo CD's built-in rule (job gate). */
  judge: 'reconciler' | 'builtin';
}

export const DEFAULT_POLICY: Policy = {
  strict: false,
  schedulingGrace: 60_000,
  rejectionGrace: 30_000,
  networkGrace: 300_000,
  missingImageWindow: 120_000,
  deadline: 3_600_000,
  onDeadline: 'fail',
  minPulled: { nodes: 0 },
  judge: 'reconciler',
};

/** Parameter name → how its text becomes a value and back. `read` gives undefined for text it does not take. */
interface Setting<T> {
  name: string;
  takes: string;
  read: (text: string) => T | undefined;
  print: (value: T) => string;
}

const duration = (name: string): Setting<number> => ({
  name,
  takes: 'a duration such as 90s, 5m or 1h',
  read: parseDuration,
  print: printDuration,
});

function oneOf<T extends string>(
  ...values: T[]
): { takes: string; read: (text: string) => T | undefined; print: (v: T) => string } {
  return { takes: values.join(' or '), read: (text) => values.find((v) => v === text), print: (v) => v };
}

/** One row a setting: the only place where a policy's text form is defined. */
export const POLICY_SETTINGS: { [K in keyof Policy]: Setting<Policy[K]> } = {
  strict: {
    name: 'strict',
    takes: 'true or false',
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    print: String,
  },
  schedulingGrace: duration('scheduling-grace'),
  rejectionGrace: duration('rejection-grace'),
  networkGrace: duration('network-grace'),
  missingImageWindow: duration('missing-image-window'),
  deadline: duration('deadline'),
  onDeadline: { name: 'on-deadline', ...oneOf('fail', 'tolerate') },
  minPulled: {
    name: 'min-pulled',
    takes: 'a number of nodes or a percentage such as 80%',
    read: readMinPulled,
    print: printMinPulled,
  },
  judge: { name: 'judge', ...oneOf('reconciler', 'builtin') },
};

const KEYS = Object.keys(POLICY_SETTINGS) as (keyof Policy)[];

function readMinPulled(text: string): MinPulled | undefined {
  const match = /^(\d{1,9})(%?)$/.exec(text);
  if (match === null) return undefined;
  const count = Number(match[1]);
  if (match[2] !== '%') return { nodes: count };
  return count <= 100 ? { percent: count } : undefined;
}

function printMinPulled(value: MinPulled): string {
  return 'nodes' in value ? String(value.nodes) : `${String(value.percent)}%`;
}

export interface PolicyReading {
  policy: Policy;
  /** One sentence an annotation that was not understood; its default stands. */
  problems: string[];
}

/** The policy a puller's annotations state; absent ones take their default, unreadable ones too and are named. */
export function readPolicy(annotations: Readonly<Record<string, string>>): PolicyReading {
  const policy: Policy = { ...DEFAULT_POLICY };
  const problems: string[] = [];
  for (const key of KEYS) {
    const text = annotations[`${PREFIX}/${POLICY_SETTINGS[key].name}`];
    if (text === undefined) continue;
    const setting = POLICY_SETTINGS[key];
    const value = setting.read(text);
    if (value === undefined) problems.push(`annotation ${PREFIX}/${setting.name} takes ${setting.takes}`);
    else Object.assign(policy, { [key]: value });
  }
  return { policy, problems };
}

/** The policy as annotations, every setting written, so that a puller carries its whole policy whatever defaults become. */
export function printPolicy(policy: Policy): Record<string, string> {
  return Object.fromEntries(
    KEYS.map((key) => [
      `${PREFIX}/${POLICY_SETTINGS[key].name}`,
      (POLICY_SETTINGS[key].print as (value: unknown) => string)(policy[key]),
    ]),
  );
}
