/** checkout/ against real repositories made by the test. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lastCommit } from '../../src/checkout/last-commit.ts';
import { findRepository } from '../../src/checkout/repository.ts';
import { folderIn, resolveCommit, writeTree } from '../../src/checkout/tree.ts';

const never = new AbortController().signal;
let scratch: string;
let repo: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'prepuller-checkout-'));
  repo = join(scratch, 'repo');
  mkdirSync(repo);
  git('init', '-q', '-b', 'main');
});
afterEach(() => {
  rmSync(scratch, { recursive: true, force: true });
});

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: repo, encoding: 'utf8' }).trim();
}

function commit(message: string, files: Record<string, string | null>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    if (text === null) rmSync(join(repo, path));
    else writeFileSync(join(repo, path), text);
  }
  git('add', '-A');
  git('commit', '-q', '-m', message);
  return git('rev-parse', 'HEAD');
}

async function open(folder = repo) {
  const repository = await findRepository(folder, never);
  if (repository === undefined) throw new Error('no repository found');
  return repository;
}

describe('the last commit that touched an app', () => {
  test('is the newest one below the folder, not the newest of the repository', async () => {
    const wanted = commit('bump hub-a', { 'hub-a/values.yaml': 'a: 1' });
    commit('bump hub-b', { 'hub-b/values.yaml': 'a: 1' });
    expect(await lastCommit(join(repo, 'hub-a'), ['.'], never)).toBe(`${wanted.slice(0, 8)} bump hub-a`);
  });

  test('counts values files outside the folder', async () => {
    commit('start', { 'hub/Chart.yaml': 'name: hub', 'shared/values.yaml': 'a: 1' });
    const wanted = commit('bump shared', { 'shared/values.yaml': 'a: 2' });
    expect(await lastCommit(join(repo, 'hub'), ['.', '../shared/values.yaml'], never)).toBe(
      `${wanted.slice(0, 8)} bump shared`,
    );
  });

  test('has a bounded subject without control characters', async () => {
    commit(`evil \u001b[31m${'x'.repeat(300)}`, { 'a.yaml': 'a: 1' });
    const text = await lastCommit(repo, ['.'], never);
    expect(text).toMatch(/^[0-9a-f]{8} evil \[31mx+…$/);
    expect(Array.from(text ?? '').length).toBeLessThanOrEqual(130);
  });

  test.each([
    ['no .git', (): string => scratch],
    ['a broken .git', (): string => (writeFileSync(join(repo, '.git/HEAD'), 'nonsense'), repo)],
    ['no commit yet', (): string => repo],
  ])('is silently absent with %s', async (_name, make) => {
    expect(await lastCommit(make(), ['.'], never)).toBeUndefined();
  });

  test('is silently absent in a shallow clone, whose boundary seems to touch everything', async () => {
    commit('one', { 'a.yaml': 'a: 1' });
    commit('two', { 'b.yaml': 'a: 1' });
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${repo}`, join(scratch, 'shallow')]);
    expect(await lastCommit(join(scratch, 'shallow'), ['a.yaml'], never)).toBeUndefined();
  });

  test('stops when the render is stopped', async () => {
    commit('one', { 'a.yaml': 'a: 1' });
    await expect(lastCommit(repo, ['.'], AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});

describe('the files of a revision', () => {
  test('are written elsewhere; working tree and index stay as they are', async () => {
    const first = commit('one', { 'hub/values.yaml': 'tag: "1"', 'hub/gone.yaml': 'x' });
    commit('two', { 'hub/values.yaml': 'tag: "2"', 'hub/gone.yaml': null });
    writeFileSync(join(repo, 'hub/values.yaml'), 'tag: uncommitted');
    writeFileSync(join(repo, 'hub/staged.yaml'), 'x');
    git('add', 'hub/staged.yaml');
    const before = git('status', '--porcelain=v2');

    const into = join(scratch, 'tree');
    mkdirSync(into);
    await writeTree(await open(), first, { into, scratch }, never);

    expect(readFileSync(join(into, 'hub/values.yaml'), 'utf8')).toBe('tag: "1"');
    expect(existsSync(join(into, 'hub/gone.yaml'))).toBe(true);
    expect(existsSync(join(into, 'hub/staged.yaml'))).toBe(false);
    expect(git('status', '--porcelain=v2')).toBe(before);
  });

  test.each(['main', 'HEAD', 'HEAD~1', 'v1', 'short'])('%s names a commit', async (revision) => {
    const first = commit('one', { 'a.yaml': '1' });
    git('tag', 'v1');
    git('branch', 'short', first);
    commit('two', { 'a.yaml': '2' });
    expect(await resolveCommit(await open(), revision)).toBe(git('rev-parse', revision));
  });

  test.each([
    ['unknown', /"unknown" is not in this clone: fetch it first/],
    ['--output=x', /no revision/],
    ['', /no revision/],
    ['HEAD:a.yaml', /is not in this clone/],
  ])('%s is refused with the fix', async (revision, message) => {
    commit('one', { 'a.yaml': '1' });
    await expect(resolveCommit(await open(), revision)).rejects.toThrow(message);
  });

  test('the missing parent of a shallow clone is named as that', async () => {
    commit('one', { 'a.yaml': '1' });
    commit('two', { 'a.yaml': '2' });
    const shallow = join(scratch, 'shallow');
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${repo}`, shallow]);
    await expect(resolveCommit(await open(shallow), 'HEAD~1')).rejects.toThrow(/shallow.*fetch-depth: 0/);
  });
});

describe('where the app was', () => {
  const files = { 'apps/hub/Chart.yaml': 'name: hub\nversion: 1.0.0\n', 'apps/hub/values.yaml': 'a: 1\nb: 2\nc: 3\n' };

  test('in its own folder when it was there', async () => {
    const older = commit('one', files);
    const newer = commit('two', { 'apps/hub/values.yaml': 'a: 2' });
    expect(await folderIn(await open(join(repo, 'apps/hub')), older, newer)).toBe('apps/hub');
  });

  test('in the folder it was renamed from, with a change in the same commit', async () => {
    const older = commit('one', files);
    mkdirSync(join(repo, 'hubs'));
    renameSync(join(repo, 'apps/hub'), join(repo, 'hubs/mäin'));
    const newer = commit('two', { 'hubs/mäin/values.yaml': 'a: 1\nb: 2\nc: 4\n' });
    expect(await folderIn(await open(join(repo, 'hubs/mäin')), older, newer)).toBe('apps/hub');
  });

  test('nowhere when it is new', async () => {
    const older = commit('one', { 'README.md': 'x' });
    const newer = commit('two', files);
    expect(await folderIn(await open(join(repo, 'apps/hub')), older, newer)).toBeUndefined();
  });
});
