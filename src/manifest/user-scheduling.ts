/**
 * Where the chart lets user pods run and with which pull secrets, for a puller it does not render itself. Mirrors
 * zero-to-jupyterhub's image-puller DaemonSet helper, `jupyterhub.userNodeAffinityRequired` and `jupyterhub.imagePullSecrets`.
 */
import type { V1Affinity, V1LocalObjectReference, V1NodeSelectorTerm, V1Toleration } from '@kubernetes/client-node';
import { asList, asMapping, asText, valueAt, type Mapping } from './mapping.ts';

/** A field is absent where the chart would not render it. */
export interface UserScheduling {
  nodeSelector?: Record<string, string>;
  tolerations?: V1Toleration[];
  affinity?: V1Affinity;
  imagePullSecrets?: V1LocalObjectReference[];
}

const USER_NODES: V1NodeSelectorTerm = {
  matchExpressions: [{ key: 'hub.jupyter.org/node-purpose', operator: 'In', values: ['user'] }],
};

/**
 * What a puller's pod spec takes over from the values. `chartPullSecret` is the name of the Secret the chart itself renders
 * (`imagePullSecret.create`), which the values do not hold.
 */
export function userScheduling(values: Mapping, chartPullSecret?: string): UserScheduling {
  const nodeSelector = asMapping(valueAt(values, 'singleuser', 'nodeSelector')) ?? {};
  const tolerations = [
    ...asList(valueAt(values, 'scheduling', 'userPods', 'tolerations')),
    ...asList(valueAt(values, 'singleuser', 'extraTolerations')),
    ...asList(valueAt(values, 'prePuller', 'extraTolerations')),
  ].filter((toleration) => asMapping(toleration) !== undefined);
  const terms = requiredNodeTerms(values);
  const imagePullSecrets = userPullSecrets(values, chartPullSecret).map((name) => ({ name }));
  return {
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector: nodeSelector as Record<string, string> }),
    ...(tolerations.length > 0 && { tolerations: tolerations as V1Toleration[] }),
    ...(terms.length > 0 && {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
    }),
    ...(imagePullSecrets.length > 0 && { imagePullSecrets }),
  };
}

/** Names of the Secrets user pods pull with, each once. */
export function userPullSecrets(values: Mapping, chartPullSecret?: string): string[] {
  const injected =
    valueAt(values, 'imagePullSecret', 'create') === true &&
    valueAt(values, 'imagePullSecret', 'automaticReferenceInjection') !== false;
  const names = [
    ...asList(valueAt(values, 'singleuser', 'image', 'pullSecrets')),
    ...asList(valueAt(values, 'imagePullSecrets')),
    ...(injected ? [chartPullSecret] : []),
  ].map((secret) => asText(secret) ?? asText(valueAt(secret, 'name')));
  return [...new Set(names.filter((name) => name !== undefined))];
}

function requiredNodeTerms(values: Mapping): V1NodeSelectorTerm[] {
  const extra = asList(valueAt(values, 'singleuser', 'extraNodeAffinity', 'required'));
  const matchNodePurpose = valueAt(values, 'scheduling', 'userPods', 'nodeAffinity', 'matchNodePurpose');
  return [
    ...(matchNodePurpose === 'require' ? [USER_NODES] : []),
    ...(extra.filter((term) => asMapping(term) !== undefined) as V1NodeSelectorTerm[]),
  ];
}
