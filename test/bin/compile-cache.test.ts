/** Where Node's compile cache goes: the user's cache folder, else a closed folder of this user under TMPDIR, else nowhere. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PREPULLER } from '../commands/prepuller.ts';

const OWN = `prepuller-cache-${String(process.getuid?.() ?? 0)}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepuller-compile-cache-'));
  mkdirSync(join(folder, 'tmp'));
  writeFileSync(join(folder, 'file'), '');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A HOME below a file cannot be made, as none can on a read-only root. */
function run(home: string): string {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: join(folder, home), TMPDIR: join(folder, 'tmp') };
  return execFileSync(process.execPath, [PREPULLER, '--version'], { env, encoding: 'utf8' });
}

function isCached(...path: string[]): boolean {
  return existsSync(join(folder, ...path, 'compile-cache'));
}

test('the user’s cache folder comes first', () => {
  run('home');
  expect(isCached('home/.cache/argocd-prepuller')).toBe(true);
  expect(isCached('tmp', OWN)).toBe(false);
});

test('where that cannot be made, a folder nobody else can enter', () => {
  run('file/home');
  expect(isCached('tmp', OWN)).toBe(true);
  expect(statSync(join(folder, 'tmp', OWN)).mode & 0o777).toBe(0o700);
});

test.each([
  [
    'open to others',
    () => {
      mkdirSync(join(folder, 'tmp', OWN));
      chmodSync(join(folder, 'tmp', OWN), 0o777);
    },
  ],
  [
    'a link',
    () => {
      mkdirSync(join(folder, 'elsewhere'), { mode: 0o700 });
      symlinkSync(join(folder, 'elsewhere'), join(folder, 'tmp', OWN));
    },
  ],
  [
    'a file',
    () => {
      writeFileSync(join(folder, 'tmp', OWN), '');
    },
  ],
])('a folder that is %s is not used, and nothing fails', (_, prepare) => {
  prepare();
  expect(run('file/home')).toMatch(/^\d+\.\d+\.\d+/);
  expect(isCached('tmp', OWN)).toBe(false);
});
