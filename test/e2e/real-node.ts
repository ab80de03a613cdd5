/** The real node of a suite, its registry, and the doors through which a test lets the node reach it. */
import { join } from 'node:path';
import { startMachine } from '../testbed/machine.ts';
import type { Machine, MachineOptions } from '../testbed/machine.ts';
import { makeDoor, startRegistry } from '../testbed/registry.ts';
import type { Door, Manner, Registry } from '../testbed/registry.ts';
import { REAL_IMAGES } from './images.ts';
import type { PullerSpec } from './scene.ts';
import type { Stage } from './stage.ts';

export const NODE = 'real';

let stage: Stage;
export let registry: Registry;
let pauseImage: string;
const opened: { close: () => Promise<void> }[] = [];
const machines: Machine[] = [];

/** Starts both on the stage; gives what ends them, and every door. */
export async function prepare(on: Stage): Promise<() => Promise<void>> {
  stage = on;
  registry = await startRegistry(join(on.plane.folder, 'registry'));
  pauseImage = `${registry.host}/pause:1`;
  for (const spec of REAL_IMAGES) await registry.push(spec);
  await addMachine({ name: NODE });
  return async () => {
    for (const door of opened) await door.close();
    await Promise.all(machines.map((machine) => machine.stop()));
    await registry.stop();
  };
}

export async function addMachine(
  options: Omit<MachineOptions, 'pauseImage'> & { pauseImage?: string },
): Promise<string> {
  const machine = await startMachine(stage.plane, { pauseImage, ...options });
  machines.push(machine);
  return machine.name;
}

export async function door(manner: Manner): Promise<Door> {
  const made = await makeDoor(registry, manner);
  opened.push(made);
  return made;
}

export async function openDoor(manner: Manner): Promise<string> {
  const made = await door(manner);
  await made.open();
  return made.host;
}

/** On these nodes and no others, whatever the scene's are. */
export function on(...nodes: string[]): Pick<PullerSpec, 'pod'> {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: nodes }];
  const required = { nodeSelectorTerms: [{ matchExpressions }] };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  return { pod: { nodeSelector: {}, affinity } };
}

/** An image by the registry's own address. */
export const image = (name: string): string => `${registry.host}/${name}`;
