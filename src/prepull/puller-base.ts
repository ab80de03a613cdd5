/**
 * Finds what a puller is made from, in the shape the chart gives it: the rendered DaemonSet, its sibling, or a DaemonSet built from
 * the hub's configuration. Scheduling is taken over as it is, never widened (zero-to-jupyterhub image-puller/_helpers-daemonset.tpl).
 */
import type { V1Container, V1LabelSelector, V1PodSpec } from '@kubernetes/client-node';
import type { Hub } from '../manifest/hubs.ts';
import { labelOf, nameOf, namespaceOf } from '../manifest/labels.ts';
import type { KubeObject, ObjectMeta } from '../manifest/manifest.ts';
import { asMapping, valueAt } from '../manifest/mapping.ts';
import { userScheduling } from '../manifest/user-scheduling.ts';
import { changedMap } from './draft.ts';
import { labelName } from './names.ts';
import type { PullerPlan } from './plan.ts';
import { copiedAnnotations } from './prerequisites.ts';

export type PullerRole = PullerPlan['role'];

export interface DaemonSet extends KubeObject {
  spec: {
    selector: V1LabelSelector;
    template: { metadata?: ObjectMeta; spec: V1PodSpec; [field: string]: unknown };
    [field: string]: unknown;
  };
}

export interface PullerBase {
  daemonSet: DaemonSet;
  from: PullerPlan['from'];
  /** The object of the stream it replaces; undefined where it is new. */
  rendered?: KubeObject;
}

const COMPONENT_LABELS = ['component', 'app.kubernetes.io/component'];

/** z2jh marks what a failed release may leave behind with it; an ordinary puller is no leftover. */
const DELETABLE_LABEL = 'hub.jupyter.org/deletable';

/** The puller of this role: rendered, else after its sibling, else after the configuration; undefined where the hub has none of them. */
export function pullerBase(hub: Hub, role: PullerRole, pauseImage: string): PullerBase | undefined {
  const { hookPuller, continuousPuller } = hub;
  const [own, sibling] = role === 'hook' ? [hookPuller, continuousPuller] : [continuousPuller, hookPuller];
  if (own !== undefined) return { daemonSet: asDaemonSet(own), from: 'the chart', rendered: own };
  if (sibling !== undefined) {
    const from = role === 'hook' ? 'the continuous puller' : 'the hook puller';
    return { daemonSet: afterSibling(asDaemonSet(sibling), role), from };
  }
  if (hub.configuration === undefined) return undefined;
  return { daemonSet: afterConfiguration(hub, role, pauseImage), from: 'the hub configuration' };
}

/** A rendered DaemonSet; those of API groups that are gone (charts before 0.9) get today's, which demands a selector. */
function asDaemonSet(object: KubeObject): DaemonSet {
  const daemonSet = object as DaemonSet;
  const { spec } = daemonSet;
  const matchLabels = spec.template.metadata?.labels ?? {};
  const selector = asMapping(spec.selector) === undefined ? { matchLabels } : spec.selector;
  return { ...daemonSet, apiVersion: 'apps/v1', spec: { ...spec, selector } };
}

/** The sibling under the other name and component, so that neither selects the other's pods; nothing a cluster wrote comes along. */
function afterSibling(sibling: DaemonSet, role: PullerRole): DaemonSet {
  const { template } = sibling.spec;
  const change = { ...componentChange(sibling, role), ...(role === 'continuous' && { [DELETABLE_LABEL]: undefined }) };
  const templateLabels = changedMap(template.metadata?.labels, change);
  const selected = changedMap(sibling.spec.selector.matchLabels, change);
  const built = bareDaemonSet(
    siblingName(nameOf(sibling) ?? '', role),
    namespaceOf(sibling),
    changedMap(sibling.metadata.labels, change),
    template.spec,
  );
  return {
    ...built,
    metadata: { ...built.metadata, annotations: copiedAnnotations(sibling) },
    spec: {
      ...sibling.spec,
      selector: { matchLabels: selected },
      template: { ...template, metadata: { ...template.metadata, labels: { ...templateLabels, ...selected } } },
    },
  };
}

/** The component under whichever labels the chart writes it. */
function componentChange(sibling: DaemonSet, role: PullerRole): Record<string, string> {
  const used = COMPONENT_LABELS.filter((label) => labelOf(sibling, label) !== undefined);
  return Object.fromEntries((used.length > 0 ? used : ['component']).map((label) => [label, `${role}-image-puller`]));
}

function siblingName(name: string, role: PullerRole): string {
  const other = role === 'hook' ? 'continuous' : 'hook';
  const renamed = name.replace(`${other}-image-puller`, `${role}-image-puller`);
  return labelName(renamed === name ? `${name}-${role}` : renamed);
}

function afterConfiguration(hub: Hub, role: PullerRole, pauseImage: string): DaemonSet {
  const values = hub.configuration?.values ?? {};
  const chartPullSecret = hub.pullSecret && nameOf(hub.pullSecret);
  const resources = asMapping(valueAt(values, 'prePuller', 'resources'));
  const securityContext = asMapping(valueAt(values, 'prePuller', 'containerSecurityContext'));
  const pause: V1Container = {
    name: 'pause',
    image: pauseImage,
    ...(resources !== undefined && { resources }),
    ...(securityContext !== undefined && { securityContext }),
  };
  const labels = { ...hub.labels, component: `${role}-image-puller` };
  return bareDaemonSet(configuredName(hub, role), hub.namespace, labels, {
    ...userScheduling(values, chartPullSecret),
    containers: [pause],
  });
}

/** A DaemonSet in the chart's shape: the pod's one container is the pause container, which brings resources and security context. */
export function bareDaemonSet(
  name: string,
  namespace: string | undefined,
  labels: Record<string, string>,
  spec: V1PodSpec,
): DaemonSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, ...(namespace !== undefined && { namespace }), labels },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

/** As the chart names it: `hook-image-puller`, with the prefix that the hub's own object has (`hub`, `<prefix>-hub`). */
function configuredName(hub: Hub, role: PullerRole): string {
  const name = (hub.configuration && nameOf(hub.configuration.object)) ?? 'hub';
  const prefix = name === 'hub' ? '' : name.endsWith('-hub') ? name.slice(0, -'hub'.length) : `${name}-`;
  return labelName(`${prefix}${role}-image-puller`);
}
