/** The parameters of `spec.source.kustomize`, field by field. Its `patches` stay in the kustomization: a parameter holds text. */
import { list, map, text, toggle } from './parameter.ts';
import type { ParameterTable, Wording } from './parameter.ts';

export interface KustomizeSettings {
  namePrefix?: string;
  nameSuffix?: string;
  images: readonly string[];
  replicas: Readonly<Record<string, string>>;
  commonLabels: Readonly<Record<string, string>>;
  forceCommonLabels: boolean;
  labelWithoutSelector: boolean;
  labelIncludeTemplates: boolean;
  commonAnnotations: Readonly<Record<string, string>>;
  forceCommonAnnotations: boolean;
  commonAnnotationsEnvsubst: boolean;
  namespace?: string;
  components: readonly string[];
  ignoreMissingComponents: boolean;
}

function wording(field: string, title: string, more = ''): Wording {
  const name = `kustomize-${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return { name, title: `Kustomize ${title}`, tooltip: `As spec.source.kustomize.${field}${more}.` };
}

export const KUSTOMIZE_PARAMETERS: ParameterTable<KustomizeSettings> = {
  namePrefix: text(wording('namePrefix', 'name prefix')),
  nameSuffix: text(wording('nameSuffix', 'name suffix')),
  images: list(wording('images', 'images', ': name=new:tag, as kustomize edit set image takes them')),
  replicas: map(wording('replicas', 'replicas', ': name and count')),
  commonLabels: map(wording('commonLabels', 'labels')),
  forceCommonLabels: toggle(wording('forceCommonLabels', 'labels win'), false),
  labelWithoutSelector: toggle(wording('labelWithoutSelector', 'labels without selectors'), false),
  labelIncludeTemplates: toggle(wording('labelIncludeTemplates', 'labels in templates'), false),
  commonAnnotations: map(wording('commonAnnotations', 'annotations')),
  forceCommonAnnotations: toggle(wording('forceCommonAnnotations', 'annotations win'), false),
  commonAnnotationsEnvsubst: toggle(
    wording('commonAnnotationsEnvsubst', 'annotations expanded', ': $ARGOCD_APP_… in annotations'),
    false,
  ),
  namespace: text(wording('namespace', 'namespace', ': set on all objects')),
  components: list(wording('components', 'components')),
  ignoreMissingComponents: toggle(wording('ignoreMissingComponents', 'missing components ignored'), false),
};
