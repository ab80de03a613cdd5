/** The testbed itself: whoever starts it may be killed at any moment, and nothing of it lives on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingForMachine } from '../testbed/machine.ts';
import { until } from '../testbed/until.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'reports/e2e/left-alone');

/** Command lines of processes that have to do with the folder, or run in a container. */
function alive(): string[] {
  return globSync('/proc/[0-9]*/cmdline').flatMap((path) => {
    try {
      const text = readFileSync(path, 'utf8').replaceAll('\0', ' ').trim();
      return text.includes(FOLDER) || text === '/bin/sleep 1000000' ? [text] : [];
    } catch {
      return [];
    }
  });
}

test('a run that is killed leaves no process behind', async () => {
  const child = spawn(process.execPath, [join(ROOT, 'test/testbed/left-alone.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const ended = once(child, 'exit').then(() => {
      throw new Error('it ended by itself');
    });
    await Promise.race([once(child.stdout, 'data'), ended]);
    // Four parts with a watchdog each; on a node containerd, the kubelet, a shim and the container.
    const expected = missingForMachine().length === 0 ? 14 : 8;
    await until('everything runs', () => alive().length >= expected);
    child.kill('SIGKILL');
    await until('nothing runs', () => alive().length === 0, { within: 10_000 });
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    expect(mounts.filter((line) => line.includes(FOLDER))).toEqual([]);
  } finally {
    child.kill('SIGKILL');
  }
});
