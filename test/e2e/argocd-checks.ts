/** What must hold of a timeline, said once. */
import { pause } from '../testbed/until.ts';
import type { HubScene, Operation } from './argocd-scene.ts';

/** Every node had all images before the hub's first write, which there is; the milliseconds between the last of them and it. */
export function pulledFirst({ timeline }: HubScene, nodes: readonly string[], since = 0): number {
  const [first] = timeline.hubWrites(since);
  const pulled = timeline.pulled(since);
  expect([...pulled.keys()].sort()).toEqual([...nodes].sort());
  expect(first).toBeDefined();
  const last = [...pulled.values()].reduce((one, other) => (one.revision > other.revision ? one : other));
  expect(last.revision).toBeLessThan(first!.revision);
  return first!.at - last.at;
}

/** Milliseconds from the hook puller's creation until Argo CD first named counts of nodes; before, Argo CD renders. */
export function namedCountsAfter({ timeline }: HubScene, { startedAt }: Operation): number {
  const said = timeline.said(startedAt);
  const first = said.find(({ phase, hook }) => phase === 'Running' && /^\d+\/\d+ nodes? pulled/.test(hook));
  const made = timeline.judged()?.made;
  expect(first).toBeDefined();
  expect(made).toBeDefined();
  return first!.at - made!.at;
}

/** Milliseconds that Argo CD had the operation for. */
export function lasted({ timeline }: HubScene, { startedAt }: Operation): number {
  const said = timeline.said(startedAt);
  return said.at(-1)!.at - said[0]!.at;
}

/** Milliseconds from the hook puller's creation to its verdict. */
export function judgedAfter({ timeline }: HubScene, since: number): number {
  const judged = timeline.judged(since);
  expect(judged).toBeDefined();
  return judged!.verdict.at - judged!.made.at;
}

/** What Argo CD relayed of the hook puller last. */
export function hookSaid({ timeline }: HubScene, { startedAt }: Operation): string {
  return timeline.said(startedAt).at(-1)?.hook ?? '';
}

/** Holds at every look for so long. */
export async function stays(what: string, milliseconds: number, look: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    if (!(await look())) throw new Error(`no longer so: ${what}`);
    await pause(500);
  }
}

/** The operation runs on and on, and the hub has seen nothing of it. */
export async function waitsForEver(scene: HubScene, milliseconds: number): Promise<void> {
  await stays('the sync waits', milliseconds, async () => {
    const { status } = await scene.app();
    return status?.operationState?.phase === 'Running' && scene.timeline.hubWrites().length === 0;
  });
}
