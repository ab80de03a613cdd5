/** The scenarios of `prepuller demo`: what each tells, what the commit and the Application say, and the end it promises. */
import type { SyncOutcome } from '../simulator/demo.ts';
import type { Reason } from './api/reasons.ts';
import { UserError } from './errors.ts';
import type { Verdict } from './verdict/verdict.ts';
import type { Clock } from './watch/clock.ts';

export interface Story {
  /** For the help. */
  summary: string;
  /** Promises the end. */
  opening: string;
  /** What the commit makes of the user image's tag. */
  tag: string;
  /** Parameters beside those of examples/hub. */
  parameters: readonly { name: string; string: string }[];
  /** Simulated milliseconds between the begin of the sync and the start of the controller. */
  controllerAfter: number;
  promise: Ending;
  /** What the chart's own awaiter would have said, by the numbers it looks at. */
  withoutUs?: (ready: number, scheduled: number) => string;
}

/** How the sync must end, with what verdict of the hook, and which nodes that tolerates. */
interface Ending {
  sync: 'Succeeded' | 'Failed';
  reason: Reason;
  tolerated: readonly string[];
}

/** The puller that every story is about. */
export const HOOK = 'hook-image-puller';
export const DEFAULT_STORY = 'tour';
export const OLD_TAG = '2026-03-01';
const NEW_TAG = '2026-04-01';
const MINUTE = 60_000;
const TROUBLED = ['user-04', 'user-09', 'user-16'];

const PLAIN = { tag: NEW_TAG, parameters: [], controllerAfter: 0 } as const;

export const STORIES: Readonly<Record<string, Story>> = {
  tour: {
    ...PLAIN,
    summary: 'one node is full, one cordoned and broken, one dies, one is slow: Healthy, with the exceptions named',
    opening:
      '20 nodes pull a new user image. One is full, one is cordoned and cannot start pods, one dies on the way, one is slow. ' +
      'The sync waits for the slow one alone; it ends Healthy and names the other three.',
    promise: { sync: 'Succeeded', reason: 'Pulled', tolerated: TROUBLED },
    withoutUs: (ready, scheduled) =>
      `With the chart's own awaiter this sync would hang: "${ready} of ${scheduled} ready" (it no longer counts the dead node), for ever.`,
  },
  'missing-image': {
    ...PLAIN,
    tag: '2026-04-31',
    summary: 'the tag was never pushed: the sync fails within three minutes and says why',
    opening:
      'The commit names a tag that was never pushed. The sync fails within three minutes, once, with the image, the nodes and ' +
      'what to do. The hub is not touched: users keep the image they have.',
    promise: { sync: 'Failed', reason: 'ImageMissing', tolerated: [] },
    withoutUs: (ready, scheduled) =>
      `With the chart's own awaiter this sync would hang: "${ready} of ${scheduled} ready", for ever, and not a word of the tag.`,
  },
  'rate-limit': {
    ...PLAIN,
    summary: 'the registry answers 429 for two minutes: the sync waits, then goes on',
    opening:
      'For two minutes the registry answers "429 Too Many Requests" to all nodes but six. The image is there, so the sync does ' +
      "not fail: it waits, shows the registry's words, and ends Healthy on all 20 nodes.",
    promise: { sync: 'Succeeded', reason: 'Pulled', tolerated: [] },
  },
  strict: {
    ...PLAIN,
    parameters: [{ name: 'strict', string: 'true' }],
    summary: 'the nodes of the tour with strict set: the sync fails',
    opening:
      'The same 20 nodes as in the tour, with the parameter strict: "true". What the tour tolerates is a failure now: when ' +
      'nothing pulls any more the sync fails and names three nodes. The hub is not touched.',
    promise: { sync: 'Failed', reason: 'ToleratedInStrict', tolerated: TROUBLED },
  },
  'late-node': {
    ...PLAIN,
    summary: 'a node joins while the others pull: the hub changes without waiting for it',
    opening:
      'A node joins while 20 others pull. The hub changes as soon as those 20 are done; the newcomer is left to the continuous ' +
      'puller, which brings it the image too. It all ends Healthy.',
    promise: { sync: 'Succeeded', reason: 'Pulled', tolerated: ['user-21'] },
  },
  'no-controller': {
    ...PLAIN,
    controllerAfter: 5 * MINUTE,
    summary: 'nobody judges the pull: the sync waits and says so, until the controller runs',
    opening:
      'The controller that judges pullers does not run. Without a verdict nothing is let through: the sync waits and asks for ' +
      'the controller, although the nodes have long pulled. After five minutes it starts, and the sync ends Healthy.',
    promise: { sync: 'Succeeded', reason: 'Pulled', tolerated: [] },
  },
};

/** By its name, which was checked. */
export function storyOf(name: string): Story {
  const story = STORIES[name];
  if (story === undefined) throw new Error('there is no such story');
  return story;
}

/** In what the end is another one than promised; empty when it is not. */
export function brokenPromises({ promise }: Story, { phase }: SyncOutcome, hook: Verdict | undefined): string[] {
  const tolerated = hook?.nodes.filter(({ state }) => state === 'tolerated').map(({ node }) => node) ?? [];
  const compared = [
    ['the sync', promise.sync, phase],
    ['the verdict of the hook', promise.reason, hook?.reason ?? 'none'],
    ['tolerated', promise.tolerated.join(', ') || 'no node', tolerated.join(', ') || 'no node'],
  ] as const;
  return compared
    .filter(([, promised, came]) => promised !== came)
    .map(([what, promised, came]) => `${what}: promised ${promised}, came ${came}`);
}

/** No story takes longer, in simulated milliseconds. */
const LONGEST = 20 * MINUTE;

/** Aborted when a story has gone on for too long. */
export function endless(clock: Clock): AbortSignal {
  const end = new AbortController();
  clock.after(LONGEST, () => {
    end.abort(new UserError('the demo did not end as promised: the sync goes on and on'));
  });
  return end.signal;
}
