/**
 * Puts the digest of all image lists on one ordinary object: hooks take no part in Argo CD's comparison, so without it a commit
 * that changes only the hook would leave the app Synced and nothing would be pulled.
 */
import { combinedDigest } from '../api/digest.ts';
import { IMAGES_DIGEST_ANNOTATION, IMAGES_LABEL } from '../api/names.ts';
import { annotationOf, hookOf } from '../manifest/hooks.ts';
import { labelOf, namespaceOf, roleOf, titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { groupOf } from '../manifest/pod-spec.ts';
import type { App, Context } from './app.ts';
import { amend, annotated, currentOf } from './draft.ts';
import type { Plan } from './plan.ts';

const CLUSTER_SCOPED_CORE = ['Namespace', 'Node', 'PersistentVolume', 'ComponentStatus'];

/** Undefined where nothing is pulled, or where no object could carry it (then with a warning). */
export function placeDigest(apps: readonly App[], context: Context): Plan['digest'] {
  const { draft, objects, warnings } = context;
  const left = objects.filter((object) => !draft.drop.has(object));
  const emitted = [...left, ...draft.add];
  const pullers = emitted.filter((object) => isPuller(currentOf(draft, object)));
  const value = combinedDigest(pullers.flatMap((object) => labelOf(currentOf(draft, object), IMAGES_LABEL) ?? []));
  if (value === undefined) return undefined;
  const carrier = findCarrier(emitted, apps, context);
  if (carrier === undefined) {
    warnings.push({
      message: 'no ordinary object can carry the image digest: a change of images alone will not start a sync',
      fields: {},
    });
    return undefined;
  }
  const current = currentOf(draft, carrier);
  if (annotationOf(current, IMAGES_DIGEST_ANNOTATION) !== value)
    amend(draft, carrier, (object) => annotated(object, { [IMAGES_DIGEST_ANNOTATION]: value }));
  return { object: titleOf(current), value };
}

/** The object that carries it already, a continuous puller, the hub (or labelled workload), the first that is namespaced. */
function findCarrier(emitted: readonly KubeObject[], apps: readonly App[], { draft }: Context): KubeObject | undefined {
  const ordinary = emitted.filter((object) => hookOf(currentOf(draft, object)) === undefined);
  return (
    ordinary.find((object) => annotationOf(object, IMAGES_DIGEST_ANNOTATION) !== undefined) ??
    ordinary.find((object) => roleOf(currentOf(draft, object)) === 'continuous') ??
    apps.flatMap(({ users }) => users).find((user) => ordinary.includes(user)) ??
    ordinary.find((object) => isNamespaced(object) && roleOf(object) === undefined)
  );
}

function isPuller(object: KubeObject): boolean {
  const role = roleOf(object);
  return role === 'hook' || role === 'continuous';
}

function isNamespaced(object: KubeObject): boolean {
  if (namespaceOf(object) !== undefined) return true;
  const group = groupOf(object);
  return group === 'apps' || group === 'batch' || (group === '' && !CLUSTER_SCOPED_CORE.includes(object.kind));
}
