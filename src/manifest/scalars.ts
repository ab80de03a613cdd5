/**
 * What a YAML scalar means to Kubernetes: the `resolve` function of go.yaml.in/yaml/v2, and the way sigs.k8s.io/yaml
 * turns its result into JSON (keys become strings, integers past 64 bits become floats, NaN and infinity are refused).
 */
import { NOT_RESOLVED } from 'js-yaml';

/** Marks scalars that are one thing as a value and another as a key. */
export const TWO_FACED = Symbol('two-faced');

/** Rare: a merge key, a float whose key form is not its JSON form, a number JSON cannot hold. */
export interface TwoFaced {
  readonly [TWO_FACED]: true;
  readonly key?: string;
  readonly isMerge?: boolean;
  readonly value?: unknown;
}

export type Resolved = string | number | bigint | boolean | null | TwoFaced | typeof NOT_RESOLVED;

const WORDS = new Map<string, Resolved>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word): [string, Resolved] => [word, null]),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word): [string, Resolved] => [
    word,
    true,
  ]),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word): [string, Resolved] => [
    word,
    false,
  ]),
]);
const INFINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
/** Left over from before Go read `0b` itself; `0b-1` is −1. */
const SIGNED_BINARY = /^0b([-+])([01]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

/** null or a boolean for the words go-yaml knows. */
export function resolveWord(source: string): Resolved {
  return WORDS.get(source) ?? (WORDS.has(source) ? null : NOT_RESOLVED);
}

/** Number where exact, else BigInt; two-faced beyond int64 (fine as a value, refused as a key). Overflow is no integer. */
export function resolveInteger(source: string): Resolved {
  const plain = source.includes('_') ? source.replaceAll('_', '') : source;
  const found = INTEGER.exec(plain);
  if (found === null) return resolveSignedBinary(plain);
  const [, sign, hex, binary, octal, decimal] = found;
  if (decimal !== undefined && decimal.length < 16) return signed(sign, Number(decimal));
  const digits =
    hex !== undefined
      ? `0x${hex}`
      : binary !== undefined
        ? `0b${binary}`
        : octal !== undefined
          ? `0o${octal}`
          : decimal;
  const magnitude = BigInt(digits ?? 0);
  return narrow(sign === '-' ? -magnitude : magnitude, sign !== '');
}

function resolveSignedBinary(plain: string): Resolved {
  const found = SIGNED_BINARY.exec(plain);
  if (found === null) return NOT_RESOLVED;
  const magnitude = BigInt(`0b${found[2] ?? '0'}`);
  return narrow(found[1] === '-' ? -magnitude : magnitude, true);
}

function signed(sign: string | undefined, magnitude: number): number {
  return sign === '-' && magnitude !== 0 ? -magnitude : magnitude;
}

function narrow(integer: bigint, hasSign: boolean): Resolved {
  if (integer >= BigInt(Number.MIN_SAFE_INTEGER) && integer <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(integer);
  if (integer >= MIN_INT64 && integer <= MAX_INT64) return integer;
  return integer > 0 && integer <= MAX_UINT64 && !hasSign
    ? { [TWO_FACED]: true, value: Number(integer) }
    : NOT_RESOLVED;
}

/** Out of range is no float for Go: the text stays a string. */
export function resolveFloat(source: string): Resolved {
  if (INFINITE.test(source)) return { [TWO_FACED]: true, key: source.replace('+', '').toLowerCase() };
  const plain = source.startsWith('.') ? source : source.replaceAll('_', '');
  if (!FLOAT.test(plain)) return NOT_RESOLVED;
  const value = Number(plain);
  if (!Number.isFinite(value)) return NOT_RESOLVED;
  return { [TWO_FACED]: true, key: floatKey(value), value: value === 0 ? 0 : value };
}

/** strconv.FormatFloat(value, 'g', -1, 32), as sigs.k8s.io/yaml writes a float that is a key. */
function floatKey(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  if (Object.is(single, -0)) return '-0';
  let precision = 1;
  while (precision < 9 && Math.fround(Number(single.toPrecision(precision))) !== single) precision += 1;
  const [mantissa = '', exponent = '0'] = single.toExponential(precision - 1).split('e');
  const isSmall = Number(exponent) >= -4 && Number(exponent) < 6;
  return isSmall
    ? String(Number(single.toPrecision(precision)))
    : `${mantissa}e${exponent.replace(/\d+/, (digits) => digits.padStart(2, '0'))}`;
}

export function isTwoFaced(value: unknown): value is TwoFaced {
  return typeof value === 'object' && value !== null && TWO_FACED in value;
}
