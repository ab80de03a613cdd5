/**
 * The same source twice: as Argo CD's own Helm and kustomize take it, and as parameters of our plugin. Read from the rows of the parity
 * table, or from an example's Application.
 */
import type { Fields } from '../../simulator/store.ts';
import type { PluginParameter } from '../examples/argo-cd.ts';
import type { ParityRow } from '../hydrate/parity-helm.ts';
import { HELM_FILES } from '../hydrate/parity-helm.ts';
import type { KustomizeRow } from '../hydrate/parity-kustomize.ts';

export interface BothSources {
  /** Fields of spec.source. */
  native: Fields;
  parameters: PluginParameter[];
}

type Named = { name: string; value?: string; path?: string; count?: number | string; forceString?: boolean }[];

function kebab(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** One field of spec.source under its flat name. */
function parameterOf(name: string, value: unknown): PluginParameter {
  if (typeof value === 'string' || typeof value === 'boolean') return { name, string: String(value) };
  if (!Array.isArray(value)) return { name, map: value as Record<string, string> };
  if (value.every((item) => typeof item === 'string')) return { name, array: value };
  const entries = (value as Named).map((one) => [one.name, String(one.value ?? one.path ?? one.count)]);
  return { name, map: Object.fromEntries(entries) as Record<string, string> };
}

function helmParameter([field, value]: [string, unknown]): PluginParameter {
  if (field === 'values' && typeof value === 'object') return { name: 'values', string: JSON.stringify(value) };
  const isText = field === 'parameters' && (value as Named).some(({ forceString }) => forceString === true);
  return parameterOf(isText ? 'string-parameters' : kebab(field), value);
}

const BY_REVISION = '${ARGOCD_APP_REVISION_SHORT}.yaml';

/** A commit holds no file of its own name: the app's name stands for the revision. */
function named(row: ParityRow): ParityRow {
  const { helm } = row.settings;
  if (helm?.valueFiles?.includes(BY_REVISION) !== true) return row;
  return { ...row, settings: { ...row.settings, helm: { ...helm, valueFiles: ['${ARGOCD_APP_NAME}.yaml'] } } };
}

/** Files of the app of a row. */
export function helmFiles({ option }: ParityRow): Record<string, string> {
  const schema = { 'values.schema.json': '{"properties":{"refused":false}}' };
  const files = { ...HELM_FILES, 'hub.yaml': HELM_FILES['abcdef1.yaml']! };
  return option === 'skip-schema-validation' ? { ...files, ...schema } : files;
}

export const GLOB = /[*?[]/;
export const COMMA = 'value-files: a comma in the name';

/** What Argo CD 3.2 cannot be asked for, said in another way: globs by their files, a name that Helm splits by what is in the file. */
function byHand({ option, settings, by }: ParityRow): Fields {
  if (option === COMMA) return { valueFiles: [], values: HELM_FILES['a,b.yaml']! };
  const { valueFiles = [], ignoreMissingValueFiles } = settings.helm ?? {};
  if (ignoreMissingValueFiles === true || !valueFiles.some((path) => GLOB.test(path))) return {};
  return { valueFiles: by.filter((_, index) => by[index - 1] === '-f') };
}

export function helmSources(given: ParityRow): BothSources {
  const row = named(given);
  const { helm = {}, source = {} } = row.settings;
  const cluster = Object.fromEntries(Object.entries(source).filter(([field]) => field !== 'appName'));
  const { values, ...rest } = helm;
  const inline = typeof values === 'object' ? { valuesObject: values } : { values };
  return {
    native: { helm: { ...rest, ...byHand(row), ...(values !== undefined && inline), ...cluster } },
    parameters: [
      ...Object.entries(helm).map(helmParameter),
      ...Object.entries(cluster).map(([field, value]) => parameterOf(kebab(field), value)),
    ],
  };
}

/** Patches are no parameter: with a plugin they stand in the kustomization. */
export function hasPatches({ settings }: KustomizeRow): boolean {
  return settings.kustomize?.patches !== undefined;
}

export function kustomizeSources({ settings }: KustomizeRow): BothSources {
  const { kustomize = {}, source = {} } = settings;
  const options = Object.entries(kustomize).filter(([field]) => field !== 'patches');
  return {
    native: { kustomize: { ...kustomize, ...source } },
    parameters: [
      ...options.map(([field, value]) => parameterOf(`kustomize-${kebab(field)}`, value)),
      ...Object.entries(source).map(([field, value]) => parameterOf(kebab(field), value)),
    ],
  };
}

/** An example's parameters as Argo CD's own Helm takes them; those of pulling have no place there. */
export function nativeOf(parameters: readonly PluginParameter[]): Fields {
  const of = (name: string): PluginParameter | undefined => parameters.find((one) => one.name === name);
  const texts = Object.entries(of('string-parameters')?.map ?? {});
  const helm = {
    valueFiles: of('value-files')?.array,
    values: of('values')?.string,
    releaseName: of('release-name')?.string,
    parameters: texts.length > 0 ? texts.map(([name, value]) => ({ name, value, forceString: true })) : undefined,
  };
  const given = Object.entries(helm).filter(([, value]) => value !== undefined);
  return given.length > 0 ? { helm: Object.fromEntries(given) } : {};
}
