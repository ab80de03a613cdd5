/** What must hold of a timeline, said once. */
import type { HubScene } from './argocd-scene.ts';

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
