/** The demo on a terminal, through script(1): a board that is drawn over, in colours unless NO_COLOR is set. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { environment, PREPULLER } from '../commands/prepuller.ts';

const { status } = spawnSync('script', ['--version']);
if (status !== 0 && process.env.CI !== undefined) throw new Error('script(1) of util-linux is not there');
const onTerminal = status === 0 ? test.concurrent.each : test.skip.each;

const COLOUR = /\u001b\[3\dm/;

onTerminal([
  ['in colours', {}, 100],
  ['NO_COLOR', { NO_COLOR: '1' }, 100],
  ['too narrow for a board', {}, 50],
])(
  '%s (skipped where script(1) of util-linux is not there)',
  async (_name, env, columns) => {
    const command = `stty rows 40 cols ${String(columns)}; exec ${process.execPath} ${PREPULLER} demo --scenario missing-image`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: environment({ TERM: 'xterm', ...env }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [exitCode] = (await once(child, 'close')) as [number | null];
    expect(exitCode).toBe(0);
    const drawings = text.split('\u001b[J').length - 1;
    if (columns < 60) expect(drawings).toBe(0);
    else expect(drawings).toBeGreaterThan(5);
    expect(COLOUR.test(text)).toBe(!('NO_COLOR' in env));
    const plain = text.replaceAll(/\u001b\[\d*[A-Za-z]/g, '');
    expect(plain).toContain('The sync failed.');
    const widest = Math.max(...plain.split(/\r?\n/).map((line) => line.length));
    if (columns >= 60) expect(widest).toBeLessThanOrEqual(columns);
  },
  60_000,
);
