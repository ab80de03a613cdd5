/**
 * The whole way from a rendered stream to one that pulls first: find the hubs, plan each, put one digest on an ordinary object,
 * write back only what was changed. Pure: the same input gives the same bytes, and its own output stays as it is.
 */
import type { Warning } from '../api/warning.ts';
import { editStream, objectsIn } from '../manifest/edit.ts';
import { findHubs, type Hub } from '../manifest/hubs.ts';
import { objectsNamed } from '../manifest/inventory.ts';
import { componentOf, nameOf, titleOf } from '../manifest/labels.ts';
import { hookOf, waveOf } from '../manifest/hooks.ts';
import type { KubeObject, Manifest } from '../manifest/manifest.ts';
import { hubApp, type App, type Context } from './app.ts';
import { placeDigest } from './digest-carrier.ts';
import { emptyDraft } from './draft.ts';
import { planApp } from './gates.ts';
import type { PrepullOptions } from './options.ts';
import { emptyAppPlan, type AppPlan, type Plan } from './plan.ts';
import { isPlanned } from './puller.ts';
import { workloadApps } from './workloads.ts';

export interface Transformed {
  manifests: Manifest[];
  warnings: Warning[];
  summary: Plan;
}

export const NOTHING_TO_PULL: Warning = {
  message: 'nothing to pull: no hub with pullers or values, no labelled workload, no images',
  fields: {},
};

/**
 * The stream with its pullers planned for the gate. Throws UserError where an image reference is a mistake, UsageError where the
 * options do not fit together.
 */
export function transform(manifests: readonly Manifest[], options: PrepullOptions): Transformed {
  const objects = objectsIn(manifests);
  const context: Context = { objects, options, draft: emptyDraft(), warnings: [] };
  const kept: AppPlan[] = [];
  const apps: App[] = [];
  const hubs = findHubs(objects);
  for (const hub of hubs) {
    const pullers = plannedPullers(hub);
    if (pullers.length === 0) apps.push(hubApp(hub, context));
    else kept.push(keptPlan(hub, pullers, context));
  }
  apps.push(...workloadApps(hubs.length > 0, context).filter((app) => !isKept(app, objects)));
  const plans = apps.map((app) => {
    context.warnings.push(...app.wanted.warnings);
    return planApp(app, context);
  });
  if (plans.length + kept.length === 0 && options.gate !== 'none') context.warnings.push(NOTHING_TO_PULL);
  const digest = placeDigest(apps, context);
  return {
    manifests: editStream(manifests, context.draft),
    warnings: context.warnings,
    summary: { gate: options.gate, apps: [...kept, ...plans], ...(digest !== undefined && { digest }) },
  };
}

function plannedPullers({ hookPuller, continuousPuller }: Hub): KubeObject[] {
  return [hookPuller, continuousPuller].filter((puller) => puller !== undefined && isPlanned(puller)) as KubeObject[];
}

/** Whether the puller of a namespace's workloads is there from an earlier run. */
function isKept({ base, hub }: App, objects: readonly KubeObject[]): boolean {
  const names = [base('hook'), base('continuous')].map((puller) => puller && nameOf(puller.daemonSet));
  return names.some((name) =>
    objectsNamed(objects, { kind: 'DaemonSet', name, namespace: hub.namespace }).some(isPlanned),
  );
}

/** What went through before is left as it is, whatever the options say now: planning it again would mistake our objects for the chart's. */
function keptPlan(hub: Hub, pullers: readonly KubeObject[], { warnings }: Context): AppPlan {
  for (const puller of pullers)
    warnings.push({
      message: 'a puller was planned by an earlier run and is left as it is',
      fields: { object: titleOf(puller) },
    });
  return {
    ...emptyAppPlan('hub', hub.namespace),
    pullers: pullers.map((puller) => ({
      object: titleOf(puller),
      role: componentOf(puller)?.startsWith('hook') === true ? 'hook' : 'continuous',
      from: 'an earlier run',
      phase: hookOf(puller) === undefined ? 'Sync' : 'PreSync',
      wave: waveOf(puller),
    })),
  };
}
