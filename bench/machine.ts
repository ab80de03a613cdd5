/** What a report says of the machine it was made on, and of the versions that were compared. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import type { Machine } from './report.ts';

const ROOT = new URL('../', import.meta.url);

export async function describeMachine(): Promise<Machine> {
  const versionIn = async (path: string): Promise<string> => {
    const { version } = JSON.parse(await readFile(new URL(path, ROOT), 'utf8')) as { version: string };
    return version;
  };
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    node: process.versions.node,
    helm: execFileSync('helm', ['version', '--template', '{{.Version}}'], { encoding: 'utf8' })
      .trim()
      .replace(/^v/, ''),
    'js-yaml': await versionIn('node_modules/js-yaml/package.json'),
    prepuller: await versionIn('package.json'),
  };
}
