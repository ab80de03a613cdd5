/**
 * Makes what a puller needs exist before it. For a hook: copies under names of ours, since Argo CD deletes hooks and nothing that
 * others use may be one. For an ordinary puller: an earlier sync wave, and no hook any more where the chart made it one.
 */
import { ROLE_LABEL } from '../api/names.ts';
import type { Warning } from '../api/warning.ts';
import { hookOf, isPreSync, SYNC_WAVE_ANNOTATION, waveOf } from '../manifest/hooks.ts';
import type { Hub } from '../manifest/hubs.ts';
import { titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { phaseAnnotations, type Phase } from './argo-phase.ts';
import { amend, annotated, changedMap, currentOf, type Draft } from './draft.ts';
import { clusterName, scopeOf, uniqueName, valueWord } from './names.ts';
import { secretNames, type Need } from './needs.ts';
import type { PrepullOptions } from './options.ts';
import type { AppPlan } from './plan.ts';

export interface Copies {
  copies: { from: KubeObject; copy: KubeObject }[];
  /** The name to use for a need: the copy's, or its own where there is none. */
  rename: (kind: Need['kind'], name: string) => string;
}

/** Annotations of tools and controllers that act on the object they stand on; a copy must not carry them. */
const TOOL_ANNOTATIONS =
  /^(?:(?:helm\.sh|meta\.helm\.sh|argocd\.argoproj\.io|kubectl\.kubernetes\.io|config\.kubernetes\.io|config\.k8s\.io)\/|deprecated\.daemonset\.template\.generation$)/;

/** Copies of the rendered needs, to be made in `wave` of PreSync. */
export function copyForHook(needs: readonly Need[], hub: Hub, wave: number, options: PrepullOptions): Copies {
  const names = new Map<string, string>();
  const rename: Copies['rename'] = (kind, name) => names.get(`${kind}/${name}`) ?? name;
  const rendered = needs.flatMap(({ kind, name, object }) => (object === undefined ? [] : [{ kind, name, object }]));
  for (const { kind, name, object } of rendered)
    names.set(`${kind}/${name}`, copyName(kind, name, object, { hub, options }));
  const copies = rendered.map(({ kind, name, object }) => {
    const metadata: KubeObject['metadata'] = {
      name: rename(kind, name),
      ...(kind !== 'PriorityClass' && hub.namespace !== undefined && { namespace: hub.namespace }),
      labels: { ...hub.labels, [ROLE_LABEL]: 'prerequisite' },
      annotations: changedMap(
        // Cloud providers tie an identity that may pull to annotations of a ServiceAccount.
        kind === 'ServiceAccount' ? copiedAnnotations(object) : {},
        phaseAnnotations({ hook: 'standing', wave }),
      ),
    };
    const { apiVersion } = object;
    return { from: object, copy: { apiVersion, kind, metadata, ...CONTENT[kind](object, rename) } };
  });
  return { copies, rename };
}

/** The part of each kind that a puller needs, without what would bind the copy to the original or forbid to change it. */
const CONTENT: Record<Need['kind'], (object: KubeObject, rename: Copies['rename']) => Record<string, unknown>> = {
  PriorityClass: ({ value, preemptionPolicy, description }) =>
    defined({ value, globalDefault: false, preemptionPolicy, description }),
  Secret: ({ type, data, stringData }) => defined({ type, data, stringData }),
  ServiceAccount: ({ imagePullSecrets }, rename) => {
    const secrets = secretNames(imagePullSecrets).map((name) => ({ name: rename('Secret', name) }));
    return { automountServiceAccountToken: false, ...(secrets.length > 0 && { imagePullSecrets: secrets }) };
  },
};

/** What cannot be changed in place is part of the name: a PriorityClass's value and preemption policy, a Secret's type. */
function copyName(
  kind: Need['kind'],
  name: string,
  object: KubeObject,
  { hub, options }: { hub: Hub; options: PrepullOptions },
): string {
  const scope = scopeOf(hub, options);
  if (kind === 'PriorityClass')
    return clusterName(['priority', valueWord(object.value)], [name, String(object.preemptionPolicy)], scope);
  return uniqueName([name, 'prepull'], [scope.app, scope.namespace, ...scope.hub, kind, name, String(object.type)]);
}

/** What an object made after another takes over of its annotations. */
export function copiedAnnotations(object: KubeObject): Record<string, string> {
  const entries = Object.entries(object.metadata.annotations ?? {});
  return Object.fromEntries(entries.filter(([name]) => !TOOL_ANNOTATIONS.test(name)));
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** An ordinary puller's needs: those the chart made hooks become ordinary, those later than `wave` move to it. */
export function provideOrdinary(needs: readonly Need[], wave: number | undefined, draft: Draft, plan: AppPlan): void {
  for (const { object: rendered, maker } of needs) {
    const object = rendered ?? maker;
    if (object === undefined) continue;
    makeOrdinary(object, draft, plan);
    if (wave === undefined || waveOf(currentOf(draft, object)) <= wave) continue;
    amend(draft, object, (current) => annotated(current, { [SYNC_WAVE_ANNOTATION]: String(wave) }));
    plan.changed.push({ object: titleOf(object), what: `sync wave ${wave}` });
  }
}

/** Secrets that an operator makes come after PreSync, and what it makes cannot be copied: known too late for the first sync. */
export function lateSecretWarnings(needs: readonly Need[]): Warning[] {
  return needs
    .filter(({ maker }) => maker !== undefined && !isPreSync(maker))
    .map(({ name, maker }) => ({
      message:
        'a pull Secret is made by the sync that the hook puller comes before: make it before the first sync, or use gate wave',
      fields: { secret: name, object: maker === undefined ? '' : titleOf(maker) },
    }));
}

/** Argo CD deletes a hook at each sync; an object that stays must be none. */
export function makeOrdinary(object: KubeObject, draft: Draft, plan: AppPlan): void {
  if (hookOf(currentOf(draft, object)) === undefined) return;
  const ordinary: Phase = { hook: undefined, wave: 0 };
  amend(draft, object, (current) => annotated(current, phaseAnnotations(ordinary)));
  plan.changed.push({ object: titleOf(object), what: 'no hook any more, so that it is never deleted' });
}
