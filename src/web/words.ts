/** The page's words and signs: states, spans of time, and what to do where a rule says nothing of its own. */
import type { Health } from '../api/reasons.ts';
import type { Pull, PullNode } from './pull.ts';

export interface Look {
  /** Never colour alone. */
  sign: string;
  title: string;
  /** For the style. */
  kind: string;
}

/** By the rank of a node's state. */
export const GROUPS: readonly Look[] = [
  { sign: '✖', title: 'Failed', kind: 'failed' },
  { sign: '!', title: 'In trouble', kind: 'trouble' },
  { sign: '↓', title: 'Pulling', kind: 'pulling' },
  { sign: '○', title: 'Tolerated', kind: 'tolerated' },
  { sign: '✔', title: 'Pulled', kind: 'pulled' },
];

export const HEALTH_SIGNS: Readonly<Record<Health, string>> = { Degraded: '✖', Progressing: '↓', Healthy: '✔' };

/** How the line to the server is. */
export const LINE = {
  live: 'Live: changes appear by themselves.',
  down: 'The line is down; trying again. What you see may be old.',
} as const;

export function groupOf({ state, reason }: Pick<PullNode, 'state' | 'reason'>): Look {
  const title = state === 'pulling' && reason !== 'InProgress' ? 'In trouble' : titles[state];
  return GROUPS.find((group) => group.title === title) ?? { sign: '?', title, kind: 'pulling' };
}

const titles = { failed: 'Failed', pulling: 'Pulling', tolerated: 'Tolerated', pulled: 'Pulled' } as const;

/** `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** What is still to come, in the words of the page; undefined where nothing tells. */
export function remainingText({ expected, health }: Pull, now: number): string | undefined {
  if (expected === undefined || health !== 'Progressing') return undefined;
  const basis = `as ${expected.basis} ${expected.basis === 1 ? 'pull' : 'pulls'} before`;
  const to = expected.latest === undefined ? -1 : Date.parse(expected.latest) - now;
  if (to < 0) return 'longer than any pull before';
  const from = Math.max(0, Date.parse(expected.earliest) - now);
  if (spanText(from) === spanText(to)) return `${spanText(to)}, ${basis}`;
  return from < 1_000 ? `at most ${spanText(to)}, ${basis}` : `${spanText(from)} to ${spanText(to)}, ${basis}`;
}

/** The judge's own advice, else what the state itself says. */
export function whatToDo({ fix, state, reason }: Pick<PullNode, 'fix' | 'state' | 'reason'>): string {
  if (fix !== undefined) return fix;
  if (state === 'pulled') return 'Nothing.';
  if (state === 'failed') return 'Mend the cause, then sync again.';
  if (state === 'tolerated') return 'Nothing for this sync: it does not wait for this node.';
  return reason === 'InProgress' ? 'Nothing: it goes on by itself.' : 'Wait: it is tolerated, or goes on, by itself.';
}
