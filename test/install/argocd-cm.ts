/** Makes install/argocd/argocd-cm.yaml: the two keys of Argo CD's ConfigMap that hold the Lua files beside it. */

/** The actions in the order in which the ConfigMap lists them; each is a file of install/argocd/actions. */
export const ACTIONS = ['let-through', 'give-up', 'retry'] as const;

export const HEALTH_KEY = 'resource.customizations.health.apps_DaemonSet';
export const ACTIONS_KEY = 'resource.customizations.actions.apps_DaemonSet';

const EXPLANATION = `\
# Teaches Argo CD the health and the actions of pullers. Made from the Lua files in this folder: change those.
#
# This is a patch, not a whole ConfigMap. Applied as one it could drop your other settings.
#   kubectl -n argocd patch configmap argocd-cm --patch-file argocd-cm.yaml
# With kustomize list this folder under \`components\`; for the Helm chart there is argo-helm-values.yaml, for the operator
# openshift-gitops.yaml, both beside this file.
# Argo CD takes it up without a restart. The keys count for this whole Argo CD: pullers are known by their label
# argocd-prepuller.github.io/role, and every other DaemonSet is judged as before.
#
# Have you got a health script for apps_DaemonSet already? Keep this one and put yours in place of its last line,
# \`return builtin()\`. It then judges what is no puller. The older key \`resource.customizations\` with an entry
# apps/DaemonSet yields to these two keys: move its script here in the same way.
# Have you got actions for apps_DaemonSet already? Add your \`definitions\` to the list, and your entries to the tables
# that discovery.lua returns: \`{}\` for other DaemonSets, the last one for pullers. \`mergeBuiltinActions\` keeps
# Argo CD's own action, restart.
#
# useOpenLibs is not needed. Who may run an action is Argo CD's RBAC, for example:
#   p, role:hub-operators, applications, action/apps/DaemonSet/let-through, my-project/*, allow
`;

/** The text of argocd-cm.yaml. `read` takes a path inside install/argocd and gives the file's text. */
export function argocdConfigMap(read: (path: string) => string): string {
  return `${EXPLANATION}apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-cm
data:
  ${HEALTH_KEY}: |
${indented(read('health.lua'), 4)}  ${ACTIONS_KEY}: |
${indented(actionsText(read), 4)}`;
}

/** What stands under the key of the actions. */
export function actionsText(read: (path: string) => string): string {
  const definitions = ACTIONS.map(
    (name) => `- name: ${name}\n  action.lua: |\n${indented(read(`actions/${name}.lua`), 4)}`,
  ).join('');
  return `mergeBuiltinActions: true\ndiscovery.lua: |\n${indented(read('actions/discovery.lua'), 2)}definitions:\n${definitions}`;
}

/** Each line that is not empty moved to the right. */
export function indented(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}
