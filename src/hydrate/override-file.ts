/**
 * What `.argocd-source.yaml` holds, merged over the Application's settings as Argo CD's mergeSourceParameters does
 * (JSON merge patch: lists are replaced, null deletes).
 */
import { load, YAMLException } from 'js-yaml';
import { UserError } from '../errors.ts';
import { DEFAULT_SOURCE, type HelmOptions, type KustomizeOptions, type SourceOptions } from './source.ts';

type Fields = Record<string, unknown>;
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const fields: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
const textMap: Check = (value) => fields(value) && Object.values(value as Fields).every(text);
const shaped =
  (shape: Record<string, Check>): Check =>
  (value) =>
    fields(value) && Object.entries(shape).every(([key, check]) => check((value as Fields)[key]));
const count: Check = (value) => Number.isInteger(value) || text(value);

/** What both sections may set beside their own. */
const COMMON = { namespace: text, kubeVersion: text, apiVersions: listOf(text) };
/** Argo CD's own fields and types; it ignores others, so do we. */
const SECTIONS: Record<'helm' | 'kustomize', Record<string, Check>> = {
  helm: {
    ...COMMON,
    releaseName: text,
    valueFiles: listOf(text),
    ignoreMissingValueFiles: flag,
    values: text,
    valuesObject: fields,
    parameters: listOf(shaped({ name: text, value: text })),
    fileParameters: listOf(shaped({ name: text, path: text })),
    skipCrds: flag,
    skipTests: flag,
    skipSchemaValidation: flag,
  },
  kustomize: {
    ...COMMON,
    namePrefix: text,
    nameSuffix: text,
    images: listOf(text),
    replicas: listOf(shaped({ name: text, count })),
    commonLabels: textMap,
    forceCommonLabels: flag,
    labelWithoutSelector: flag,
    labelIncludeTemplates: flag,
    commonAnnotations: textMap,
    forceCommonAnnotations: flag,
    commonAnnotationsEnvsubst: flag,
    components: listOf(text),
    ignoreMissingComponents: flag,
    patches: listOf(fields),
  },
};

/** Throws UserError naming the file and the key that is not what Argo CD's own types take. */
export function mergeOverride(source: SourceOptions, name: string, content: string): SourceOptions {
  return merge(source, name, readMapping(name, content));
}

function readMapping(name: string, content: string): Fields {
  if (content.replace(/^\s*#.*$/gm, '').trim() === '') return {};
  try {
    const value = load(content, { maxAliases: 0 });
    if (fields(value)) return value as Fields;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new UserError(`${name} line ${String((error.mark?.line ?? 0) + 1)} is no valid YAML, or has an alias`);
  }
  throw new UserError(`${name} holds no settings: expected a mapping with helm or kustomize`);
}

function merge(source: SourceOptions, name: string, patch: Fields): SourceOptions {
  const sections = (['helm', 'kustomize'] as const).filter((section) => fields(patch[section]));
  if (sections.length > 1) throw new UserError(`${name} sets both helm and kustomize: keep one`);
  const [section] = sections;
  if (section === undefined) return source;
  const merged = mergePatch(asArgo(source[section]), patch[section] as Fields);
  for (const [key, check] of Object.entries(SECTIONS[section])) {
    if (merged[key] === undefined || check(merged[key])) continue;
    throw new UserError(`${name}: ${section}.${key} has a type Argo CD does not take`);
  }
  const kind = source.kind === 'auto' ? section : source.kind;
  const result = { ...source, ...pick(merged, ['kubeVersion', 'apiVersions']), kind };
  if (section === 'kustomize') return { ...result, kustomize: kustomizeOptions(merged) };
  const helm = { ...helmOptions(merged), valueFileSchemes: source.helm.valueFileSchemes };
  return { ...result, ...pick(merged, ['namespace']), helm };
}

/** These fields, where they are set; their types were checked. */
function pick(section: Fields, keys: string[]): Fields {
  return Object.fromEntries(Object.entries(section).filter(([key]) => keys.includes(key)));
}

/** An Application has inline values under two names, the object wins. */
function asArgo(section: HelmOptions | KustomizeOptions): Fields {
  const { values, ...rest } = section as HelmOptions;
  if (values === undefined) return { ...rest };
  return { ...rest, [typeof values === 'string' ? 'values' : 'valuesObject']: values };
}

function helmOptions({ values, valuesObject, parameters, ...own }: Fields): HelmOptions {
  const inline = valuesObject ?? values;
  return {
    ...DEFAULT_SOURCE.helm,
    ...own,
    ...(inline === undefined ? {} : { values: inline as string | Fields }),
    parameters: ((parameters ?? []) as HelmOptions['parameters']).map(withForceString),
  };
}

function kustomizeOptions(own: Fields): KustomizeOptions {
  return { ...DEFAULT_SOURCE.kustomize, ...own };
}

/** Go reads field names without regard to case, and image updaters write `forcestring`. */
function withForceString(parameter: HelmOptions['parameters'][number]): HelmOptions['parameters'][number] {
  const spelling = Object.keys(parameter).find((key) => key.toLowerCase() === 'forcestring');
  const forceString = spelling !== undefined && (parameter as unknown as Fields)[spelling] === true;
  return { name: parameter.name, value: parameter.value, forceString };
}

function mergePatch(base: Fields, patch: Fields): Fields {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, fields(value) ? mergePatch(fields(before) ? (before as Fields) : {}, value as Fields) : value);
  }
  return Object.fromEntries(merged);
}
