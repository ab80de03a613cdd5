/** Tens of thousands of pods of a few pullers: their equal texts are kept once. */
import type { Condition, ContainerStatus, Pod } from '../verdict/snapshot.ts';

/** Enough for the images, names and reasons of many pullers; beyond it the memory of texts begins anew. */
const MOST = 20_000;

/** Longer texts are hardly ever equal. */
const LONGEST = 300;

/** One for all objects that may share texts. */
export function createCompactor(): (pod: Pod) => Pod {
  let texts = new Map<string, string>();

  function shared(text: string): string {
    const known = texts.get(text);
    if (known !== undefined || text.length > LONGEST) return known ?? text;
    if (texts.size >= MOST) texts = new Map();
    texts.set(text, text);
    return text;
  }

  function condition(value: Condition | undefined): Condition | undefined {
    if (value === undefined) return undefined;
    const { type, status, reason, message, since } = value;
    return { type: shared(type), status: shared(status), reason: shared(reason), message: shared(message), since };
  }

  function container(value: ContainerStatus): ContainerStatus {
    return { ...value, name: shared(value.name), image: shared(value.image) };
  }

  const perhaps = (text: string | undefined): string | undefined => (text === undefined ? undefined : shared(text));
  return (pod) => ({
    ...pod,
    namespace: shared(pod.namespace),
    ownerUid: shared(pod.ownerUid),
    node: shared(pod.node),
    imagesLabel: perhaps(pod.imagesLabel),
    templateGeneration: perhaps(pod.templateGeneration),
    phase: shared(pod.phase),
    reason: shared(pod.reason),
    scheduled: condition(pod.scheduled),
    sandbox: condition(pod.sandbox),
    containers: pod.containers.map(container),
  });
}
