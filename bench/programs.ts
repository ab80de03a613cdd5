/** What is measured: our commands from the bundle, what they are compared to, and an empty child of each kind. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeChart } from './chart.ts';
import type { Program } from './measure.ts';

const PREPULLER = fileURLToPath(new URL('../bin/prepuller.mjs', import.meta.url));
const READ_STREAM = fileURLToPath(new URL('read-stream.mjs', import.meta.url));
/** As Argo CD's cmp-server passes it. */
const ARGO_CD = {
  ARGOCD_APP_NAME: 'hub',
  ARGOCD_APP_NAMESPACE: 'hub',
  ARGOCD_APP_PARAMETERS: JSON.stringify([{ name: 'value-files', array: ['bench-values.yaml'] }]),
};

export interface Programs {
  empty: Program;
  version: Program;
  helm: Program;
  generate: Program;
  /** As the first call of a machine, before Node has a compile cache. */
  generateCold: Program;
  transform: (stream: string) => Program;
  jsYaml: (stream: string) => Program;
}

/** Everything they write stays in `scratch`: caches there begin empty and are warm after a first round. */
export async function preparePrograms(scratch: string): Promise<Programs> {
  const chart = join(scratch, 'chart');
  await writeChart(chart);
  const env = { PATH: process.env.PATH, HOME: join(scratch, 'home'), TMPDIR: join(scratch, 'tmp') };
  await Promise.all([mkdir(env.HOME), mkdir(env.TMPDIR)]);
  const node = (args: readonly string[], stdin?: string): Program => ({
    command: process.execPath,
    args,
    folder: chart,
    env,
    ...(stdin !== undefined && { stdin }),
  });
  // As plugin.yaml calls it: no flags, Argo CD's environment.
  const generate = { ...node([PREPULLER, 'generate']), env: { ...env, ...ARGO_CD } };
  return {
    empty: node(['-e', '0']),
    version: node([PREPULLER, '--version']),
    helm: {
      ...node(['template', 'hub', '.', '-f', 'bench-values.yaml', '--include-crds', '--namespace', 'hub']),
      command: 'helm',
    },
    generate,
    generateCold: { ...generate, env: { ...generate.env, NODE_DISABLE_COMPILE_CACHE: '1' } },
    transform: (stream) => node([PREPULLER, 'transform', '--release-name', 'hub'], stream),
    jsYaml: (stream) => node([READ_STREAM], stream),
  };
}

/** The path of a stream written for a run. */
export async function writeStream(scratch: string, name: string, stream: Buffer): Promise<string> {
  const path = join(scratch, `${name.replaceAll(' ', '-')}.yaml`);
  await writeFile(path, stream);
  return path;
}
