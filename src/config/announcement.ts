/**
 * The parameter table as Argo CD reads it: the announcement (reposerver/repository/repository.proto, ParameterAnnouncement) and the
 * plugin.yaml around it (cmpserver/plugin/config.go, PluginConfig).
 */
import { dump } from 'js-yaml';
import type { Parameter } from './parameter.ts';
import { ALL_TOPICS, parametersOf } from './parameters.ts';

/** Field names are Argo CD's; `required` is left out: Argo CD counts that as false, and no parameter is required by itself. */
export interface Announcement {
  name: string;
  title: string;
  tooltip: string;
  itemType?: string;
  collectionType: string;
  string?: string;
  array?: readonly string[];
  map?: Readonly<Record<string, string>>;
}

export function announcements(): Announcement[] {
  return parametersOf(ALL_TOPICS).map(announce);
}

function announce({ name, title, tooltip, type, itemType, default: standard }: Parameter<unknown>): Announcement {
  return {
    name,
    title,
    tooltip,
    ...(itemType !== undefined && { itemType }),
    collectionType: type,
    ...(standard !== undefined && { [type]: standard }),
  };
}

/**
 * Static and dynamic announcements say the same while both are of one version: the static ones spare a call when the
 * program is not there, the dynamic ones know parameters of a program newer than the mounted file.
 */
export function pluginYaml(): string {
  return [
    '# What the sidecar mounts as /home/argocd/cmp-server/config/plugin.yaml. Written by scripts/update-parameters.mjs.',
    '# No discovery: an Application names the plugin, and no other app is sent to it. No version: it would be part of that name.',
    printYaml({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ConfigManagementPlugin',
      metadata: { name: 'argocd-prepuller' },
      spec: {
        generate: { command: ['prepuller', 'generate'] },
        preserveFileMode: false,
        parameters: {
          static: announcements(),
          dynamic: { command: ['prepuller', 'parameters', '-o', 'json'] },
        },
      },
    }),
  ].join('\n');
}

export function printYaml(value: unknown): string {
  return dump(value, { lineWidth: 130, noRefs: true });
}
