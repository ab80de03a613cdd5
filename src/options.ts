/** Where settings become what hydrate/ renders with and prepull/ plans with: config/ may know neither of them. */
import type { Settings } from './config/settings.ts';
import type { SourceOptions } from './hydrate/source.ts';
import type { PrepullOptions } from './prepull/options.ts';

/** What an app sets wins over what Argo CD says of the cluster, as in its own Helm (GetKubeVersionOrDefault and its like). */
export function sourceOptions({ source, helm, kustomize, application, operator }: Settings): SourceOptions {
  const namespace = source.namespace ?? application.namespace;
  const kubeVersion = source.kubeVersion ?? application.kubeVersion;
  return {
    kind: source.kind,
    appName: application.instance,
    ...(namespace !== undefined && { namespace }),
    ...(kubeVersion !== undefined && { kubeVersion }),
    apiVersions: source.apiVersions.length > 0 ? source.apiVersions : application.apiVersions,
    helm: {
      ...helm,
      ...(source.releaseName !== undefined && { releaseName: source.releaseName }),
      parameters: [
        ...pairs(helm.parameters).map(([name, value]) => ({ name, value })),
        ...pairs(helm.stringParameters).map(([name, value]) => ({ name, value, forceString: true })),
      ],
      fileParameters: pairs(helm.fileParameters).map(([name, path]) => ({ name, path })),
      valueFileSchemes: operator.valueFileSchemes,
    },
    kustomize: {
      ...kustomize,
      replicas: pairs(kustomize.replicas).map(([name, count]) => ({ name, count })),
      patches: [],
    },
  };
}

/** Argo CD puts objects without a namespace where the app deploys to, whatever namespace Helm was told. */
export function prepullOptions({ pull, policy, source, application }: Settings): PrepullOptions {
  const namespace = application.namespace ?? source.namespace;
  return {
    ...pull,
    policy,
    app: {
      name: application.name || (source.releaseName ?? 'app'),
      ...(namespace !== undefined && { namespace }),
    },
    ...(application.revision !== undefined && { revision: application.revision }),
    ...(application.repository !== undefined && { repository: application.repository }),
  };
}

function pairs(map: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(map);
}
