/** Rows 10 to 16 of the rule table: what one image says that is not on the node yet. */
import type { NodeReason } from '../api/reasons.ts';
import type { RememberedError } from './facts.ts';
import type { Surroundings } from './node-rules.ts';
import type { ImageView, NodeView } from './node-view.ts';
import type { PullErrorKind } from './pull-errors.ts';
import { finalAfter } from './pull-failure.ts';
import { adviceFor } from './registries.ts';
import { clean, pointOf, timeText } from './text.ts';
import type { Finding } from './verdict.ts';

export type ImageRule = (image: ImageView, view: NodeView, around: Surroundings) => Finding | undefined;

const REFUSED: Partial<Record<PullErrorKind, { reason: NodeReason; words: string }>> = {
  missing: { reason: 'ImageMissing', words: 'not found in the registry' },
  invalid: { reason: 'ImageInvalid', words: 'not a valid image reference' },
  never: { reason: 'ImageNeverPulled', words: 'not on the node, and the pull policy is Never' },
  credentials: { reason: 'CredentialsRefused', words: 'refused by the registry' },
  setup: { reason: 'RegistrySetup', words: 'the registry cannot be used as it is set up' },
};

/** Row 10. When no node that counts can run it, the build for the others may still be on its way. */
export function isOtherPlatform(image: ImageView, view: NodeView, around: Surroundings): Finding | undefined {
  const { error } = image;
  if (error?.kind !== 'platform') return undefined;
  const message = `no build of it for this node's platform: ${pointOf(error.text)}`;
  const finding = { image: image.image, message, fix: adviceFor('platform', image.reference), ...sinceOf(error) };
  if (!around.rejectedByAll.has(image.image)) return { state: 'tolerated', reason: 'NoBuildForNode', ...finding };
  if (!isFinal(image, view, around)) return { state: 'pulling', reason: 'Retrying', ...finding };
  return {
    state: 'failed',
    reason: 'NoBuild',
    ...finding,
    message: `no build of it for the platform of any node: ${pointOf(error.text)}`,
  };
}

/** Row 11. */
export function isBlocked({ image, blockedBy }: ImageView): Finding | undefined {
  if (blockedBy === undefined) return undefined;
  const message = `init container ${clean(blockedBy, 63)} before it cannot start`;
  return {
    state: 'tolerated',
    reason: 'Blocked',
    image,
    message,
    fix: 'Use pull-method: containers, where no image waits for another.',
  };
}

/** Row 12: nobody can have this image. */
export function isPermanent(image: ImageView, view: NodeView, around: Surroundings): Finding | undefined {
  const kind = image.error?.kind;
  return kind === 'missing' || kind === 'invalid' || kind === 'never' ? refusal(image, view, around) : undefined;
}

/** Row 13: not with these credentials, not with this set-up. */
export function isRefused(image: ImageView, view: NodeView, around: Surroundings): Finding | undefined {
  const kind = image.error?.kind;
  return kind === 'credentials' || kind === 'setup' ? refusal(image, view, around) : undefined;
}

function refusal(image: ImageView, view: NodeView, around: Surroundings): Finding | undefined {
  const { error } = image;
  const says = error === undefined ? undefined : REFUSED[error.kind];
  if (error === undefined || says === undefined) return undefined;
  const message = `${says.words}: ${pointOf(error.text)}`;
  const finding = { image: image.image, message, fix: adviceFor(error.kind, image.reference), ...sinceOf(error) };
  if (!isFinal(image, view, around)) return { state: 'pulling', reason: 'Retrying', ...finding };
  if (!around.fromRegistry.has(image.image)) return { state: 'failed', reason: says.reason, ...finding };
  return {
    state: 'tolerated',
    reason: 'OwnWayBroken',
    ...finding,
    message: `other nodes pulled it, this one not: ${message}`,
  };
}

/** Init containers wait for each other, so that an early one is tried again on time; of others any may be pulled meanwhile. */
function isFinal(image: ImageView, view: NodeView, { policy, once, clock }: Surroundings): boolean {
  const { error } = image;
  if (error === undefined) return false;
  const busy = !image.init && view.images.some(({ proof, error: other }) => proof === undefined && other === undefined);
  const after = finalAfter(error, { window: policy.missingImageWindow, once, busy });
  return after !== Infinity && clock.passed(error.refusedAt ?? clock.now, after);
}

function sinceOf({ refusedAt }: RememberedError): { since?: number } {
  return refusedAt === undefined ? {} : { since: refusedAt };
}

/** Row 14. */
export function cannotReach(
  { image, reference, error }: ImageView,
  _view: NodeView,
  around: Surroundings,
): Finding | undefined {
  if (error?.kind !== 'connection' || !around.proven.has(image)) return undefined;
  const finding = { image, fix: adviceFor('connection', reference), since: error.kindSince };
  const words = `since ${timeText(error.kindSince)}, other nodes can: ${pointOf(error.text)}`;
  if (around.clock.passed(error.kindSince, around.policy.networkGrace)) {
    return {
      state: 'tolerated',
      reason: 'RegistryUnreachable',
      message: `this node cannot reach the registry ${words}`,
      ...finding,
    };
  }
  return {
    state: 'pulling',
    reason: 'Retrying',
    message: `the registry does not answer this node ${words}`,
    ...finding,
    bounded: true,
  };
}

/** Row 15. */
export function isRetrying({ image, reference, error }: ImageView): Finding | undefined {
  if (error === undefined) return undefined;
  const message = `the pull failed and is tried again: ${pointOf(error.text)}`;
  return {
    state: 'pulling',
    reason: 'Retrying',
    image,
    message,
    fix: adviceFor(error.kind, reference),
    since: error.kindSince,
  };
}

/** Row 16. A kubelet pulls one image after the other and shows nothing meanwhile. */
export function isUnderWay({ image }: ImageView, view: NodeView): Finding {
  const count = view.images.length;
  const nth = Math.min(view.proven + 1, count);
  return {
    state: 'pulling',
    reason: 'InProgress',
    image,
    message: `pulling, image ${nth} of ${count}`,
    since: view.progressAt,
  };
}
