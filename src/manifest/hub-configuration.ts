/**
 * Finds the values a JupyterHub chart hands to its hub: a Secret or ConfigMap with `values.yaml`, or one key per value in charts
 * before 0.8. Recognised by content (`singleuser`), never by name.
 */
import type { Warning } from '../api/warning.ts';
import { componentOf, titleOf } from './labels.ts';
import type { KubeObject } from './manifest.ts';
import { asMapping, asText, type Mapping } from './mapping.ts';
import { parseYaml, YamlProblem } from './yaml.ts';

export interface HubConfiguration {
  /** The Secret or ConfigMap. */
  object: KubeObject;
  /** The chart's values as the hub reads them; empty when they cannot be read (then a warning says so). */
  values: Mapping;
  warnings: Warning[];
}

const VALUES_KEY = 'values.yaml';
const SPLIT_KEY = /^(?:singleuser|prePuller|scheduling)\./;

/** Every object that holds a hub's values, in document order. Never throws: what cannot be read is a warning of its own. */
export function findHubConfigurations(objects: readonly KubeObject[]): HubConfiguration[] {
  return objects.flatMap((object) => configurationOf(object) ?? []);
}

function configurationOf(object: KubeObject): HubConfiguration | undefined {
  const entries = entriesOf(object);
  const document = entries.get(VALUES_KEY);
  if (document === undefined) return configurationOfKeys(object, entries);
  try {
    const values = asMapping(parseYaml(document));
    return asMapping(values?.singleuser) === undefined ? undefined : { object, values: values ?? {}, warnings: [] };
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    return componentOf(object) === 'hub' ? { object, values: {}, warnings: [unreadable(object, error)] } : undefined;
  }
}

/** Text by key; a Secret's `stringData` wins over its `data`, as in the API server. */
function entriesOf(object: KubeObject): Map<string, string> {
  if (object.apiVersion !== 'v1') return new Map();
  if (object.kind === 'ConfigMap') return textEntries(object.data);
  if (object.kind !== 'Secret') return new Map();
  const data = [...textEntries(object.data)].map(([key, text]): [string, string] => [key, decodeBase64(text)]);
  return new Map([...data, ...textEntries(object.stringData)]);
}

function textEntries(value: unknown): Map<string, string> {
  const entries = Object.entries(asMapping(value) ?? {});
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function decodeBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function unreadable(object: KubeObject, problem: YamlProblem): Warning {
  return {
    message: 'the hub configuration cannot be read, so its images are not known',
    fields: {
      object: titleOf(object),
      key: VALUES_KEY,
      line: String(problem.line),
      reason: problem.message,
    },
  };
}

/** `singleuser.network-tools.image.name: x` stands for `singleuser: {networkTools: {image: {name: x}}}`. */
function configurationOfKeys(object: KubeObject, entries: Map<string, string>): HubConfiguration | undefined {
  const values: Mapping = {};
  for (const [key, text] of entries) {
    if (SPLIT_KEY.test(key)) setAt(values, key.split('.').map(camelCase), splitValue(text));
  }
  return asMapping(values.singleuser) === undefined ? undefined : { object, values, warnings: [] };
}

function setAt(values: Mapping, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined || key === '__proto__') return;
  if (rest.length === 0) {
    values[key] = value;
    return;
  }
  const inner = (Object.hasOwn(values, key) ? asMapping(values[key]) : undefined) ?? {};
  values[key] = inner;
  setAt(inner, rest, value);
}

function camelCase(word: string): string {
  return word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Those charts wrote mappings and lists as YAML or JSON, everything else as text: a tag such as `1.10` must stay text. */
function splitValue(text: string): unknown {
  try {
    const value: unknown = asText(text) === undefined ? text : parseYaml(text);
    return typeof value === 'number' || typeof value === 'bigint' ? text : value;
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    return text;
  }
}
