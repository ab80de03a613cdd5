/** `explain --watch` in a log: a line for each change of a puller, and one for each node that comes to be more than at work. */
import { printable } from './log.ts';
import type { Teller } from './explain-board.ts';
import type { Explained } from './verdict/explanation.ts';
import { timeText } from './verdict/text.ts';
import type { NodeState } from './verdict/verdict.ts';

/** Milliseconds between two lines of mere progress of one puller. */
const PROGRESS_EVERY = 5_000;

interface Told {
  health: string;
  message: string;
  at: number;
  /** By node, what was said of it. */
  nodes: ReadonlyMap<string, string>;
}

export function createLines(say: (line: string) => void, now: () => number): Teller {
  const told = new Map<string, Told>();
  const line = (text: string): void => {
    say(printable(`${timeText(now())} ${text}`));
  };
  return {
    judged({ namespace, name, verdict }: Explained) {
      const key = `${namespace}/${name}`;
      const { health, reason, message } = verdict;
      const last = told.get(key);
      const nodes = new Map(verdict.nodes.filter(isNews).map((state) => [state.node, sentence(state)]));
      for (const [node, text] of nodes) if (last?.nodes.get(node) !== text) line(`${key} ${text}`);
      const isSame = last?.health === health && (last.message === message || now() - last.at < PROGRESS_EVERY);
      if (!isSame) line(`${key} ${health} (${reason}): ${message}`);
      told.set(key, isSame ? { ...last, nodes } : { health, message, at: now(), nodes });
    },
    gone(key) {
      if (told.delete(key)) line(`${key} is gone`);
    },
    remark: say,
    stop: () => undefined,
  };
}

/** All but pulled, and at work without trouble. */
function isNews({ state, reason }: NodeState): boolean {
  return state === 'failed' || state === 'tolerated' || reason === 'Retrying' || reason === 'Waiting';
}

function sentence({ node, state, image, message, fix }: NodeState): string {
  const what = image === undefined ? message : `image ${image}: ${message}`;
  return `node ${node} ${state}: ${what}${fix === undefined ? '' : `. ${fix}`}`;
}
