/**
 * What is rendered and how: the settings of an Application's `spec.source.helm` and `spec.source.kustomize`, and what
 * comes back. Plain data, so that config/ can fill it without importing this folder; generate.ts is where they meet.
 */
import type { Warning } from '../api/warning.ts';

/** What a source is rendered with; `auto` looks at the files as Argo CD does. */
export type SourceKind = 'auto' | 'helm' | 'kustomize' | 'plain';

/** One `--set name=value`; `forceString` makes it `--set-string`. */
export interface HelmParameter {
  name: string;
  value: string;
  forceString?: boolean;
}

/** One `--set-file name=path`; the path as written by the user, relative to the app's folder, or to the repository with a leading `/`. */
export interface HelmFileParameter {
  name: string;
  path: string;
}

/** `spec.source.helm`, field by field. */
export interface HelmOptions {
  /** Default: the app's name without its `namespace_` prefix. */
  releaseName?: string;
  /** Paths, globs or URLs in merge order, as written by the user. */
  valueFiles: readonly string[];
  ignoreMissingValueFiles: boolean;
  /** Inline values that win over the files: YAML text, or an object (`valuesObject`). */
  values?: string | Readonly<Record<string, unknown>>;
  parameters: readonly HelmParameter[];
  fileParameters: readonly HelmFileParameter[];
  skipCrds: boolean;
  skipTests: boolean;
  skipSchemaValidation: boolean;
  /** URL schemes values may be fetched from (Argo CD's `helm.valuesFileSchemes`). Empty: no remote values. */
  valueFileSchemes: readonly string[];
}

/** `spec.source.kustomize`, field by field; what native writes with `kustomize edit`. */
export interface KustomizeOptions {
  namePrefix?: string;
  nameSuffix?: string;
  /** `name=new:tag`, as `kustomize edit set image` takes them. */
  images: readonly string[];
  replicas: readonly { name: string; count: number | string }[];
  commonLabels: Readonly<Record<string, string>>;
  forceCommonLabels: boolean;
  labelWithoutSelector: boolean;
  labelIncludeTemplates: boolean;
  commonAnnotations: Readonly<Record<string, string>>;
  forceCommonAnnotations: boolean;
  commonAnnotationsEnvsubst: boolean;
  /** What kustomize sets on all objects; not the app's destination. */
  namespace?: string;
  components: readonly string[];
  ignoreMissingComponents: boolean;
  patches: readonly Readonly<Record<string, unknown>>[];
}

export interface SourceOptions {
  kind: SourceKind;
  /** As Argo CD passes it; may be `namespace_name`. */
  appName: string;
  /** The destination's namespace (Helm's `--namespace`). */
  namespace?: string;
  /** As Argo CD passes it: a leading `v` and suffixes such as `-gke.100` are dropped. */
  kubeVersion?: string;
  /** One entry each, `group/version` or `group/version/Kind`. */
  apiVersions: readonly string[];
  helm: HelmOptions;
  kustomize: KustomizeOptions;
}

/** Nothing set: what a bare `generate` in a chart's folder means. */
export const DEFAULT_SOURCE: SourceOptions = {
  kind: 'auto',
  appName: '',
  apiVersions: [],
  helm: {
    valueFiles: [],
    ignoreMissingValueFiles: false,
    parameters: [],
    fileParameters: [],
    skipCrds: false,
    skipTests: false,
    skipSchemaValidation: false,
    valueFileSchemes: [],
  },
  kustomize: {
    images: [],
    replicas: [],
    commonLabels: {},
    forceCommonLabels: false,
    labelWithoutSelector: false,
    labelIncludeTemplates: false,
    commonAnnotations: {},
    forceCommonAnnotations: false,
    commonAnnotationsEnvsubst: false,
    components: [],
    ignoreMissingComponents: false,
    patches: [],
  },
};

/** Environment variables, of the process or of a child. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What a render runs in. */
export interface HydrateContext {
  /** The process environment: PATH, proxies, mounted Helm configs, `ARGOCD_APP_*` for expansion. Never passed on whole. */
  env: Env;
  /** Aborted: children are ended (SIGTERM, then SIGKILL), temporary files removed, the reason thrown. */
  signal: AbortSignal;
  /** For everything together, downloads included. Argo CD's own limit is 90 s. */
  timeLimitMs: number;
  /** What no path may leave. Default: by ARGOCD_APP_SOURCE_PATH, else the nearest folder with `.git`, else the app's folder. */
  repositoryRoot?: string;
  /** Programs, when not `helm` and `kustomize` on PATH. */
  helm?: string;
  kustomize?: string;
  /** Where built chart dependencies are kept between runs. Default: a folder of this user under TMPDIR. */
  cacheFolder?: string;
  /** Called when helm or kustomize is at work, and the caller may use the time. Not called for plain manifests. */
  began?: () => void;
}

export interface Hydrated {
  /** A YAML stream, as kubectl would read it. */
  stream: Uint8Array;
  kind: Exclude<SourceKind, 'auto'>;
  warnings: Warning[];
}
