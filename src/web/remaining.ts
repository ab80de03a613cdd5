/** When a pull may end: a range from what other nodes took, and nothing where no node has shown it yet. */
import { timeText } from '../verdict/text.ts';
import type { NodeState, Verdict } from '../verdict/verdict.ts';

/** Milliseconds. */
export interface Range {
  shortest: number;
  longest: number;
  /** Of how many. */
  count: number;
}

/** When a pull is expected to end; times are RFC 3339, so that what remains can be said at any moment. */
export interface Expected {
  earliest: string;
  /** Absent when a node has taken longer than any did before it. */
  latest?: string;
  /** Pulls, or whole nodes, that this is taken from. */
  basis: number;
}

export interface Experience {
  /** What kubelets said of single pulls, by image. */
  pulls: ReadonlyMap<string, Range>;
  /** What whole nodes took, from the first look on. */
  nodes: Range | undefined;
}

export function widen(range: Range | undefined, milliseconds: number): Range {
  if (range === undefined) return { shortest: milliseconds, longest: milliseconds, count: 1 };
  return {
    shortest: Math.min(range.shortest, milliseconds),
    longest: Math.max(range.longest, milliseconds),
    count: range.count + 1,
  };
}

const NUMBERS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1, µs: 0.001, ns: 0.000001 };

/**
 * Image and milliseconds of `Successfully pulled image "x" in 1m2.3s (1m5s including waiting)…`, the text of kubelet's
 * pkg/kubelet/images/image_manager.go; waiting counts, since nodes that pull wait as well.
 */
export function readPulled(message: string): { image: string; milliseconds: number } | undefined {
  const [, image, own, waited] =
    /^Successfully pulled image "([^"]{1,512})" in ([\dhmsµn.]{1,40})(?: \(([\dhmsµn.]{1,40}) including waiting\))?/.exec(
      message,
    ) ?? [];
  if (image === undefined || own === undefined) return undefined;
  const parts = [...(waited ?? own).matchAll(/([\d.]+)(h|ms|m|s|µs|ns)/g)];
  const milliseconds = parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (NUMBERS[unit] ?? 0), 0);
  return Number.isFinite(milliseconds) ? { image, milliseconds } : undefined;
}

/** Undefined where nothing pulls, something is in trouble that no other node's time tells of, or a node has no basis. */
export function expectedEnd(
  verdict: Verdict,
  startedAt: number,
  experience: Experience,
  now: number,
): Expected | undefined {
  const pulling = verdict.nodes.filter(({ state }) => state === 'pulling');
  const isCounted = pulling.length === verdict.counts.pulling && pulling.length > 0;
  if (verdict.health !== 'Progressing' || !isCounted) return undefined;
  const images = verdict.images.map(({ image }) => image);
  let whole: Range | undefined;
  for (const node of pulling) {
    if (node.reason !== 'InProgress') return undefined;
    const own = ofNode(node, images, experience.pulls, now) ?? ofWhole(experience.nodes, now - startedAt);
    if (own === undefined) return undefined;
    whole = whole === undefined ? own : later(whole, own);
  }
  return whole === undefined ? undefined : from(whole, now);
}

/** The image it is at, and those behind it; images come one after the other, in the order of the template. */
function ofNode(
  { image, since }: NodeState,
  images: readonly string[],
  pulls: Experience['pulls'],
  now: number,
): Range | undefined {
  const at = images.indexOf(image ?? '');
  const known = images.slice(at).flatMap((one) => pulls.get(one) ?? []);
  if (at < 0 || since === undefined || known.length < images.length - at) return undefined;
  const [current, ...behind] = known as [Range, ...Range[]];
  const sum = (which: 'shortest' | 'longest'): number => behind.reduce((total, one) => total + one[which], 0);
  const left = current.longest - (now - since);
  return {
    shortest: Math.max(0, current.shortest - (now - since)) + sum('shortest'),
    longest: left < 0 ? Infinity : left + sum('longest'),
    count: Math.min(...known.map(({ count }) => count)),
  };
}

function ofWhole(nodes: Range | undefined, elapsed: number): Range | undefined {
  if (nodes === undefined) return undefined;
  const longest = nodes.longest < elapsed ? Infinity : nodes.longest - elapsed;
  return { shortest: Math.max(0, nodes.shortest - elapsed), longest, count: nodes.count };
}

function later(one: Range, other: Range): Range {
  return {
    shortest: Math.max(one.shortest, other.shortest),
    longest: Math.max(one.longest, other.longest),
    count: Math.min(one.count, other.count),
  };
}

function from({ shortest, longest, count }: Range, now: number): Expected {
  return {
    earliest: timeText(now + shortest),
    ...(Number.isFinite(longest) && { latest: timeText(now + longest) }),
    basis: count,
  };
}
