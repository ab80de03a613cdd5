/** Each scenario through the real command, all at once: it ends as its first sentence promises, and leaves nothing behind. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STORIES } from '../../src/demo-stories.ts';
import { prepuller, startPrepuller } from '../commands/prepuller.ts';
import type { Outcome } from '../commands/prepuller.ts';

interface Told extends Outcome {
  /** What is left in the folder for temporary files. */
  left: string[];
}

const TIME_LIMIT = 60_000;
const scratch = mkdtempSync(join(tmpdir(), 'prepuller-demos-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

/** Plays it; `until`: interrupted once this was told. */
async function play(args: readonly string[], until?: string): Promise<Told> {
  const folder = mkdtempSync(join(scratch, 'tmp-'));
  // A proxy that is not there: the demo must not ask it for its own cluster.
  const env = { TMPDIR: folder, HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' };
  const child = startPrepuller(['demo', ...args], { env });
  const texts = { stdout: '', stderr: '' };
  child.stderr!.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  child.stdout!.on('data', (chunk: Buffer) => {
    texts.stdout += chunk.toString();
    if (until !== undefined && texts.stdout.includes(until)) child.kill('SIGINT');
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, ...texts, left: readdirSync(folder) };
}

/** Words with single spaces between them, whatever lines they were wrapped to. */
function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** What is told, in this order. */
const TELLINGS: Record<string, readonly RegExp[]> = {
  tour: [
    /user-04 tolerated: the node is full: 1 Too many pods/,
    /user-09 tolerated: the node does not start the pod \(it is cordoned\)/,
    /user-16 tolerated: the node is not ready/,
    /1 pulling, 3 tolerated: still at work user-13/,
    /Healthy hook-image-puller: 17\/20 nodes pulled, 3 tolerated: .*\(on user-04\).*\(on user-16\).*\(on user-09\)/,
    /Sync: the other \d+ objects/,
    /Healthy continuous-image-puller: 17\/20 nodes pulled, 3 tolerated/,
    /Deleted again: DaemonSet hook-image-puller/,
    /The sync succeeded\..* would hang: "17 of 19 ready" .*, for ever\. $/,
  ],
  'missing-image': [
    /\+ tag: "2026-04-31"/,
    /Degraded hook-image-puller: .*image quay\.io\/example\/datascience-notebook:2026-04-31: not found in the registry/,
    /on 20 nodes: user-01, user-02.* Check the tag/,
    /The sync failed\..* would hang: "0 of 20 ready", for ever, and not a word of the tag\. $/,
  ],
  'rate-limit': [
    /14 nodes pulling: the pull failed and is tried again: .*429 Too Many Requests/,
    /Healthy hook-image-puller: 20\/20 nodes pulled/,
    /The sync succeeded\. Users start on the new image\. $/,
  ],
  strict: [
    /prepuller generate --strict true/,
    /Degraded hook-image-puller: 17\/20 nodes pulled, 3 tolerated: strict is set; .*user-04.*user-16.*user-09/,
    /The sync failed\. Nothing of the hub was changed: users start on the image they had\. $/,
  ],
  'late-node': [
    /user-21 tolerated: joined after the pull began; left to the continuous puller/,
    /Healthy hook-image-puller: 20\/21 nodes pulled, 1 tolerated/,
    /Sync: the other \d+ objects/,
    /Healthy continuous-image-puller: 21\/21 nodes pulled/,
    /The sync succeeded\. Users start on the new image\. $/,
  ],
  'no-controller': [
    /Progressing hook-image-puller: no verdict yet: is the argocd-prepuller controller running in this cluster\?/,
    /09:05:\d\d The controller starts/,
    /Healthy hook-image-puller: 20\/20 nodes pulled/,
    /The sync succeeded\. Users start on the new image\. $/,
  ],
};

test('every scenario has its telling', () => {
  expect(Object.keys(TELLINGS)).toEqual(Object.keys(STORIES));
});

test.concurrent.each(Object.entries(STORIES))(
  '%s ends as promised',
  async (name, { opening, promise }) => {
    const { exitCode, stdout, stderr, left } = await play(['--scenario', name]);
    expect({ exitCode, stderr, left }).toEqual({ exitCode: 0, stderr: '', left: [] });
    let rest = flat(stdout);
    expect(rest.startsWith(flat(opening))).toBe(true);
    for (const telling of TELLINGS[name]!) {
      expect(rest).toMatch(telling);
      rest = rest.slice(rest.search(telling));
    }
    const changed = stdout.includes('Sync: the other');
    expect(changed).toBe(promise.sync === 'Succeeded');
    // No colour and no cursor where nobody looks.
    expect(stdout).not.toContain('\u001b');
  },
  TIME_LIMIT,
);

test.concurrent.each(['prepuller generate', 'DaemonSet hook-image-puller', '20 pulling'])(
  'interrupted at "%s" it ends at once and leaves nothing',
  async (until) => {
    const { exitCode, stdout, stderr, left } = await play([], until);
    expect({ exitCode, left }).toEqual({ exitCode: 130, left: [] });
    expect(stderr).toBe('prepuller: stopped by SIGINT while playing the demo; nothing of it is left\n');
    expect(stdout).not.toContain('\nThe sync ');
  },
  TIME_LIMIT,
);

test('the help lists every scenario and an example', () => {
  const { exitCode, stdout } = prepuller(['demo', '--help']);
  expect(exitCode).toBe(0);
  for (const [name, { summary }] of Object.entries(STORIES)) expect(stdout).toContain(`${name.padEnd(15)}${summary}`);
  expect(stdout).toContain('prepuller demo --scenario missing-image\n');
});

test('a scenario that is not there', () => {
  const { exitCode, stdout, stderr } = prepuller(['demo', '--scenario', 'nix']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('missing-image');
});

test('without git it says what is missing', () => {
  const { exitCode, stderr } = prepuller(['demo'], { env: { PATH: scratch, TMPDIR: scratch } });
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/^prepuller: git cannot make the repository of the demo: is git .* on the PATH\?\n/);
});
