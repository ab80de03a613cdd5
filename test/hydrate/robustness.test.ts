/** Children that flood, hang or are stopped: bounded time, no process and no file left behind. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ToolError } from '../../src/errors.ts';
import { withScratch } from '../../src/hydrate/scratch.ts';
import type { HydrateContext } from '../../src/hydrate/source.ts';
import { times } from '../long-mode.ts';
import { CHART, failure, HELMS, makeFolder, removeFolders, render, text } from './app-folder.ts';

/** A program that stands in for helm; `$OUT` is a folder for what it tells us. */
function fake(script: string): { context: Partial<HydrateContext>; out: string; temporary: string } {
  const out = makeFolder({});
  const temporary = makeFolder({});
  writeFileSync(join(out, 'helm'), `#!/bin/sh\nOUT=${out}\n${script}\n`);
  chmodSync(join(out, 'helm'), 0o755);
  return { context: { helm: join(out, 'helm'), env: { ...process.env, TMPDIR: temporary } }, out, temporary };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${String(pid)}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** Processes the fake told us of. */
function pids(out: string): number[] {
  const names = readdirSync(out).filter((name) => name.startsWith('pid'));
  return names.map((name) => Number(readFileSync(join(out, name), 'utf8')));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

const MANIFEST = 'printf "a: b\\n"';
const FAMILY = 'echo $$ > $OUT/pid1; sleep 600 & echo $! > $OUT/pid2; wait';

afterAll(removeFolders);

test('a helm that never ends is stopped at the time limit, its children with it', async () => {
  const { context, out, temporary } = fake(FAMILY);
  const error = await failure(render(makeFolder(CHART), { context: { ...context, timeLimitMs: 500 } }));
  expect(error).toBeInstanceOf(ToolError);
  expect(error.message).toBe('rendering did not end within 0.5 s and was stopped (it was in helm template)');
  expect(pids(out)).toHaveLength(2);
  expect(pids(out).filter(isAlive)).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
});

test('a helm that does not listen to SIGTERM is killed', async () => {
  const { context, out, temporary } = fake(`trap "" TERM; ${FAMILY}; while :; do sleep 1; done`);
  const started = Date.now();
  await failure(render(makeFolder(CHART), { context: { ...context, timeLimitMs: 500 } }));
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(pids(out).filter(isAlive)).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
});

test.each(['stdout', 'stderr'])('a helm that floods %s is stopped', async (stream) => {
  const { context, temporary } = fake(`exec yes "$(printf '%01000d' 1)" ${stream === 'stderr' ? '>&2' : ''}`);
  const before = process.memoryUsage().rss;
  const error = await failure(render(makeFolder(CHART), { context }));
  expect(error).toBeInstanceOf(ToolError);
  expect(error.message).toMatch(`wrote without end to ${stream} and was stopped`);
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  expect(readdirSync(temporary)).toEqual([]);
});

test.each<[string, string, RegExp]>([
  ['is not there', '', /was not found: put it on PATH/],
  ['is no program', 'x', /could not be started \(EACCES\)/],
])('a helm that %s', async (_what, name, message) => {
  const folder = makeFolder({ x: '' });
  const helm = join(folder, name === '' ? 'gone' : name);
  const error = await failure(render(makeFolder(CHART), { context: { helm } }));
  expect(error).toBeInstanceOf(ToolError);
  expect(error.message).toMatch(message);
});

test('a parameter that is too long for a command line', async () => {
  const settings = { helm: { parameters: [{ name: 'a', value: 'CANARY'.repeat(50_000) }] } };
  const error = await failure(render(makeFolder(CHART), settings));
  expect(error.message).toBe('parameters are too long for a command line: put them into a values file');
});

test('a TMPDIR that is not there', async () => {
  const error = await failure(render(makeFolder(CHART), { context: { env: { ...process.env, TMPDIR: '/nowhere' } } }));
  expect(error.message).toBe('no temporary folder can be made in /nowhere (ENOENT): set TMPDIR');
});

test('a TMPDIR that is full', async () => {
  const work = () => writeFile('/dev/full', 'CANARY');
  const error = await failure(withScratch({ TMPDIR: tmpdir() }, work));
  expect(error).toBeInstanceOf(ToolError);
  expect(error.message).toBe(`no space is left in ${tmpdir()} (ENOSPC): make it larger`);
});

test('a helm that dies', async () => {
  const { context } = fake('kill -9 $$');
  expect((await failure(render(makeFolder(CHART), { context }))).message).toMatch(/was ended by SIGKILL$/);
});

test('a helm that fails without a word', async () => {
  const { context } = fake('exit 3');
  expect((await failure(render(makeFolder(CHART), { context }))).message).toBe('helm failed without a word');
});

test('children see an allow-list of the environment, inline values lie in a file of ours alone', async () => {
  const { context, out } = fake(
    `env > $OUT/env; for a in "$@"; do echo "$a"; done > $OUT/args; for a in "$@"; do case $a in */values.yaml) stat -c %a "$a" "$(dirname "$a")" > $OUT/mode;; esac; done; ${MANIFEST}`,
  );
  const env = { ...context.env, ARGOCD_APP_NAME: 'hub', KUBERNETES_SERVICE_HOST: 'x', AWS_SECRET_ACCESS_KEY: 'CANARY' };
  await render(makeFolder(CHART), { helm: { values: 'password: CANARY' }, context: { ...context, env } });
  const names = readFileSync(join(out, 'env'), 'utf8').split('\n').filter(Boolean);
  const allowed =
    /^(PATH|HOME|LANG|SSL_CERT_FILE|SSL_CERT_DIR|DOCKER_CONFIG|TMPDIR|GIT_\w+|SSH_AUTH_SOCK|HELM_\w+|\w+_PROXY|\w+_proxy|PWD|OLDPWD|SHLVL|_)=/;
  expect(names.filter((line) => !allowed.test(line))).toEqual([]);
  expect(readFileSync(join(out, 'mode'), 'utf8')).toBe('600\n700\n');
  expect(readFileSync(join(out, 'args'), 'utf8') + names.join('\n')).not.toContain('CANARY');
});

test('aborted at any moment: the reason is thrown, no child and no file is left', async () => {
  const { context, out, temporary } = fake(FAMILY);
  for (let round = 0; round < times(9, 30); round += 1) {
    const controller = new AbortController();
    const rendering = failure(render(makeFolder(CHART), { context: { ...context, signal: controller.signal } }));
    if (round % 3 === 0) await until(() => existsSync(join(out, 'pid2')));
    else await delay((round * 7) % 40);
    controller.abort(new Error('asked to stop'));
    expect((await rendering).message).toBe('asked to stop');
    expect(pids(out).filter(isAlive)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  }
});

test('aborted before it began', async () => {
  const { context, temporary } = fake(MANIFEST);
  const signal = AbortSignal.abort(new Error('asked to stop'));
  expect((await failure(render(makeFolder(CHART), { context: { ...context, signal } }))).message).toBe('asked to stop');
  expect(readdirSync(temporary)).toEqual([]);
});

test('many at once with the real helm: the same answer from all, nothing left', async () => {
  const folder = makeFolder({ ...CHART, 'a.yaml': 'extra: a\n' });
  const temporary = makeFolder({});
  const context = { env: { ...process.env, TMPDIR: temporary }, helm: HELMS[0]![1] };
  const settings = { helm: { valueFiles: ['a.yaml'], values: 'nested: {x: 1}' }, context };
  const answers = await Promise.all(Array.from({ length: times(8, 50) }, () => text(render(folder, settings))));
  expect(new Set(answers).size).toBe(1);
  expect(readdirSync(temporary)).toEqual([]);
});

test('many in a row: handles, files and heap stay as they were', async () => {
  const { context, temporary } = fake(MANIFEST);
  const folder = makeFolder(CHART);
  const settings = { helm: { values: `x: ${'y'.repeat(100_000)}` }, context };
  const rounds = async (count: number): Promise<number> => {
    for (let round = 0; round < count; round += 1) await render(folder, settings);
    return process.memoryUsage().heapUsed;
  };
  await rounds(20);
  const handles = process.getActiveResourcesInfo().length;
  const heap = await rounds(times(20, 60));
  expect((await rounds(times(30, 200))) - heap).toBeLessThan(60 * 1024 * 1024);
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(handles + 2);
  expect(readdirSync(temporary)).toEqual([]);
});
