/**
 * Compares the Secrets pullers pull with to those of user pods: kubelets that verify credentials refuse an image to a pod whose
 * Secrets did not pull it (Kubernetes feature KubeletEnsureSecretPulledImages).
 */
import type { Warning } from '../api/warning.ts';
import type { Hub } from '../manifest/hubs.ts';
import { nameOf, roleOf, titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { asList, asText, valueAt, type Mapping } from '../manifest/mapping.ts';
import { podSpecOf } from '../manifest/pod-spec.ts';
import { userPullSecrets } from '../manifest/user-scheduling.ts';

/** One warning a rendered puller whose Secrets are not those of user pods. Pullers of ours use copies: not compared. */
export function pullSecretWarnings(hub: Hub): Warning[] {
  const values = hub.configuration?.values;
  if (values === undefined || Object.keys(values).length === 0 || usesUnknownSecret(values, hub)) return [];
  const chartSecret = hub.pullSecret === undefined ? undefined : nameOf(hub.pullSecret);
  const wanted = userPullSecrets(values, chartSecret).sort().join(',');
  return [hub.hookPuller, hub.continuousPuller]
    .filter((puller) => puller !== undefined && roleOf(puller) === undefined)
    .flatMap((puller) => {
      const used = puller === undefined ? '' : secretsOf(puller).sort().join(',');
      if (puller === undefined || used === wanted) return [];
      return [
        {
          message: 'a puller and user pods pull with different Secrets: user pods may pull again or be refused',
          fields: { object: titleOf(puller), puller: used, users: wanted },
        },
      ];
    });
}

function secretsOf(puller: KubeObject): string[] {
  const names = asList(podSpecOf(puller)?.spec.imagePullSecrets).map((secret) => asText(valueAt(secret, 'name')));
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The values do not hold the name of a Secret the chart makes; charts before 0.10 gave hook and users one each. */
function usesUnknownSecret(values: Mapping, hub: Hub): boolean {
  const isMade = valueAt(values, 'imagePullSecret', 'create') === true && hub.pullSecret === undefined;
  return isMade || valueAt(values, 'singleuser', 'imagePullSecret', 'enabled') === true;
}
