/** The parameters of rendering: an Application's `spec.source.helm`, field by field, under flat names, and the kind of source. */
import { SOURCE_KINDS } from '../api/choices.ts';
import type { SourceKind } from '../api/choices.ts';
import { choice, list, map, text, toggle } from './parameter.ts';
import type { ParameterTable } from './parameter.ts';

export interface SourceSettings {
  kind: SourceKind;
  releaseName?: string;
  namespace?: string;
  kubeVersion?: string;
  apiVersions: readonly string[];
}

export interface HelmSettings {
  valueFiles: readonly string[];
  ignoreMissingValueFiles: boolean;
  values?: string;
  parameters: Readonly<Record<string, string>>;
  stringParameters: Readonly<Record<string, string>>;
  fileParameters: Readonly<Record<string, string>>;
  skipCrds: boolean;
  skipTests: boolean;
  skipSchemaValidation: boolean;
}

export const SOURCE_PARAMETERS: ParameterTable<SourceSettings> = {
  kind: choice(
    {
      name: 'kind',
      title: 'Kind of source',
      tooltip:
        'auto looks for a kustomization, then for Chart.yaml, and takes the folder as plain manifests otherwise.',
    },
    SOURCE_KINDS,
    'auto',
  ),
  releaseName: text({
    name: 'release-name',
    title: 'Helm release name',
    tooltip: 'As spec.source.helm.releaseName. Left out: the name of the Application.',
  }),
  namespace: text({
    name: 'namespace',
    title: 'Helm namespace',
    tooltip: 'As spec.source.helm.namespace. Left out: the namespace the Application deploys to.',
  }),
  kubeVersion: text({
    name: 'kube-version',
    title: 'Kubernetes version',
    tooltip: 'As spec.source.helm.kubeVersion. Left out: that of the cluster, as Argo CD passes it.',
  }),
  apiVersions: list({
    name: 'api-versions',
    title: 'Kubernetes API versions',
    tooltip: 'As spec.source.helm.apiVersions, group/version or group/version/Kind. Left out: those of the cluster.',
  }),
};

export const HELM_PARAMETERS: ParameterTable<HelmSettings> = {
  valueFiles: list({
    name: 'value-files',
    title: 'Helm values files',
    tooltip: 'As spec.source.helm.valueFiles: in merge order, relative to the folder of the app, globs allowed.',
  }),
  ignoreMissingValueFiles: toggle(
    {
      name: 'ignore-missing-value-files',
      title: 'Ignore missing values files',
      tooltip: 'As spec.source.helm.ignoreMissingValueFiles.',
    },
    false,
  ),
  values: text(
    {
      name: 'values',
      title: 'Helm values',
      tooltip: 'As spec.source.helm.values: YAML as one text. Wins over the values files.',
    },
    'YAML as one text',
  ),
  parameters: map({
    name: 'parameters',
    title: 'Helm parameters',
    tooltip: 'As spec.source.helm.parameters (helm --set). Wins over values.',
  }),
  stringParameters: map({
    name: 'string-parameters',
    title: 'Helm text parameters',
    tooltip: 'As spec.source.helm.parameters with forceString (helm --set-string): 123 stays a text.',
  }),
  fileParameters: map({
    name: 'file-parameters',
    title: 'Helm file parameters',
    tooltip: 'As spec.source.helm.fileParameters (helm --set-file): the value is the content of the file.',
  }),
  skipCrds: toggle(
    {
      name: 'skip-crds',
      title: 'Skip CRDs',
      tooltip: "As spec.source.helm.skipCrds: leave out the chart's crds folder.",
    },
    false,
  ),
  skipTests: toggle(
    { name: 'skip-tests', title: 'Skip tests', tooltip: 'As spec.source.helm.skipTests: leave out test hooks.' },
    false,
  ),
  skipSchemaValidation: toggle(
    {
      name: 'skip-schema-validation',
      title: 'Skip schema validation',
      tooltip: 'As spec.source.helm.skipSchemaValidation: do not check the values against values.schema.json.',
    },
    false,
  ),
};
