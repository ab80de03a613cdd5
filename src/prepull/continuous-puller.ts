/**
 * Places the continuous puller: an ordinary DaemonSet for the nodes that join later, and in the `wave` gate the one that the sync
 * waits for. As a gate it pulls by the chosen method; else it keeps the chart's init chain, which leaves one small container running.
 */
import type { PullMethod } from '../api/choices.ts';
import { waveOf } from '../manifest/hooks.ts';
import { titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { asText } from '../manifest/mapping.ts';
import { waveBefore, type App, type Context } from './app.ts';
import { phaseAnnotations } from './argo-phase.ts';
import { annotated } from './draft.ts';
import { accountNameOf, needsOf, preconditionsOf, secretNames, type Need } from './needs.ts';
import type { AppPlan } from './plan.ts';
import { provideOrdinary } from './prerequisites.ts';
import { continuousPriority, type PriorityChoice } from './priority.ts';
import type { PullerBase } from './puller-base.ts';
import { writePuller, type PullerDesign } from './puller.ts';

export function placeContinuousPuller(app: App, holds: boolean, context: Context, plan: AppPlan): void {
  const base = app.base('continuous');
  if (base === undefined) return;
  const { draft, options } = context;
  const priority = continuousPriority(app.hub, chartClassOf(base), options);
  const wave = holds ? waveBefore(app.users, base.daemonSet) : waveOf(base.daemonSet);
  const design = continuousDesign(app, { base, priority, wave, holds }, context);
  const puller = writePuller(base.daemonSet, design);
  const needs = needsOf(puller, { objects: context.objects, defaultNamespace: options.app.namespace });
  provideOrdinary(needs, holds ? wave - 1 : undefined, draft, plan);
  const added = emittedClass(priority, wave);
  if (base.rendered === undefined) added.push(puller);
  else draft.replace.set(base.rendered, puller);
  draft.add.push(...added);
  context.warnings.push(...priority.warnings);
  plan.added.push(...added.map(titleOf));
  record(plan, { base, puller, needs, priority, wave, pullMethod: design.method });
}

interface ContinuousPlace {
  base: PullerBase;
  priority: PriorityChoice;
  wave: number;
  holds: boolean;
}

function continuousDesign(app: App, place: ContinuousPlace, { options }: Context): PullerDesign {
  const { base, priority, wave, holds } = place;
  const { images } = app.wanted;
  return {
    role: 'continuous',
    method: holds && images.length > 0 ? options.pullMethod : 'init',
    images,
    pauseImage: app.pauseImage,
    priorityClassName: priority.className,
    serviceAccountName: accountNameOf(base.daemonSet),
    imagePullSecrets: secretNames(base.daemonSet.spec.template.spec.imagePullSecrets),
    policy: options.gate === 'job' ? { ...options.policy, judge: 'builtin' } : options.policy,
    isAwaited: false,
    phase: holds ? { hook: undefined, wave } : undefined,
    revision: {},
  };
}

/** What the chart says itself; a puller built after the hook puller has its class, which the chart gives to both. */
function chartClassOf({ daemonSet }: PullerBase): string | undefined {
  return asText(daemonSet.spec.template.spec.priorityClassName);
}

/** Argo CD applies a PriorityClass after the DaemonSets of its wave (gitops-engine pkg/sync/sync_tasks.go), so it gets an earlier one. */
function emittedClass({ emitted }: PriorityChoice, wave: number): KubeObject[] {
  return emitted === undefined ? [] : [annotated(emitted, phaseAnnotations({ hook: undefined, wave: wave - 1 }))];
}

interface ContinuousRecord extends Omit<ContinuousPlace, 'holds'> {
  puller: KubeObject;
  needs: readonly Need[];
  pullMethod: PullMethod;
}

function record(plan: AppPlan, { base, puller, needs, priority, wave, pullMethod }: ContinuousRecord): void {
  const own = priority.emitted?.metadata.name;
  const missing = preconditionsOf(needs.filter(({ name }) => name !== own));
  plan.preconditions.push(...missing.filter((name) => !plan.preconditions.includes(name)));
  plan.pullers.push({
    object: titleOf(puller),
    role: 'continuous',
    from: base.from,
    phase: 'Sync',
    wave,
    pullMethod,
    ...(priority.className !== undefined && { priorityClassName: priority.className }),
  });
}
