/**
 * Labels on nodes that say which images they have (verdict/node-marks.ts): read from the nodes when this replica begins to write and
 * now and then, since nodes are not watched; written a few a second, and only where they differ. Verdicts never wait for them.
 */
import { PULLED_LABEL } from '../api/names.ts';
import { labelAt, textAt } from '../verdict/fields.ts';
import { markOf, marksOf } from '../verdict/node-marks.ts';
import type { Marking } from '../verdict/node-marks.ts';
import type { DaemonSet } from '../verdict/snapshot.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { createBackOff } from './back-off.ts';
import type { Clock } from './clock.ts';
import { KeyQueue } from './key-queue.ts';
import type { Work } from './key-queue.ts';
import { codeOf, isForbidden, pathOf } from './kube-api.ts';
import type { KubeClient } from './kube-api.ts';
import { keyOf } from './object-cache.ts';
import type { Picture } from './picture.ts';

export interface NodeMarksOptions {
  client: KubeClient;
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
  picture: Pick<Picture, 'pullers' | 'isLive' | 'age'>;
  isLeader: () => boolean;
  /** Told once of each kind of failure until everything is written. */
  failed: (error: unknown) => void;
}

export interface NodeMarks {
  judged(daemonSet: DaemonSet, verdict: Verdict): void;
  gone(key: string): void;
  /** This replica writes from now on. */
  begin(): void;
}

/** Together at most ten writes a second, about as many as five thousand kubelets report with: whoever watches nodes gets each of them. */
const EVERY = 1_000;
const AT_ONCE = 10;

/** Somebody may take a label away, or a node of the same name take another's place. In milliseconds. */
const READ_EVERY = 600_000;

const BACK_OFF = { first: EVERY, most: 30_000 };

const PAGE = 500;

interface Working extends NodeMarksOptions {
  /** What the pullers say, by key. */
  pullers: Map<string, Marking>;
  /** What the nodes carry as far as is known, and since when; undefined until this replica has read it. */
  carried: { labels: Map<string, string>; readAt: number } | undefined;
  /** Nodes whose last write failed: after all others. */
  refused: Set<string>;
}

export function createNodeMarks(options: NodeMarksOptions): NodeMarks {
  const { clock, random, signal, failed } = options;
  const working: Working = { ...options, pullers: new Map(), carried: undefined, refused: new Set() };
  const queue = new KeyQueue({
    clock,
    random,
    work: takeTurns(working),
    failed: (_key, error) => {
      failed(error);
    },
  });
  const wake = (): void => {
    queue.add(PULLED_LABEL);
  };
  signal.addEventListener('abort', () => {
    queue.stop();
  });
  return {
    judged(daemonSet, verdict) {
      const digest = markOf(daemonSet);
      const key = keyOf(daemonSet);
      if (digest !== undefined) working.pullers.set(key, { digest, nodes: verdict.nodes });
      else if (!working.pullers.delete(key)) return;
      wake();
    },
    gone(key) {
      if (working.pullers.delete(key)) wake();
    },
    begin() {
      working.carried = undefined;
      wake();
    },
  };
}

/** Turns keep their distance whatever wakes them, a longer one after failures. */
function takeTurns(working: Working): Work {
  const { clock, random, signal, failed } = working;
  const backOff = createBackOff(BACK_OFF, random);
  const told = new Set<number | undefined>();
  let notBefore = -Infinity;
  return async () => {
    const rest = notBefore - clock.now();
    if (rest > 0) return rest;
    notBefore = clock.now() + EVERY;
    try {
      const next = await turn(working);
      backOff.reset();
      if (next !== EVERY) told.clear();
      return next;
    } catch (error) {
      const code = codeOf(error);
      if (!signal.aborted && !told.has(code)) failed(error);
      told.add(code);
      const wait = Math.max(EVERY, backOff.next());
      notBefore = clock.now() + wait;
      return wait;
    }
  };
}

/** Milliseconds until the next turn; undefined when another replica writes. Fails as the first write that failed did. */
async function turn(working: Working): Promise<number | undefined> {
  const { clock, isLeader } = working;
  if (!isLeader()) return undefined;
  if (!isWhole(working)) return EVERY;
  const carried = await read(working);
  const changes = changesOf(carried.labels, working);
  if (changes.length === 0) working.refused.clear();
  await write(changes.slice(0, AT_ONCE), carried.labels, working);
  return changes.length > AT_ONCE ? EVERY : carried.readAt + READ_EVERY - clock.now();
}

/** Every puller that marks nodes was judged as it now is: what one of them has not said yet must not take marks away. */
function isWhole({ picture, pullers }: Working): boolean {
  if (picture.age() === undefined) return false;
  return picture.pullers().every((daemonSet) => {
    const digest = markOf(daemonSet);
    if (digest === undefined) return true;
    return picture.isLive(daemonSet.namespace) && pullers.get(keyOf(daemonSet))?.digest === digest;
  });
}

async function read(working: Working): Promise<NonNullable<Working['carried']>> {
  const { client, clock, signal, carried } = working;
  if (carried !== undefined && clock.now() < carried.readAt + READ_EVERY) return carried;
  const readAt = clock.now();
  const labels = new Map<string, string>();
  for (let next: string | undefined; ;) {
    const query = { limit: PAGE, continue: next, labelSelector: PULLED_LABEL };
    const page = await client.list(pathOf('nodes'), query, signal);
    for (const node of page.items)
      labels.set(textAt(node, 'metadata', 'name'), labelAt(node, 'metadata', 'labels', PULLED_LABEL) ?? '');
    next = page.next;
    if (next === undefined) break;
  }
  working.carried = { labels, readAt };
  return working.carried;
}

type Change = readonly [node: string, mark: string | undefined];

/** What is not true comes first, what was refused last. */
function changesOf(labels: ReadonlyMap<string, string>, { pullers, refused }: Working): Change[] {
  const marks = marksOf(pullers.values());
  const wrong = [...labels].filter(([node, label]) => marks.get(node) !== label);
  const missing = [...marks].filter(([node]) => !labels.has(node));
  const changes = [...wrong.map(([node]): Change => [node, marks.get(node)]), ...missing];
  return changes.sort(([one], [other]) => Number(refused.has(one)) - Number(refused.has(other)));
}

async function write(changes: readonly Change[], labels: Map<string, string>, working: Working): Promise<void> {
  const { refused, isLeader } = working;
  let failure: Error | undefined;
  for (const [node, mark] of changes) {
    if (!isLeader()) return;
    try {
      const isThere = await writeOne(node, mark, working);
      refused.delete(node);
      if (isThere && mark !== undefined) labels.set(node, mark);
      else labels.delete(node);
    } catch (error) {
      refused.add(node);
      failure ??= error as Error;
      if (isForbidden(error)) break;
    }
  }
  if (failure !== undefined) throw failure;
}

/** False when there is no such node any more. */
async function writeOne(node: string, mark: string | undefined, { client, signal }: Working): Promise<boolean> {
  const labels = { [PULLED_LABEL]: mark ?? null };
  try {
    await client.patch(`${pathOf('nodes')}/${encodeURIComponent(node)}`, { metadata: { labels } }, signal);
    return true;
  } catch (error) {
    if (codeOf(error) === 404) return false;
    throw error;
  }
}
