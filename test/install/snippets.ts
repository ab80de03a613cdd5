/**
 * Makes the files of install/argocd that say the same as repo-server.yaml and argocd-cm.yaml to those who install Argo CD by its Helm
 * chart (argo-helm, charts/argo-cd) or by the operator (argocd-operator, api/v1beta1).
 */
import { actionsText, HEALTH_KEY, ACTIONS_KEY, indented } from './argocd-cm.ts';

/** Gives the text of a file in install/argocd. */
export type Read = (path: string) => string;

const HELM_EXPLANATION = `\
# Values for the Helm chart argo-cd: the plugin, and the health and actions of pullers. Made from the files beside it: change those.
#   helm upgrade argocd argo/argo-cd --namespace argocd --reuse-values -f argo-helm-values.yaml
# Name your container image below. Helm replaces lists: if you have extraContainers or volumes already, write one list of both.
# A health script for apps_DaemonSet that you have already goes into the last line of this one: see argocd-cm.yaml.
`;

export function argoHelmValues(read: Read): string {
  const { container, volume } = sidecar(read);
  return `${HELM_EXPLANATION}configs:
  cm:
    ${HEALTH_KEY}: |
${indented(read('health.lua'), 6)}    ${ACTIONS_KEY}: |
${indented(actionsText(read), 6)}repoServer:
  extraContainers:
${indented(container, 4)}  volumes:
${indented(volume, 4)}`;
}

const OPERATOR_EXPLANATION = `\
# For OpenShift GitOps and argocd-operator: the same in their ArgoCD object. Made from the files beside it: change those.
#   oc -n openshift-gitops patch argocd openshift-gitops --type merge --patch-file openshift-gitops.yaml
# Name your container image below. A merge replaces lists: what you have in these four already has to stand in them too.
# No user is set: OpenShift gives the whole pod one.
`;

export function openshiftGitops(read: Read): string {
  const { container, volume } = sidecar(read);
  const anyUser = container.replace(/^ *# The user of .*\n *runAsUser: 999\n/m, '');
  return `${OPERATOR_EXPLANATION}apiVersion: argoproj.io/v1beta1
kind: ArgoCD
metadata:
  name: openshift-gitops
  namespace: openshift-gitops
spec:
  repo:
    sidecarContainers:
${indented(anyUser, 6)}    volumes:
${indented(volume, 6)}  resourceHealthChecks:
    - group: apps
      kind: DaemonSet
      check: |
${indented(read('health.lua'), 8)}  resourceActions:
    - group: apps
      kind: DaemonSet
      action: |
${indented(actionsText(read), 8)}`;
}

/** The two list entries of repo-server.yaml, with their comments. */
function sidecar(read: Read): { container: string; volume: string } {
  const parts = /\n {6}containers:\n(.*\n) {6}volumes:\n(.*)$/s.exec(read('repo-server.yaml'));
  if (parts?.[1] === undefined || parts[2] === undefined) throw new Error('repo-server.yaml has no containers');
  return { container: outdented(parts[1]), volume: outdented(parts[2]) };
}

function outdented(text: string): string {
  return text.replace(/^ {8}/gm, '');
}
