/** Why kustomize refused a kustomization, in words of the user's files: place, cause and fix first, the first rule to speak wins. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { explainHelm, type Found } from './explain-helm.ts';
import type { Kustomization } from './kustomization.ts';
import { shownPath, type Place } from './place.ts';
import { detail, redactor, shorten, withoutCredentials } from './redact.ts';
import type { SourceOptions } from './source.ts';
import { findKey, readValues, type ValuesTree } from './values-tree.ts';

export interface KustomizeFailure {
  stderr: string;
  source: SourceOptions;
  place: Place;
  reached: readonly Kustomization[];
  /** What charts were given. */
  values: readonly ValuesTree[];
}

interface Rule {
  pattern: RegExp;
  say: (found: Found, failure: KustomizeFailure) => string;
}

const RULES: Rule[] = [
  {
    pattern: /\bopen (?<path>[^\n:]+): permission denied/,
    say: (found, { place }) => `${shownPath(found('path'), place)} cannot be read: chmod a+r`,
  },
  {
    pattern: /MalformedYAMLError: yaml: (?:line (?<line>\d+): )?(?<reason>.*) in File: (?<file>\S+)/,
    say: (found, failure) =>
      `${ownFile(found('file'), failure)}${found('line') === '' ? '' : ` line ${found('line')}`} is no valid YAML: ${found('reason').replace(/[`'"].*?[`'"]/g, '…')}`,
  },
  {
    pattern: /unable to find one of .* in directory '(?<path>[^']+)'/,
    say: (found, { place }) =>
      `${shownPath(found('path'), place)} has no kustomization.yaml, but a kustomization names it`,
  },
  {
    pattern: /security; file '(?<file>[^']+)' is not in or below '(?<root>[^']+)'/,
    say: (found, { place }) =>
      `${shownPath(found('file'), place)} lies outside ${shownPath(found('root'), place)}, where kustomize reads nothing: ` +
      `move it, or give it a kustomization of its own and name its folder`,
  },
  {
    pattern: /evalsymlink failure on '(?<path>[^']+)'/,
    say: (found, { place }) => `${shownPath(found('path'), place)} does not exist, but a kustomization names it`,
  },
  {
    pattern: /cycle detected: candidate root '(?<path>[^']+)'/,
    say: (found, { place }) => `${shownPath(found('path'), place)} includes itself: take it out of its own resources`,
  },
  {
    pattern:
      /accumulating resources from '(?<file>[^']+)': (?:missing Resource metadata|missing metadata\.name|Object 'Kind' is missing)/,
    say: (found, failure) =>
      `${ownFile(found('file'), failure)} holds no Kubernetes object: it needs apiVersion, kind and metadata.name`,
  },
  {
    pattern:
      /(?:merging resources from '(?<file>[^']+)': )?may not add resource with an already registered id: (?<id>[^\s':]+)/,
    say: (found, failure) =>
      `${ownFile(found('file'), failure) || 'a resource'}: ${readableId(found('id'))} is there already: each object may come once`,
  },
  {
    pattern: /(?:no resource matches strategic merge patch "(?<patch>[^"]+)"|no matches for Id (?<id>[^;\s]+))/,
    say: (found) =>
      `a patch is for ${readableId(found('patch') || found('id'))}, which no resource is: check kind and name`,
  },
  {
    pattern: /invalid Kustomization: json: unknown field "(?<field>[^"]+)"/,
    say: (found, failure) =>
      `${fileWith(found('field'), failure)}: kustomize knows no field ${found('field')}: check its spelling`,
  },
  {
    pattern:
      /invalid Kustomization: json: cannot unmarshal (?<got>\w+) into Go struct field \w+\.(?<field>[\w.]+) of type (?<want>\w+)/,
    say: (found, failure) =>
      `${fileWith(found('field').split('.')[0] ?? '', failure)}: ${found('field')} is a ${found('got')}, not a ${found('want')}` +
      (found('want') === 'string' ? ': put the value in quotes' : ''),
  },
  {
    pattern: /invalid Kustomization: (?:yaml: (?:line (?<line>\d+): )?)?(?<reason>.*)/,
    say: (found, failure) => brokenKustomization(found, failure),
  },
  {
    pattern: /looks like "(?<repo>[^"]*)" is not a valid chart repository or cannot be reached(?<reason>[^\n]*)/,
    say: (found) =>
      `charts of ${withoutCredentials(found('repo'))} could not be fetched: make it reachable, or commit the chart below charts/`,
  },
];

/** The error to throw for a failed `kustomize build` or `kustomize edit`. */
export function explainKustomize(failure: KustomizeFailure): UserError {
  const helms = /^Error: (Error: [^]*?)\n?: unable to run: '/.exec(failure.stderr)?.[1];
  const redact = redactor(
    failure.values.filter((tree) => !/^[Kk]ustomization/.test(tree.shown)),
    generated(failure.reached),
  );
  const first = RULES.map((rule) => speak(rule, failure)).find((sentence) => sentence !== undefined);
  if (first === undefined && helms !== undefined) {
    return explainHelm({
      stderr: helms,
      source: failure.source,
      values: failure.values,
      redact,
      shown: (path) => shownPath(path, failure.place),
    });
  }
  const own = redact(failure.stderr.replaceAll(`${failure.place.root}/`, ''));
  return new UserError([shorten(first ?? `kustomize: ${own.replace(/^Error: /, '')}`), ...detail(own)].join('\n'));
}

function speak({ pattern, say }: Rule, failure: KustomizeFailure): string | undefined {
  const match = pattern.exec(failure.stderr);
  return match === null ? undefined : say((group) => match.groups?.[group] ?? '', failure);
}

/** `ConfigMap.v1.[noGrp]/a.[noNs]` → `ConfigMap a`. */
function readableId(id: string): string {
  const [, kind, name, namespace] = /^([^.]+)\..*\/(.+)\.([^.]+)$/.exec(id) ?? [];
  if (kind === undefined || name === undefined) return id;
  return namespace === undefined || namespace === '[noNs]' ? `${kind} ${name}` : `${kind} ${name} of ${namespace}`;
}

/** The reached kustomization that has the field, with its line; kustomize does not say which it read. */
function fileWith(field: string, { reached, place }: KustomizeFailure): string {
  for (const { folder, file, text } of reached) {
    const key = findKey(readValues(file, text).root, [field]);
    if (key !== undefined) return `${shownPath(`${folder}/${file}`, place)} line ${String(key.line)}`;
  }
  return 'kustomization.yaml';
}

/** kustomize names a resource as its kustomization does: the first folder that has such a file is taken. */
function ownFile(name: string, { reached, place }: KustomizeFailure): string {
  const path = reached.map(({ folder }) => join(folder, name)).find((one) => existsSync(one));
  return path === undefined || name === '' ? name : shownPath(path, place);
}

function brokenKustomization(found: Found, { reached, place }: KustomizeFailure): string {
  for (const { folder, file, text } of reached) {
    const { problem } = readValues(file, text);
    if (problem === undefined) continue;
    return `${shownPath(`${folder}/${file}`, place)} line ${String(problem.line)} is no valid YAML: ${problem.reason}`;
  }
  return `kustomization.yaml${found('line') === '' ? '' : ` line ${found('line')}`}: ${found('reason').replace(/[`'"].*[`'"]/g, '…')}`;
}

/** Literals and inline values of kustomizations: what may hold a secret. */
function generated(reached: readonly Kustomization[]): string[] {
  const secrets: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') secrets.push(value, ...value.split('=').slice(1));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const { fields } of reached) {
    for (const field of ['secretGenerator', 'configMapGenerator']) {
      for (const entry of Array.isArray(fields[field]) ? fields[field] : [])
        collect((entry as { literals?: unknown }).literals);
    }
    for (const entry of Array.isArray(fields.helmCharts) ? fields.helmCharts : [])
      collect((entry as { valuesInline?: unknown }).valuesInline);
  }
  return secrets;
}
