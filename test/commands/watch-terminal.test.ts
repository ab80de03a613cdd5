/** `explain --watch` on a terminal, through script(1): drawn over in place, in colours unless NO_COLOR is set, ended by Ctrl-C. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { serveSimulation, until } from '../watch/kubeconfig.ts';
import type { Served } from '../watch/kubeconfig.ts';
import { environment, PREPULLER } from './prepuller.ts';

const { status } = spawnSync('script', ['--version']);
if (status !== 0 && process.env.CI !== undefined) throw new Error('script(1) of util-linux is not there');
const onTerminal = status === 0 ? test.each : test.skip.each;

const COLOUR = /\u001b\[3\dm/;
const NODES = ['a', 'b', 'c'];

let served: Served;

beforeEach(async () => {
  served = await serveSimulation();
  const { simulation } = served;
  for (const name of NODES) simulation.node(name);
  simulation.puller('pull');
  for (const name of NODES) simulation.pod('pull', name, 'pulling');
  simulation.observe('pull');
});

afterEach(() => served.stop());

onTerminal([
  ['in colours', {}],
  ['NO_COLOR', { NO_COLOR: '1' }],
])('%s (skipped where script(1) of util-linux is not there)', async (_name, env) => {
  const command = `stty rows 40 cols 120; exec ${process.execPath} ${PREPULLER} explain --watch`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: environment({ TERM: 'xterm', KUBECONFIG: served.kubeconfig, ...env }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  try {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    /** The board as it was drawn last. */
    const board = (): string => (text.split('\u001b[J').at(-1) ?? '').replaceAll(/\u001b\[\d*[A-Za-z]/g, '');
    await until(() => /hub\/pull {2}Progressing \(Pulling\)/.test(board()) && /↓ c .*pulling, image/.test(board()));
    served.simulation.pod('pull', 'c', 'missing');
    await until(() => /c .*not found in the registry/.test(board()) && board().includes('→ Check the tag'));
    for (const name of NODES) served.simulation.pod('pull', name, 'pulled');
    await until(() => board().includes('Healthy (Pulled)') && !board().includes('pulling, image'));
    expect(text.split('\u001b[J').length).toBeGreaterThanOrEqual(3);
    expect(COLOUR.test(text)).toBe(!('NO_COLOR' in env));
    child.stdin.write('\u0003');
    expect((await ended)[0]).toBe(130);
  } finally {
    child.kill();
    await ended;
  }
});
