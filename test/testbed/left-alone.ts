/** Starts a control plane and, where that can be, a real node, says so and waits to be killed: see test/e2e/testbed.test.ts. */
import { join } from 'node:path';
import { startControlPlane } from './control-plane.ts';
import { missingForMachine, startMachine } from './machine.ts';
import { startRegistry } from './registry.ts';

const plane = await startControlPlane('left-alone');
if (missingForMachine().length === 0) {
  const registry = await startRegistry(join(plane.folder, 'registry'));
  await registry.push({ name: 'pause:1', shell: true, entrypoint: ['/bin/sleep', '1000000'] });
  const pauseImage = `${registry.host}/pause:1`;
  const { name } = await startMachine(plane, { name: 'left-node', pauseImage });
  const containers = [{ name: 'pause', image: pauseImage }];
  const pod = { metadata: { name: 'left', namespace: 'default' }, spec: { nodeName: name, containers } };
  await plane.clientFor('admin').create({ apiVersion: 'v1', kind: 'Pod', ...pod });
}
process.stdout.write('up\n');
setInterval(() => undefined, 1_000);
