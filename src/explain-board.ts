/** `explain --watch` on a terminal: every puller with its images and the nodes that are not done, drawn over as it changes. */
import { counts, HEALTH_TONES, imageLines, LOOKS, ORDER } from './board.ts';
import type { Line, Screen } from './screen.ts';
import type { Explained } from './verdict/explanation.ts';
import type { NodeState } from './verdict/verdict.ts';

/** Milliseconds between two drawings at least. */
const FRAME = 250;

export interface Teller {
  judged: (puller: Explained) => void;
  gone: (key: string) => void;
  /** A line beside it all. */
  remark: (line: string) => void;
  stop: () => void;
}

export function createBoard(screen: Screen, now: () => number): Teller {
  const pullers = new Map<string, Explained>();
  let isDirty = true;
  let drawnAt = 0;
  const draw = (): void => {
    // Once a second for the ages, sooner for news.
    if (!isDirty && now() - drawnAt < 1_000) return;
    isDirty = false;
    drawnAt = now();
    screen.draw(boardOf([...pullers.values()], { now: now(), tallest: screen.tallest }));
  };
  const timer = setInterval(draw, FRAME);
  return {
    judged(puller) {
      pullers.set(`${puller.namespace}/${puller.name}`, puller);
      isDirty = true;
    },
    gone(key) {
      if (pullers.delete(key)) screen.say(`${key} is gone`);
      isDirty = true;
    },
    remark: (line) => {
      screen.say(line);
    },
    stop() {
      clearInterval(timer);
      isDirty = true;
      draw();
      screen.keep();
    },
  };
}

/** The worst puller first; what does not fit is counted. */
export function boardOf(pullers: readonly Explained[], { now, tallest }: { now: number; tallest: number }): Line[] {
  if (pullers.length === 0) return [[], [{ text: 'Waiting for a puller: none is there yet.', tone: 'dim' }]];
  const rank = { Degraded: 0, Progressing: 1, Healthy: 2 };
  const ordered = [...pullers].sort((one, other) => rank[one.verdict.health] - rank[other.verdict.health]);
  const lines = ordered.flatMap((puller) => blockOf(puller, now));
  if (lines.length <= tallest) return lines;
  const shown = lines.slice(0, Math.max(0, tallest - 1));
  return [...shown, [{ text: `  … and ${lines.length - shown.length} more lines: prepuller explain`, tone: 'dim' }]];
}

function blockOf({ namespace, name, verdict }: Explained, now: number): Line[] {
  const { health, reason, nodes } = verdict;
  const title: Line = [
    { text: `${namespace}/${name}`, tone: 'bold' },
    { text: '  ' },
    { text: `${health} (${reason})`, tone: HEALTH_TONES[health] },
  ];
  const open = nodes.filter(({ state }) => state !== 'pulled');
  const sorted = open.sort(
    (one, other) =>
      ORDER.indexOf(one.state) - ORDER.indexOf(other.state) || (one.since ?? Infinity) - (other.since ?? Infinity),
  );
  return [[], title, counts(verdict), ...imageLines(verdict), ...sorted.flatMap((node) => nodeLines(node, now))];
}

function nodeLines({ node, state, image, message, fix, since }: NodeState, now: number): Line[] {
  const { sign, tone } = LOOKS[state];
  const age = since === undefined ? '' : `  ${ageText(now - since)}`;
  const what = image === undefined ? message : `${image}: ${message}`;
  const line: Line = [{ text: `  ${sign} ${node}`, tone }, { text: age, tone: 'dim' }, { text: `  ${what}` }];
  return fix === undefined ? [line] : [line, [{ text: `      → ${fix}` }]];
}

/** `45s`, `12m`, `3h`. */
function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 120) return `${seconds}s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)}m` : `${Math.floor(seconds / 3_600)}h`;
}
