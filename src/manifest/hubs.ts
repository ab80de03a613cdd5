/**
 * Finds the hubs of a render and what belongs to each: pullers by their component label or hook annotation, the rest by label and
 * reference, never by name. Mirrors zero-to-jupyterhub's templates/image-puller from 0.8 to 5.
 */
import { awaitedDaemonSet, awaiterObjects, isAwaiterJob } from './awaiter.ts';
import { hookOf } from './hooks.ts';
import { findHubConfigurations, type HubConfiguration } from './hub-configuration.ts';
import { objectsInNamespace, objectsNamed, objectsOfKind } from './inventory.ts';
import {
  componentOf,
  hasHubLabels,
  hubLabelsOf,
  nameOf,
  namespaceOf,
  roleOf,
  sameHubLabels,
  titleOf,
} from './labels.ts';
import type { HubLabels } from './labels.ts';
import type { KubeObject } from './manifest.ts';
import { asList, asText, valueAt } from './mapping.ts';
import { podSpecOf } from './pod-spec.ts';
import { pullerKindOf } from './pullers.ts';

/** Objects are those of the stream, by identity. */
export interface Hub {
  /** As written on the objects; undefined where the render leaves it to whoever applies it. */
  namespace: string | undefined;
  /** What tells the hubs of one namespace apart; empty where a kustomization took the labels away. */
  labels: HubLabels;
  hookPuller?: KubeObject;
  continuousPuller?: KubeObject;
  /** Everything of the awaiter that nothing else uses: Job, ServiceAccount, Role, RoleBinding, in old charts cluster-scoped ones. */
  awaiter: KubeObject[];
  /** The chart's own pull Secret, where it is a hook. */
  pullSecret?: KubeObject;
  placeholder?: KubeObject;
  /** By label, else by the reference of the placeholder or a puller: charts before 1.0 have no class of the pullers' own. */
  priorityClasses: { placeholder?: KubeObject; puller?: KubeObject; default?: KubeObject };
  /** The ServiceAccounts the pullers name, as far as they are rendered. */
  serviceAccounts: { hook?: KubeObject; continuous?: KubeObject };
  configuration?: HubConfiguration;
}

/** What makes a hub known; everything else is looked up from it. */
interface Seed {
  slot: 'hookPuller' | 'continuousPuller' | 'awaiterJob' | 'configuration';
  object: KubeObject;
  namespace: string | undefined;
  labels: HubLabels;
  configuration?: HubConfiguration;
}

interface Core {
  namespace: string | undefined;
  labels: HubLabels;
  seeds: Partial<Record<Seed['slot'], Seed>>;
}

/** The hubs in order of their first puller, awaiter or configuration. An object belongs to one hub at most. */
export function findHubs(objects: readonly KubeObject[]): Hub[] {
  const cores: Core[] = [];
  const seeds = findSeeds(objects);
  // Labelled seeds first: one without labels then finds the hub it completes, wherever it stands in the stream.
  for (const seed of seeds.filter(({ labels }) => hasHubLabels(labels))) plant(seed, cores, isSameHub);
  for (const seed of seeds.filter(({ labels }) => !hasHubLabels(labels))) plant(seed, cores, isSameNamespace);
  const positions = new Map(seeds.map((seed, index) => [seed, index]));
  const first = (core: Core): number =>
    Math.min(...Object.values(core.seeds).map((seed) => positions.get(seed) ?? Infinity));
  return cores.sort((one, other) => first(one) - first(other)).map((core) => hubOf(core, objects));
}

function findSeeds(objects: readonly KubeObject[]): Seed[] {
  const configurations = new Map(findHubConfigurations(objects).map((found) => [found.object, found]));
  return objects.flatMap((object): Seed[] => {
    const configuration = configurations.get(object);
    const slot = slotOf(object) ?? (configuration && 'configuration');
    if (slot === undefined) return [];
    const seed = { slot, object, namespace: namespaceOf(object), labels: hubLabelsOf(object) };
    return [slot === 'configuration' && configuration !== undefined ? { ...seed, configuration } : seed];
  });
}

function slotOf(object: KubeObject): Seed['slot'] | undefined {
  const puller = pullerKindOf(object);
  if (puller !== undefined) return puller === 'hook' ? 'hookPuller' : 'continuousPuller';
  return isAwaiterJob(object) ? 'awaiterJob' : undefined;
}

/** Adds the seed to the one hub that takes it, else opens another; a hub reads one configuration. */
function plant(seed: Seed, cores: Core[], belongs: (core: Core, seed: Seed) => boolean): void {
  const open = cores.filter((core) => core.seeds[seed.slot] === undefined && belongs(core, seed));
  const read = cores.find((core) => core.seeds.configuration !== undefined && isSameHub(core, seed));
  if (seed.slot === 'configuration' && read !== undefined) {
    read.seeds.configuration?.configuration?.warnings.push({
      message: 'a hub has more than one configuration, this one is not read',
      fields: { object: titleOf(seed.object) },
    });
    return;
  }
  const [core] = open;
  if (core !== undefined && open.length === 1) core.seeds[seed.slot] = seed;
  else cores.push({ namespace: seed.namespace, labels: seed.labels, seeds: { [seed.slot]: seed } });
}

function isSameHub(core: Core, { namespace, labels }: Seed): boolean {
  return core.namespace === namespace && sameHubLabels(core.labels, labels);
}

/** Written by hand, an object may name the namespace that the chart leaves out. */
function isSameNamespace(core: Core, { slot, object, ...seed }: Seed): boolean {
  const namespace = seed.namespace ?? core.namespace;
  if (core.namespace !== undefined && core.namespace !== namespace) return false;
  const awaited = slot === 'awaiterJob' ? awaitedDaemonSet(object) : undefined;
  const puller = core.seeds.hookPuller?.object;
  return awaited === undefined || puller === undefined || nameOf(puller) === awaited;
}

function hubOf(core: Core, objects: readonly KubeObject[]): Hub {
  const { hookPuller, continuousPuller, awaiterJob, configuration } = core.seeds;
  const here = objectsInNamespace(objects, core.namespace);
  const placeholder = here.find(
    (object) => object.kind === 'StatefulSet' && isMember(object, core, 'user-placeholder'),
  );
  const pullers = [hookPuller?.object, continuousPuller?.object].filter((puller) => puller !== undefined);
  return {
    namespace: core.namespace,
    labels: core.labels,
    awaiter: awaiterJob === undefined ? [] : awaiterObjects(awaiterJob.object, objects),
    priorityClasses: priorityClassesOf(core, { pullers, placeholder }, objects),
    serviceAccounts: present({
      hook: serviceAccountOf(hookPuller?.object, objects),
      continuous: serviceAccountOf(continuousPuller?.object, objects),
    }),
    ...present({
      hookPuller: hookPuller?.object,
      continuousPuller: continuousPuller?.object,
      pullSecret: here.find((object) => isHookPullSecret(object, core, pullers)),
      placeholder,
      configuration: configuration?.configuration,
    }),
  };
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Without the keys that hold undefined. */
function present<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Present<T>;
}

/** A chart object of this hub by component; a cluster-scoped one has no namespace to compare. */
function isMember(object: KubeObject, core: Core, component: string): boolean {
  if (roleOf(object) !== undefined || componentOf(object) !== component) return false;
  const here = object.kind === 'PriorityClass' || namespaceOf(object) === core.namespace;
  return here && sameHubLabels(core.labels, hubLabelsOf(object));
}

function priorityClassesOf(
  core: Core,
  { pullers, placeholder }: { pullers: readonly KubeObject[]; placeholder: KubeObject | undefined },
  objects: readonly KubeObject[],
): Hub['priorityClasses'] {
  const classes = objectsOfKind(objects, 'PriorityClass').filter((object) => roleOf(object) === undefined);
  const labelled = (component: string): KubeObject | undefined =>
    classes.find((object) => isMember(object, core, component));
  const namedBy = (workloads: readonly KubeObject[]): KubeObject | undefined =>
    classes.find((object) =>
      workloads.some((workload) => podSpecOf(workload)?.spec.priorityClassName === nameOf(object)),
    );
  return present({
    placeholder: labelled('user-placeholder') ?? namedBy(placeholder === undefined ? [] : [placeholder]),
    puller: labelled('image-puller') ?? namedBy(pullers),
    default: labelled('default-priority'),
  });
}

function serviceAccountOf(puller: KubeObject | undefined, objects: readonly KubeObject[]): KubeObject | undefined {
  const name = puller === undefined ? undefined : asText(podSpecOf(puller)?.spec.serviceAccountName);
  if (puller === undefined || name === undefined) return undefined;
  return objectsNamed(objects, { kind: 'ServiceAccount', name, namespace: namespaceOf(puller) })[0];
}

function isHookPullSecret(object: KubeObject, core: Core, pullers: readonly KubeObject[]): boolean {
  if (object.kind !== 'Secret' || hookOf(object) === undefined) return false;
  const isCredentials = object.type === 'kubernetes.io/dockerconfigjson' || object.type === 'kubernetes.io/dockercfg';
  if (!isCredentials || roleOf(object) !== undefined) return false;
  const isNamed = pullers.some((puller) =>
    asList(podSpecOf(puller)?.spec.imagePullSecrets).some((secret) => valueAt(secret, 'name') === nameOf(object)),
  );
  return isNamed || sameHubLabels(core.labels, hubLabelsOf(object));
}
