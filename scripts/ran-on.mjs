/** One paragraph for pages that a run writes: when, on what machine, with which versions. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Without a checkout there is no commit to name. */
function commit() {
  try {
    return `, commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()}`;
  } catch {
    return '';
  }
}

/** The release of Kubernetes that the testbed is built from. */
function kubernetes() {
  return /k8s\.io\/kubernetes (v[\d.]+)/.exec(readFileSync(join(root, 'test/testbed/go.mod'), 'utf8'))[1];
}

export function ranOn() {
  const date = new Date().toISOString().slice(0, 10);
  const cpu = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpu}, ${cpus().length} cores, ${memory} GiB, ${type()} ${release()}`;
  return `${date}${commit()}; ${machine}; Node ${process.versions.node}, Kubernetes ${kubernetes()}.`;
}
