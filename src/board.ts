/** How a puller stands, as lines of a terminal: one cell a node, how far each image is, every node that is more than at work. */
import type { Health, State } from './api/reasons.ts';
import type { Line, Span, Tone } from './screen.ts';
import type { ImageProgress, NodeState, Verdict } from './verdict/verdict.ts';

export interface Standing {
  /** Simulated time of day. */
  time: string;
  puller: string;
  /** As Argo CD sees it. */
  health: Health;
  message: string;
  /** Absent while nobody has judged it. */
  verdict: Verdict | undefined;
}

export const HEALTH_TONES: Readonly<Record<Health, Tone>> = { Healthy: 'green', Progressing: 'cyan', Degraded: 'red' };

export const LOOKS: Readonly<Record<State, { sign: string; tone: Tone }>> = {
  pulled: { sign: '✔', tone: 'green' },
  pulling: { sign: '↓', tone: 'cyan' },
  tolerated: { sign: '○', tone: 'yellow' },
  failed: { sign: '✖', tone: 'red' },
};
/** From worst to best. */
export const ORDER: readonly State[] = ['failed', 'tolerated', 'pulling', 'pulled'];
const CELLS = 5;
const ROWS_OF_REMARKS = 6;

export function boardOf({ time, puller, health, message, verdict }: Standing): Line[] {
  const title: Line = [
    { text: `${time}  ` },
    { text: puller, tone: 'bold' },
    { text: '  ' },
    { text: health, tone: HEALTH_TONES[health] },
  ];
  if (verdict === undefined) return [[], title, [{ text: `  ${message}` }], []];
  return [[], title, counts(verdict), [], ...cells(verdict.nodes), [], ...remarkLines(verdict.nodes), []];
}

const BAR = 20;

/** A line an image: on how many of the nodes that count it is. */
export function imageLines({ images, counts: { pulled, pulling, failed } }: Verdict): Line[] {
  return images.map((image): Line => {
    const nodes = Math.max(pulled + pulling + failed, image.nodes);
    const full = nodes === 0 ? 0 : Math.floor((BAR * image.nodes) / nodes);
    return [
      { text: `  ${'█'.repeat(full)}`, tone: image.nodes === nodes ? 'green' : 'cyan' },
      { text: '░'.repeat(BAR - full), tone: 'dim' },
      { text: `  ${share(image, nodes)}  ${image.image}` },
    ];
  });
}

function share({ nodes }: ImageProgress, of: number): string {
  return `${nodes}/${of}`.padStart(String(of).length * 2 + 1);
}

export function counts({ counts: numbers }: Verdict): Line {
  return [...ORDER].reverse().flatMap((state): Span[] => {
    const { sign, tone } = LOOKS[state];
    return [{ text: `  ${sign} ${numbers[state]} ${state}`, tone: numbers[state] === 0 ? 'dim' : tone }];
  });
}

function cells(nodes: readonly NodeState[]): Line[] {
  const width = Math.max(0, ...nodes.map(({ node }) => node.length)) + 4;
  const spans = nodes.map(({ node, state }): Span => {
    const { sign, tone } = LOOKS[state];
    return { text: `  ${sign} ${node}`.padEnd(width + 2), tone };
  });
  const rows = Math.ceil(spans.length / CELLS);
  return Array.from({ length: rows }, (_, row) => spans.slice(row * CELLS, (row + 1) * CELLS));
}

function remarkLines(nodes: readonly NodeState[]): Line[] {
  return remarksOn(nodes)
    .slice(0, ROWS_OF_REMARKS)
    .map(({ state, who, why }): Line => {
      const { sign, tone } = LOOKS[state];
      return [{ text: `  ${sign} ${who}`, tone }, { text: `  ${why}` }];
    });
}

export interface Remark {
  state: State;
  /** A node, or how many. */
  who: string;
  why: string;
}

/** What is to be said of nodes that failed, are tolerated, or have an error that may pass: equal fates together, the worst first. */
export function remarksOn(nodes: readonly NodeState[]): Remark[] {
  const told = nodes.filter(({ state, reason }) => ['failed', 'tolerated'].includes(state) || reason === 'Retrying');
  const fates = Map.groupBy(told, ({ state, message }) => `${state} ${message}`);
  const remarks = [...fates.values()].map((same): Remark => {
    const [{ state, message, node }] = same as [NodeState, ...NodeState[]];
    return { state, who: same.length === 1 ? node : `${same.length} nodes`, why: message };
  });
  return remarks.sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
}
