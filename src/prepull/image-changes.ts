/** What `images --since` says: images added and removed between two reports of one app, compared by identity, and as people read it. */
import { identityOf } from './collect-images.ts';
import type { SkippedImage } from './collect-images.ts';
import { oneLine, placeOf } from './images-report.ts';
import type { ImagesReport } from './images-report.ts';

type ListedImage = ImagesReport['images'][number];

/** Stable as JSON: a field may be added, none is renamed or removed. */
export interface ImageChanges {
  /** Full hashes of the two commits. */
  from: string;
  to: string;
  added: ListedImage[];
  removed: ListedImage[];
  /** How many images are the same in both; order, quoting and the places that name them do not count. */
  unchanged: number;
  /** Named at `to`, but not pulled. */
  skipped: SkippedImage[];
}

export function imageChanges(
  from: { commit: string; report: ImagesReport },
  to: { commit: string; report: ImagesReport },
): ImageChanges {
  const before = new Set(from.report.images.map(({ reference }) => identityOf(reference)));
  const after = new Set(to.report.images.map(({ reference }) => identityOf(reference)));
  const added = to.report.images.filter(({ reference }) => !before.has(identityOf(reference)));
  const removed = from.report.images.filter(({ reference }) => !after.has(identityOf(reference)));
  return {
    from: from.commit,
    to: to.commit,
    added,
    removed,
    unchanged: after.size - added.length,
    skipped: to.report.skipped,
  };
}

/** A line an image, `+` or `-`, the places that name it indented below. */
export function changesAsText(changes: ImageChanges): string {
  const { from, to, added, removed, unchanged } = changes;
  const title = `images from ${short(from)} to ${short(to)}: ${added.length} added, ${removed.length} removed, ${unchanged} unchanged`;
  const lines = [...added.map((image) => entry('+', image)), ...removed.map((image) => entry('-', image))];
  return [title, ...lines, ''].join('\n');
}

function entry(sign: string, { reference, sources }: ListedImage): string {
  return [`${sign} ${reference}`, ...sources.map((source) => `    ${placeOf(source)}`)].join('\n');
}

/** For a comment on a pull request. Text from the chart stands in code spans, so that it cannot become links, mentions or HTML. */
export function changesAsMarkdown(changes: ImageChanges): string {
  const { from, to, added, removed, unchanged, skipped } = changes;
  if (added.length + removed.length === 0)
    return `**No user image changes** from ${code(short(from))} to ${code(short(to))} (${unchanged} unchanged).\n`;
  const row =
    (what: string) =>
    ({ reference, sources }: ListedImage): string =>
      `| ${what} | ${code(reference)} | ${sources.map((source) => code(placeOf(source))).join('<br>')} |`;
  const notPulled = skipped.map(({ reference, why }) => `- not pulled: ${code(reference)}, ${code(why)}`);
  return [
    `**User images** from ${code(short(from))} to ${code(short(to))}: ${added.length} added, ${removed.length} removed, ${unchanged} unchanged.`,
    '',
    '| | image | named by |',
    '|---|---|---|',
    ...added.map(row('added')),
    ...removed.map(row('removed')),
    ...(notPulled.length === 0 ? [] : ['', ...notPulled]),
    '',
  ].join('\n');
}

function short(commit: string): string {
  return commit.slice(0, 8);
}

/** A code span, longer fences than any in it, bars escaped for the table. */
function code(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 ? ' ' : '';
  return `${fence}${padding}${line.replaceAll('|', '\\|')}${padding}${fence}`;
}
