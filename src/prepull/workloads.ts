/**
 * Apps without a hub: the workloads that carry our `pull` label, one puller a namespace, which runs where they run. The `images`
 * parameter alone makes a puller too, on every node that takes pods without more tolerations.
 */
import type { V1PodSpec, V1Toleration } from '@kubernetes/client-node';
import type { Warning } from '../api/warning.ts';
import type { Hub } from '../manifest/hubs.ts';
import { namespaceOf, titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { asList, asMapping, valueAt } from '../manifest/mapping.ts';
import { podSpecOf } from '../manifest/pod-spec.ts';
import { isOrdinaryWorkload, isPullerPart, PAUSE_IMAGE, type App, type Context } from './app.ts';
import { uniqueName } from './names.ts';
import { accountNameOf, needsOf, secretNames } from './needs.ts';
import { bareDaemonSet, type DaemonSet, type PullerRole } from './puller-base.ts';
import { labelledImages, wantedImages, type WantedImages } from './wanted-images.ts';
import { asksForPull } from './workload-images.ts';

/** One app a namespace with labelled workloads; where there is neither hub nor label, one for the `images` parameter. */
export function workloadApps(hasHubs: boolean, context: Pick<Context, 'objects' | 'options'>): App[] {
  const { options } = context;
  const labelled = context.objects.filter((object) => asksForPull(object) && !isPullerPart(object));
  const namespaces = Map.groupBy(labelled, namespaceOf);
  // A hub takes the parameter's images; else every namespace does.
  const parameter = hasHubs ? [] : options.images;
  if (namespaces.size === 0 && parameter.length > 0) namespaces.set(undefined, []);
  return [...namespaces].map(([namespace, workloads]) => {
    const hub: Hub = { namespace, labels: {}, awaiter: [], priorityClasses: {}, serviceAccounts: {} };
    const wanted = joined(labelledImages(workloads, options), wantedImages(hub, { ...options, images: parameter }));
    wanted.warnings.push(...workloads.filter((object) => podSpecOf(object) === undefined).map(unreadable));
    return appOf(hub, workloads, wanted, context);
  });
}

function unreadable(object: KubeObject): Warning {
  return {
    message: 'a labelled object is of a kind whose pods are not known, its images are not pulled: name them in images',
    fields: { object: titleOf(object) },
  };
}

function joined(
  labelled: Pick<WantedImages, 'images' | 'skipped' | 'warnings'>,
  parameter: WantedImages,
): WantedImages {
  const known = new Set(labelled.images.map(({ reference }) => reference));
  return {
    ...parameter,
    images: [...labelled.images, ...parameter.images.filter(({ reference }) => !known.has(reference))],
    skipped: [...labelled.skipped, ...parameter.skipped],
    warnings: [...labelled.warnings, ...parameter.warnings],
  };
}

function appOf(
  hub: Hub,
  workloads: readonly KubeObject[],
  wanted: WantedImages,
  context: Pick<Context, 'objects' | 'options'>,
): App {
  const pauseImage = wanted.pauseImage ?? PAUSE_IMAGE;
  const spec = podSpec(workloads, pauseImage, context);
  return {
    title: 'workloads',
    hub,
    wanted,
    pauseImage,
    base: (role) => ({
      daemonSet: daemonSet(role, hub, spec, context.options.app.name),
      from: 'the workloads',
    }),
    users: workloads.filter(isOrdinaryWorkload),
  };
}

/** Under names and labels of its own: no Service of the app selects its pods. */
function daemonSet(role: PullerRole, hub: Hub, spec: V1PodSpec, application: string): DaemonSet {
  const component = `${role}-image-puller`;
  const name = uniqueName([application, component], [application, component]);
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': component };
  return bareDaemonSet(name, hub.namespace, labels, spec);
}

/** Where the workloads may run: what all share as it is, the tolerations and pull Secrets of each. */
function podSpec(
  workloads: readonly KubeObject[],
  pauseImage: string,
  { objects, options }: Pick<Context, 'objects' | 'options'>,
): V1PodSpec {
  const specs = workloads.flatMap((object) => podSpecOf(object)?.spec ?? []);
  const nodeSelector = shared(specs.map((spec) => asMapping(spec.nodeSelector)));
  const nodeAffinity = shared(specs.map((spec) => asMapping(valueAt(spec, 'affinity', 'nodeAffinity'))));
  const accounts = workloads.filter((object) => podSpecOf(object) !== undefined).map(accountNameOf);
  const serviceAccountName = shared(accounts);
  const tolerations = distinct(specs.flatMap((spec) => asList(spec.tolerations)));
  // The Secrets of accounts too: one pod cannot have several accounts.
  const needs = workloads.flatMap((object) => needsOf(object, { objects, defaultNamespace: options.app.namespace }));
  const ofAccounts = serviceAccountName === undefined ? needs.filter(({ kind }) => kind === 'Secret') : [];
  const names = [...specs.flatMap((spec) => secretNames(spec.imagePullSecrets)), ...ofAccounts.map(({ name }) => name)];
  const secrets = [...new Set(names)];
  return {
    ...(nodeSelector && { nodeSelector: nodeSelector as Record<string, string> }),
    ...(nodeAffinity && { affinity: { nodeAffinity } }),
    ...(tolerations.length > 0 && { tolerations: tolerations as V1Toleration[] }),
    ...(serviceAccountName !== undefined && { serviceAccountName }),
    ...(secrets.length > 0 && { imagePullSecrets: secrets.map((name) => ({ name })) }),
    containers: [{ name: 'pause', image: pauseImage }],
  };
}

/** The value all have; undefined where they differ. */
function shared<T>(values: readonly T[]): T | undefined {
  const [first, ...others] = distinct(values);
  return others.length === 0 ? first : undefined;
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
