/**
 * What each gate does with the pullers of one app: `presync` and `job` let a hook puller hold the sync, `wave` the continuous one in
 * an early sync wave, `none` neither. The chart's own awaiter goes in every gate: it cannot tell why a pod is not ready.
 */
import type { Gate } from '../api/choices.ts';
import { titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import type { App, Context } from './app.ts';
import { placeContinuousPuller } from './continuous-puller.ts';
import { placeHookPuller } from './hook-puller.ts';
import { isHookAccountOf } from './needs.ts';
import { emptyAppPlan, type AppPlan } from './plan.ts';
import { makeOrdinary } from './prerequisites.ts';

interface GateRule {
  hook: boolean;
  /** The continuous puller is the gate, so there has to be one. */
  continuousHolds: boolean;
}

const RULES: Record<Gate, GateRule> = {
  presync: { hook: true, continuousHolds: false },
  wave: { hook: false, continuousHolds: true },
  job: { hook: true, continuousHolds: false },
  none: { hook: false, continuousHolds: false },
};

/** Plans one app: changes go into the context's draft and warnings, what was done into the answer. */
export function planApp(app: App, context: Context): AppPlan {
  const { hub, wanted } = app;
  const rule = RULES[context.options.gate];
  const plan: AppPlan = { ...emptyAppPlan(app.title, hub.namespace), images: wanted.images, skipped: wanted.skipped };
  for (const object of hub.awaiter) drop(object, context, plan);
  if (hub.pullSecret !== undefined) makeOrdinary(hub.pullSecret, context.draft, plan);
  const hasImages = wanted.images.length > 0;
  if (!hasImages) warnOfNothing(app, context);
  if (rule.hook && hasImages) placeHookPuller(app, context, plan);
  else if (hub.hookPuller !== undefined) drop(hub.hookPuller, context, plan);
  if (hub.continuousPuller !== undefined || (hasImages && isAskedFor(rule, context)))
    placeContinuousPuller(app, rule.continuousHolds, context, plan);
  dropUnusedAccount(app, context, plan);
  return plan;
}

function isAskedFor({ continuousHolds }: GateRule, { options }: Context): boolean {
  return continuousHolds || options.continuous;
}

function warnOfNothing({ hub, title }: App, { warnings }: Context): void {
  const { hookPuller, continuousPuller } = hub;
  if (hookPuller === undefined && continuousPuller === undefined) return;
  warnings.push({ message: 'no image is left to pull: there is nothing to wait for', fields: { app: title } });
}

/** The chart's account of its hook puller, a hook itself: a copy serves the puller, and nothing else uses the original. */
function dropUnusedAccount({ hub }: App, context: Context, plan: AppPlan): void {
  const account = hub.serviceAccounts.hook;
  if (account === undefined || context.draft.replace.has(account) || context.draft.drop.has(account)) return;
  const users = new Set<KubeObject>([hub.hookPuller, ...hub.awaiter].filter((object) => object !== undefined));
  if (isHookAccountOf(account, users, context.objects)) drop(account, context, plan);
}

function drop(object: KubeObject, { draft }: Context, plan: AppPlan): void {
  draft.drop.add(object);
  plan.dropped.push(titleOf(object));
}
