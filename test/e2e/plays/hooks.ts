/** A hook as the program emits it, on nodes that let it down. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiObject } from '../../../simulator/store.ts';
import { isReady } from '../../../simulator/pod-conditions.ts';
import { EXAMPLES, readObjects } from '../../examples/argo-cd.ts';
import { pullers, roleOf } from '../../examples/ours.ts';
import { until } from '../../testbed/until.ts';
import { runProgram } from '../program.ts';
import type { Scene } from '../scene.ts';
import type { Play } from '../stage.ts';

const RENDERED = join(EXAMPLES, 'rendered-in-git/manifests/hub.yaml');

/** The hook of a rendered hub, on the scene's nodes; what else it needs is left out. */
async function emittedHook({ namespace, program }: Scene): Promise<ApiObject> {
  const { code, stdout, stderr } = await runProgram(program, ['transform', '--namespace', namespace], {
    input: readFileSync(RENDERED),
  });
  if (code !== 0) throw new Error(stderr);
  const hook = pullers(readObjects(stdout)).find((puller) => roleOf(puller) === 'hook');
  if (hook === undefined) throw new Error('no hook was emitted');
  const object = { ...hook, metadata: { ...hook.metadata, namespace } } as unknown as ApiObject;
  const { spec } = (object.spec as { template: { spec: Record<string, unknown> } }).template;
  spec.nodeSelector = { scene: namespace };
  delete spec.priorityClassName;
  delete spec.serviceAccountName;
  return object;
}

/** Argo CD deletes a hook in the foreground and makes the next one when the old one is gone. */
async function deadNode(scene: Scene): Promise<void> {
  const node = await scene.join('dead');
  const hook = await emittedHook(scene);
  const { name } = hook.metadata;
  const { client, namespace } = scene;
  await client.create(hook);
  await until('the node has pulled', async () => {
    const { items } = await client.list('pods', { namespace });
    return items.length === 1 && items.every(isReady);
  });
  scene.nodes.kill(node);
  await scene.remove(name, 'Foreground');
  const isGone = (): Promise<boolean> =>
    scene.get(name).then(
      () => false,
      () => true,
    );
  await until('the old hook is gone', isGone, { within: 15_000 });
  await client.create(hook);
}

export const HOOK_PLAYS: readonly Play[] = [
  { name: 'a hook on a dead node goes at once, and the next sync makes another', play: deadNode },
];
