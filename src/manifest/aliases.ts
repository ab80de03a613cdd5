/** Refuses aliases that expand without measure or into themselves: the counters of go.yaml.in/yaml/v2's decoder. */
import { EVENT_ID, type Event } from 'js-yaml';

interface Count {
  /** Nodes decoded so far, those within aliases each time they are expanded. */
  decoded: number;
  fromAliases: number;
  /** Nodes under each anchor; `open` while its collection is still being read. */
  sizes: Map<string, number | 'open'>;
  /** Collections being read: their anchor, and what was decoded before them. */
  open: { anchor: string | undefined; before: number }[];
}

/** Linear in the text, whatever the aliases would expand to. undefined where go-yaml decodes the document. */
export function findAliasProblem(
  text: string,
  events: readonly Event[],
): { reason: string; offset: number } | undefined {
  if (!events.some(({ type }) => type === EVENT_ID.ALIAS)) return undefined;
  const count: Count = { decoded: 0, fromAliases: 0, sizes: new Map(), open: [] };
  for (const event of events) {
    const reason = take(count, text, event);
    if (reason !== undefined) return { reason, offset: event.type === EVENT_ID.ALIAS ? event.anchorStart : 0 };
  }
  return undefined;
}

function take(count: Count, text: string, event: Event): string | undefined {
  if (event.type === EVENT_ID.POP) {
    close(count);
  } else if (event.type === EVENT_ID.DOCUMENT) {
    count.open.push({ anchor: undefined, before: 0 });
  } else {
    const anchor = event.anchorStart < 0 ? undefined : text.slice(event.anchorStart, event.anchorEnd);
    if (event.type === EVENT_ID.ALIAS) return expand(count, anchor ?? '');
    begin(count, anchor, event.type !== EVENT_ID.SCALAR);
  }
  return undefined;
}

function begin(count: Count, anchor: string | undefined, isCollection: boolean): void {
  if (isCollection) count.open.push({ anchor, before: count.decoded });
  if (anchor !== undefined) count.sizes.set(anchor, isCollection ? 'open' : 1);
  count.decoded += 1;
}

function close(count: Count): void {
  const closed = count.open.pop();
  if (closed?.anchor !== undefined) count.sizes.set(closed.anchor, count.decoded - closed.before);
}

function expand(count: Count, anchor: string): string | undefined {
  const size = count.sizes.get(anchor) ?? 0;
  if (size === 'open') return 'an anchor contains itself';
  count.decoded += size + 1;
  count.fromAliases += size;
  const { decoded, fromAliases } = count;
  const isExcessive = fromAliases > 100 && decoded > 1000 && fromAliases / decoded > allowedShare(decoded);
  return isExcessive ? 'the document expands its aliases excessively' : undefined;
}

/** Up to 400,000 decoded nodes 99 % may come from aliases, then less and less, down to 10 % from 4,000,000. */
function allowedShare(decoded: number): number {
  const share = (decoded - 400_000) / 3_600_000;
  return 0.99 - 0.89 * Math.min(Math.max(share, 0), 1);
}
