/**
 * Places the hook puller: an Argo CD PreSync hook, recreated at each sync, with copies of all it needs a wave before it, and in the
 * `job` gate the Job that waits for it a wave after.
 */
import { isPreSync, waveOf } from '../manifest/hooks.ts';
import { nameOf, titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { asText } from '../manifest/mapping.ts';
import type { App, Context } from './app.ts';
import { HOOK_WAVE } from './argo-phase.ts';
import { awaitObjects } from './await-job.ts';
import { needsOf, preconditionsOf, secretNames, type Need } from './needs.ts';
import type { AppPlan } from './plan.ts';
import { copyForHook, lateSecretWarnings, type Copies } from './prerequisites.ts';
import type { PullerBase } from './puller-base.ts';
import { writePuller, type PullerDesign } from './puller.ts';

export function placeHookPuller(app: App, context: Context, plan: AppPlan): void {
  const base = app.base('hook');
  if (base === undefined) return;
  const { options, draft } = context;
  const wave = base.rendered !== undefined && isPreSync(base.rendered) ? waveOf(base.rendered) : HOOK_WAVE;
  const needs = hookNeeds(app, base, context);
  const { copies, rename } = copyForHook(needs, app.hub, wave - 1, options);
  const puller = writePuller(base.daemonSet, hookDesign(app, { base, needs, wave, rename }, context));
  const added = copies.map(({ copy }) => copy);
  if (base.rendered === undefined) added.push(puller);
  else draft.replace.set(base.rendered, puller);
  if (options.gate === 'job') {
    const design = { hub: app.hub, puller: nameOf(puller) ?? '', pullerWave: wave, rename };
    added.push(...awaitObjects(design, options));
  }
  draft.add.push(...added);
  context.warnings.push(...lateSecretWarnings(needs));
  record(plan, { base, puller, needs, copies, added, wave, context });
}

/** The needs of the pod, and in the `job` gate the Secrets the chart's awaiter pulls with. */
function hookNeeds({ hub }: App, { daemonSet }: PullerBase, { objects, options }: Context): Need[] {
  const surroundings = { objects, defaultNamespace: options.app.namespace };
  const own = needsOf(daemonSet, surroundings).filter((need) => mayExist(need, options));
  const known = new Set(own.map(({ kind, name }) => `${kind}/${name}`));
  const awaiter = options.gate === 'job' ? hub.awaiter.flatMap((object) => needsOf(object, surroundings)) : [];
  return [...awaiter.filter(({ kind, name }) => kind === 'Secret' && !known.has(`${kind}/${name}`)), ...own];
}

/** A rendered PriorityClass comes after PreSync; without a copy the pod must do without it, or it could not be created. */
function mayExist({ kind, object }: Need, { emitPriorityClass }: Context['options']): boolean {
  return kind !== 'PriorityClass' || object === undefined || emitPriorityClass;
}

interface HookPlace {
  base: PullerBase;
  needs: readonly Need[];
  wave: number;
  rename: Copies['rename'];
}

function hookDesign(app: App, { base, needs, wave, rename }: HookPlace, { options }: Context): PullerDesign {
  const { spec } = base.daemonSet.spec.template;
  const nameOfNeed = (wanted: Need['kind']): string | undefined => needs.find(({ kind }) => kind === wanted)?.name;
  const [priorityClass, account] = [nameOfNeed('PriorityClass'), nameOfNeed('ServiceAccount')];
  return {
    role: 'hook',
    method: options.pullMethod,
    images: app.wanted.images,
    pauseImage: app.pauseImage,
    priorityClassName: priorityClass && rename('PriorityClass', priorityClass),
    serviceAccountName: account && rename('ServiceAccount', account),
    imagePullSecrets: secretNames(spec.imagePullSecrets).map((name) => rename('Secret', name)),
    policy: options.gate === 'job' ? { ...options.policy, judge: 'builtin' } : options.policy,
    isAwaited: options.gate === 'job',
    phase: { hook: 'recreated', wave },
    revision: options,
  };
}

interface HookRecord extends Omit<HookPlace, 'rename'> {
  puller: KubeObject;
  copies: Copies['copies'];
  added: readonly KubeObject[];
  context: Context;
}

function record(plan: AppPlan, { base, puller, needs, copies, added, wave, context }: HookRecord): void {
  const copied = new Set(copies.map(({ copy }) => copy));
  plan.added.push(...added.filter((object) => !copied.has(object)).map(titleOf));
  plan.copied.push(...copies.map(({ from, copy }) => ({ from: titleOf(from), to: titleOf(copy) })));
  plan.preconditions.push(...preconditionsOf(needs));
  const priorityClassName = asText((puller as PullerBase['daemonSet']).spec.template.spec.priorityClassName);
  plan.pullers.push({
    object: titleOf(puller),
    role: 'hook',
    from: base.from,
    phase: 'PreSync',
    wave,
    pullMethod: context.options.pullMethod,
    ...(priorityClassName !== undefined && { priorityClassName }),
  });
}
