/**
 * Finds the hubs of a render and what belongs to each: pullers by their component label or hook annotation, the rest by label and
 * reference, never by name. Mirrors zero-to-jupyterhub's templates/image-puller from 0.8 to 5.
 */
import type { HubConfiguration } from './hub-configuration.ts';
import type { KubeObject } from './manifest.ts';

/** Objects are those of the stream, by identity. */
export interface Hub {
  /** As written on the objects; undefined where the render leaves it to whoever applies it. */
  namespace: string | undefined;
  /** The `app` and `release` labels (or their app.kubernetes.io kin) that tell the hubs of a namespace apart; empty if none. */
  labels: Record<string, string>;
  hookPuller?: KubeObject;
  continuousPuller?: KubeObject;
  /** Everything of the awaiter that nothing else uses: Job, ServiceAccount, Role, RoleBinding, in old charts cluster-scoped ones. */
  awaiter: KubeObject[];
  /** The chart's own pull Secret, where it is a hook. */
  pullSecret?: KubeObject;
  placeholder?: KubeObject;
  priorityClasses: { placeholder?: KubeObject; puller?: KubeObject; default?: KubeObject };
  /** The ServiceAccounts the pullers name, as far as they are rendered. */
  serviceAccounts: { hook?: KubeObject; continuous?: KubeObject };
  configuration?: HubConfiguration;
}
