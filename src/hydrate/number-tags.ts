/**
 * Image tags that YAML takes for numbers: helm would pull `1.10` as `1.1` and `20240101` as `2.0240101e+07`.
 * Mirrors how sigs.k8s.io/yaml reads a plain scalar and how Go templates print it.
 */
import { UserError } from '../errors.ts';
import { leaves, type ValuesNode, type ValuesTree } from './values-tree.ts';

interface NumberTag {
  shown: string;
  line: number;
  /** `singleuser.image.tag` */
  key: string;
  written: string;
  /** What the chart would see. */
  printed: string;
}

/** Beside `tag`, what makes a mapping an image. */
const IMAGE_KEYS = ['name', 'repository', 'registry', 'image', 'digest', 'pullPolicy'];
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const BOOL = /^(?:(true|True|TRUE|yes|Yes|YES|on|On|ON)|false|False|FALSE|no|No|NO|off|Off|OFF)$/;

/** Throws UserError, a line a tag, when a chart would not see a tag as it is written. */
export function refuseNumberTags(values: readonly ValuesTree[]): void {
  const lines = values
    .flatMap(findNumberTags)
    .map(
      ({ shown, line, key, written, printed }) =>
        `${shown} line ${String(line)}: ${key} ${written} is a number to YAML and would be pulled as ${printed}: ` +
        `quote the tag ("${written}")`,
    );
  if (lines.length > 0) throw new UserError(lines.join('\n'));
}

function findNumberTags(values: ValuesTree): NumberTag[] {
  const images = new Map<ValuesNode, boolean>();
  const found: NumberTag[] = [];
  for (const { path, parent, scalar } of leaves(values.root)) {
    if (!scalar.plain || path.at(-1) !== 'tag' || parent === undefined) continue;
    // Looked at once a mapping: a key may be repeated without end.
    if (!images.has(parent)) images.set(parent, isImage(parent, path.at(-2)));
    if (images.get(parent) !== true) continue;
    const printed = printedByGo(scalar.text);
    if (printed === undefined || printed === scalar.text) continue;
    found.push({ shown: values.shown, line: scalar.line, key: path.join('.'), written: scalar.text, printed });
  }
  return found;
}

function isImage(node: ValuesNode, key = ''): boolean {
  if (/image$/i.test(key)) return true;
  return node.kind === 'map' && node.entries.some((entry) => IMAGE_KEYS.includes(entry.key));
}

/** A plain scalar's text as a template prints it; undefined when YAML takes it for a string or for null. */
export function printedByGo(text: string): string | undefined {
  const bool = BOOL.exec(text);
  if (bool !== null) return bool[1] === undefined ? 'false' : 'true';
  const number = /^[-+.0-9]/.test(text) ? goNumber(text.replaceAll('_', '')) : undefined;
  return number === undefined ? undefined : goFloat(number);
}

/** Go's ParseInt with base 0, where a leading 0 is octal, then YAML's floats. */
function goNumber(text: string): number | undefined {
  const [, sign, digits] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const octal = /^0o?([0-7]+)$/.exec(digits)?.[1];
  if (octal !== undefined) return parseInt(`${sign ?? ''}${octal}`, 8);
  if (/^0x[0-9a-f]+$/i.test(digits) || /^0b[01]+$/i.test(digits)) return Number(digits) * (sign === '-' ? -1 : 1);
  return FLOAT.test(text) ? Number(text) : undefined;
}

/** Go's %v of a float64: the shortest digits, with an exponent of two digits below 1e-04 and from 1e+06 on. */
function goFloat(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
