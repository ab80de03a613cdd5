/** Durations as Go's time.ParseDuration writes them, whole units only: `90s`, `5m`, `1h30m`, `500ms`. */

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /^(?:\d+(?:ms|s|m|h))+$/;

/** Milliseconds, or undefined when the text is no duration. `0` alone is allowed, as Go allows it. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!DURATION.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h)/g)];
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0);
  return Number.isSafeInteger(total) ? total : undefined;
}

/** The shortest exact text for whole milliseconds, largest units first: 90000 → `1m30s`, 3600000 → `1h`. */
export function printDuration(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (const unit of ['h', 'm', 's', 'ms']) {
    const size = UNITS[unit] ?? 1;
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${String(count)}${unit}`;
  }
  return text === '' ? '0s' : text;
}
