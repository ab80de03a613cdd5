/** The js-yaml schemas that read as go-yaml v2 under sigs.k8s.io/yaml does, and write what any YAML reader takes the same way. */
import {
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  DUMP_SCHEMA,
  FAILSAFE_SCHEMA,
  NOT_RESOLVED,
  type MappingTagDefinition,
  type ScalarTagDefinition,
  type Schema,
  type SequenceTagDefinition,
} from 'js-yaml';
import {
  isTwoFaced,
  resolveFloat,
  resolveInteger,
  resolveWord,
  TWO_FACED,
  type Resolved,
  type TwoFaced,
} from './scalars.ts';

type JsonMap = Record<string, unknown>;

const YAML = 'tag:yaml.org,2002:';
const DIGITS = '0123456789'.split('');
/** JavaScript writes integers from here on with an exponent, which YAML takes for a float. */
const EXPONENT_FROM = 1e21;
const NUMBER_STARTS = ['+', '-', '.', ...DIGITS];
const MERGE: TwoFaced = { [TWO_FACED]: true, isMerge: true, value: '<<' };
const NOT_JSON = 'infinity or not-a-number: JSON has no such value';

const nullTag = defineScalarTag<Resolved>(`${YAML}null`, {
  implicit: true,
  implicitFirstChars: ['', '~', 'n', 'N'],
  resolve: (source) => (resolveWord(source) === null ? null : NOT_RESOLVED),
  identify: (value) => value === null,
  represent: () => 'null',
});

const boolTag = defineScalarTag<Resolved>(`${YAML}bool`, {
  implicit: true,
  implicitFirstChars: 'yYnNtTfFoO'.split(''),
  resolve: (source) => {
    const word = resolveWord(source);
    return typeof word === 'boolean' ? word : NOT_RESOLVED;
  },
  identify: (value) => typeof value === 'boolean',
});

const intTag = defineScalarTag<Resolved>(`${YAML}int`, {
  implicit: true,
  implicitFirstChars: ['+', '-', ...DIGITS],
  resolve: resolveInteger,
  identify: (value) =>
    typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(Number(value)) < EXPONENT_FROM),
});

const floatTag = defineScalarTag<Resolved>(`${YAML}float`, {
  implicit: true,
  implicitFirstChars: NUMBER_STARTS,
  resolve: (source, isExplicit) => {
    const whole = isExplicit ? resolveInteger(source) : NOT_RESOLVED;
    return whole === NOT_RESOLVED ? resolveFloat(source) : whole;
  },
  identify: (value) => typeof value === 'number' && Number.isFinite(value),
});

/** Only the key knows whether `<<` merges; the mapping below asks it. */
const mergeTag = defineScalarTag<Resolved>('merge-key', {
  implicit: true,
  implicitFirstChars: ['<'],
  resolve: (source) => (source === '<<' ? MERGE : NOT_RESOLVED),
  identify: () => false,
});

const explicitMergeTag = defineScalarTag<Resolved>(`${YAML}merge`, {
  resolve: (source) => (source === '<<' ? MERGE : source),
  identify: () => false,
});

/** Bytes read as text, as json.Marshal writes them. */
const binaryTag = defineScalarTag<Resolved>(`${YAML}binary`, {
  resolve: (source) => {
    const text = source.replaceAll(/[\r\n]/g, '');
    const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
    return isBase64 ? Buffer.from(text, 'base64').toString('utf8') : NOT_RESOLVED;
  },
  identify: () => false,
});

/** go-yaml keeps the text under a tag it does not know, as it keeps such a list or map. */
const unknownTag = defineScalarTag<Resolved>('', {
  matchByTagPrefix: true,
  resolve: (source) => source,
  identify: () => false,
});

function anySequence(tagName: string, matchByTagPrefix: boolean): SequenceTagDefinition<unknown[]> {
  return defineSequenceTag<unknown[]>(tagName, {
    matchByTagPrefix,
    create: () => [],
    addItem: (items, item) => {
      if (!isTwoFaced(item)) items.push(item);
      else if (item.value === undefined) return NOT_JSON;
      else items.push(item.value);
      return '';
    },
    identify: (value) => !matchByTagPrefix && Array.isArray(value),
  });
}

function anyMapping(tagName: string, matchByTagPrefix: boolean): MappingTagDefinition<JsonMap> {
  return defineMappingTag<JsonMap>(tagName, {
    matchByTagPrefix,
    create: () => ({}),
    addPair,
    has: () => false,
    keys: Object.keys,
    get: (map, key) => map[String(key)],
    identify: (value) => !matchByTagPrefix && typeof value === 'object' && value !== null && !Array.isArray(value),
    represent: (map: JsonMap) => new Map(Object.entries(map).filter(([, value]) => value !== undefined)),
  });
}

/** The last of several equal keys wins, merged ones included: go-yaml v2 fills the map in the order of the text. */
function addPair(map: JsonMap, key: unknown, value: unknown): string {
  if (isTwoFaced(value)) {
    if (value.value === undefined) return NOT_JSON;
    value = value.value;
  }
  if (typeof key === 'string') return set(map, key, value);
  if (typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean')
    return set(map, String(key), value);
  if (!isTwoFaced(key)) return 'a key is null, a list or a map';
  if (key.isMerge === true) return merge(map, value);
  return key.key === undefined ? 'a key is an integer beyond 64 bits' : set(map, key.key, value);
}

function set(map: JsonMap, key: string, value: unknown): string {
  if (key === '__proto__')
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
  return '';
}

function merge(map: JsonMap, value: unknown): string {
  const sources: unknown[] = Array.isArray(value) ? value.toReversed() : [value];
  for (const source of sources) {
    if (typeof source !== 'object' || source === null || Array.isArray(source))
      return 'map merge requires map or sequence of maps as the value';
    for (const [key, merged] of Object.entries(source)) set(map, key, merged);
  }
  return '';
}

export const READ_SCHEMA: Schema = FAILSAFE_SCHEMA.withTags(
  [nullTag, boolTag, intTag, floatTag, mergeTag, explicitMergeTag, binaryTag],
  [anySequence(`${YAML}seq`, false), anyMapping(`${YAML}map`, false)],
  [unknownTag, anySequence('', true), anyMapping('', true)],
);

/** Quotes whatever either go-yaml or another YAML 1.1 or 1.2 reader would not take for a string. */
export const WRITE_SCHEMA: Schema = READ_SCHEMA.withTags(
  DUMP_SCHEMA.tags
    .filter((tag) => tag.nodeKind === 'scalar' && tag.implicit)
    .map((tag) => withBoth(tag as ScalarTagDefinition<Resolved>)),
);

function withBoth(theirs: ScalarTagDefinition<Resolved>): ScalarTagDefinition<Resolved> {
  const ours = [nullTag, boolTag, intTag, floatTag].find((tag) => tag.tagName === theirs.tagName);
  if (ours === undefined) return { ...theirs, identify: () => false };
  return {
    ...ours,
    implicitFirstChars: null,
    resolve: (source, isExplicit, tagName) => {
      const resolved = ours.resolve(source, isExplicit, tagName);
      return resolved === NOT_RESOLVED ? theirs.resolve(source, isExplicit, tagName) : resolved;
    },
  };
}
