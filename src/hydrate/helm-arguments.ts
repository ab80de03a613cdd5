/** The command line of `helm template`, as Argo CD's util/helm builds it: the same flags, the same escaping. */
import { UsageError } from '../errors.ts';
import { expand } from './expand.ts';
import { quote } from './place.ts';
import type { Env, SourceOptions } from './source.ts';

/** What was resolved from the options: real paths or URLs. */
export interface ResolvedFiles {
  valueFiles: readonly string[];
  /** The private file that holds inline values. */
  inlineValues?: string;
  /** Parameter name → file. */
  fileParameters: ReadonlyMap<string, string>;
}

/** Helm's own rule for release names: a DNS subdomain of at most 53 characters. */
const RELEASE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Arguments for a helm that runs in the chart's folder. Throws UsageError for settings helm would misread. */
export function templateArguments(source: SourceOptions, files: ResolvedFiles, env: Env): string[] {
  const { helm } = source;
  const kubeVersion = plainKubeVersion(source.kubeVersion ?? '');
  const inline = files.inlineValues === undefined ? [] : [files.inlineValues];
  return [
    ...['template', '.', '--name-template', releaseName(source)],
    ...namespaceArguments(source.namespace ?? ''),
    ...(kubeVersion === undefined ? [] : ['--kube-version', kubeVersion]),
    ...setArguments(source, files, env),
    ...[...files.valueFiles, ...inline].flatMap((path) => ['--values', csvField(path)]),
    ...apiVersions(source).flatMap((version) => ['--api-versions', version]),
    ...(helm.skipCrds ? [] : ['--include-crds']),
    ...(helm.skipSchemaValidation ? ['--skip-schema-validation'] : []),
    ...(helm.skipTests ? ['--skip-tests'] : []),
  ];
}

function namespaceArguments(namespace: string): string[] {
  if (namespace === '') return [];
  if (!NAMESPACE.test(namespace)) throw new UsageError(`namespace ${quote(namespace)} is no DNS label`);
  return ['--namespace', namespace];
}

/** The release's name: as set, else the app's name without the `namespace_` that Argo CD may put before it. */
export function releaseName(source: SourceOptions): string {
  const name = source.helm.releaseName ?? source.appName.slice(source.appName.indexOf('_') + 1);
  if (name === '') throw new UsageError('no release name: set the parameter release-name, or ARGOCD_APP_NAME');
  if (name.length > 53 || !RELEASE_NAME.test(name)) {
    throw new UsageError(
      `release name ${quote(name)} is not one Helm takes (lower case, digits, - and ., at most 53): set the parameter release-name`,
    );
  }
  return name;
}

/** Numbers only, as Argo CD hands it to helm: `v1.33.4-gke.100` → `1.33.4`; undefined when none is set. */
export function plainKubeVersion(version: string): string | undefined {
  if (version === '') return undefined;
  const numbers = /^\s*v?(\d+(?:\.\d+)+)/.exec(version)?.[1];
  if (numbers === undefined || /(^|\.)0\d/.test(numbers)) {
    throw new UsageError(`kube-version ${quote(version)} is no Kubernetes version such as 1.34`);
  }
  return numbers;
}

/** The API versions, flags refused. */
export function apiVersions(source: SourceOptions): readonly string[] {
  const odd = source.apiVersions.find(
    (version) => !/^[\w.-]+(\/[\w.-]+){0,2}$/.test(version) || version.startsWith('-'),
  );
  if (odd !== undefined)
    throw new UsageError(`api-versions has ${quote(odd)}: expected group/version or group/version/Kind`);
  return source.apiVersions;
}

function setArguments(source: SourceOptions, files: ResolvedFiles, env: Env): string[] {
  const set = new Map<string, string>();
  const setString = new Map<string, string>();
  for (const { name, value, forceString } of source.helm.parameters) {
    assertParameterName(name, 'parameters');
    (forceString === true ? setString : set).set(name, expand(value, env));
  }
  const args: string[] = [];
  for (const [name, value] of set) args.push('--set', `${name}=${escapeCommas(value)}`);
  for (const [name, value] of setString) args.push('--set-string', `${name}=${escapeCommas(value)}`);
  for (const [name, path] of files.fileParameters) args.push('--set-file', `${name}=${escapeCommas(path)}`);
  const nul = args.findIndex((argument) => argument.includes('\0'));
  if (nul >= 0) throw new UsageError(`parameters: ${quote(args[nul]?.split('=')[0] ?? '')} holds a NUL character`);
  return args;
}

/** A name that is empty or reads like a flag was never meant as one. */
export function assertParameterName(name: string, what: string): void {
  if (name.trim() === '' || name.startsWith('-')) {
    throw new UsageError(`${what}: ${quote(name)} is no values path such as singleuser.image.tag`);
  }
}

/** Helm splits at commas: escaped, unless they are already, or the whole is a `{list}`. */
function escapeCommas(value: string): string {
  return value.startsWith('{') && value.endsWith('}') ? value : value.replace(/(?<!\\),/g, '\\,');
}

/** `--values` is read as one line of CSV. */
function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
