/** Argo CD on a control plane: Redis, repo-server, our plugin behind the real cmp-server, and the application controller. */
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installArgoCd, moduleFolder } from './argocd-install.ts';
import { testbedProgram } from './build.mjs';
import type { ControlPlane } from './control-plane.ts';
import { freePorts } from './ports.ts';
import type { Running } from './processes.ts';
import { start } from './processes.ts';
import { PROGRAM } from './reconciler.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLUGIN = 'argocd-prepuller';
const SIDECAR = 'argocd-cmp-server';

export interface ArgoCd {
  /** Where the repo-server listens, without TLS. */
  repoServer: string;
  /** Ends the sidecar that runs the plugin, as a crash does. */
  killSidecar(): Promise<void>;
  startSidecar(): Promise<void>;
  /** Another sidecar, whose plugin has this name and runs this `prepuller`. */
  startPlugin(name: string, prepuller: string): Promise<void>;
  /** Starts argocd-server; its address. Everybody may do everything unless `auth` is set; `extensions`: it relays to such. */
  startServer(options?: { auth?: boolean; extensions?: boolean }): Promise<string>;
  stop(): Promise<void>;
}

interface Setting {
  program: string;
  plane: ControlPlane;
  /** Of this Argo CD; its sockets lie in a folder of their own, because their paths must be short. */
  folder: string;
  sockets: string;
  env: Record<string, string>;
  ports: Record<'redis' | 'repo' | 'repoMetrics' | 'controllerMetrics', number>;
}

export interface ArgoOptions {
  /** Makes what Argo CD finds in its cluster. Absent: its own CRDs and ConfigMaps, and install/argocd. */
  install?: (plane: ControlPlane) => Promise<void>;
  /** How the sidecar runs: Argo CD's program, and the folder of its socket. Absent: as the other parts do. */
  sidecar?: (place: { program: string; sockets: string }) => Promise<Omit<Part, 'name'>>;
}

/** Starts all but argocd-server; resolves when a sync would begin. Logs are beside those of the control plane. */
export async function startArgoCd(plane: ControlPlane, options: ArgoOptions = {}): Promise<ArgoCd> {
  const { install = installArgoCd } = options;
  const [setting] = await Promise.all([prepare(plane), install(plane)]);
  const running: Running[] = [];
  const run = (part: Part, env: Record<string, string> = {}): Running => {
    const process = start({ ...part, env: { ...setting.env, ...env }, log: join(plane.folder, `${part.name}.log`) });
    running.push(process);
    return process;
  };
  let sidecar: Running | undefined;
  const startSidecar = async (): Promise<void> => {
    const own = await options.sidecar?.(setting);
    sidecar = run(own === undefined ? sidecarOf(setting) : { name: SIDECAR, ...own });
    await listening(sidecar, () => answersAt({ path: socketOf(setting) }));
  };
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((process) => process.kill()));
    for (const folder of [setting.folder, setting.sockets]) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const redis = run(redisOf(setting));
    await listening(redis, () => answersAt({ port: setting.ports.redis, host: '127.0.0.1' }));
    const repoServer = run(repoServerOf(setting));
    const controller = run(controllerOf(setting));
    await Promise.all([
      startSidecar(),
      listening(repoServer, () => isHealthy(setting.ports.repoMetrics)),
      listening(controller, () => isHealthy(setting.ports.controllerMetrics)),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    repoServer: `127.0.0.1:${setting.ports.repo}`,
    // Its socket stays behind, as that of a dead container does.
    killSidecar: async () => sidecar?.kill(),
    startSidecar,
    async startPlugin(name, prepuller) {
      const { part, env } = pluginOf(setting, name, prepuller);
      await listening(run(part, env), () => answersAt({ path: join(setting.sockets, `${name}.sock`) }));
    },
    async startServer({ auth = false, extensions = false } = {}) {
      const [port = 0, metrics = 0] = await freePorts(2);
      const flags = { 'disable-auth': !auth, 'enable-proxy-extension': extensions };
      const server = run(serverOf(setting, { port, 'metrics-port': metrics, ...flags }));
      await listening(server, () => isHealthy(port));
      return `http://127.0.0.1:${port}`;
    },
    stop,
  };
}

async function prepare(plane: ControlPlane): Promise<Setting> {
  const folder = join(plane.folder, 'argocd');
  const sockets = mkdtempSync(join(tmpdir(), 'prepuller-argocd-'));
  const of = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  writeFileSync(join(of('ssh'), 'ssh_known_hosts'), '');
  copyFileSync(join(ROOT, 'plugin.yaml'), join(of('plugin'), 'plugin.yaml'));
  const [redis = 0, repo = 0, repoMetrics = 0, controllerMetrics = 0] = await freePorts(4);
  return {
    program: await testbedProgram('argocd'),
    plane,
    folder,
    sockets,
    env: {
      PATH: [makeCommands(of('bin')), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(':'),
      KUBECONFIG: plane.kubeconfigOf('argocd'),
      TMPDIR: of('tmp'),
      HOSTNAME: 'argocd-0',
      REDIS_PASSWORD: '',
      ARGOCD_FAKE_IN_CLUSTER: 'true',
      ARGOCD_GPG_ENABLED: 'false',
      ARGOCD_GNUPGHOME: of('gnupg'),
      ARGOCD_GPG_DATA_PATH: of('gpg'),
      ARGOCD_TLS_DATA_PATH: of('tls'),
      ARGOCD_SSH_DATA_PATH: of('ssh'),
      ARGOCD_PLUGINSOCKFILEPATH: sockets,
      ARGOCD_CMP_WORKDIR: of('cmp'),
      ARGOCD_APPLICATION_CONTROLLER_REPLICAS: '1',
    },
    ports: { redis, repo, repoMetrics, controllerMetrics },
  };
}

/** What the images of Argo CD and of the sidecar have on their PATH: the wrappers of git and gpg, and our program. */
function makeCommands(folder: string): string {
  for (const name of ['git-verify-wrapper.sh', 'gpg-wrapper.sh']) {
    copyFileSync(join(moduleFolder(), 'hack', name), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
  symlinkSync(PROGRAM, join(folder, 'prepuller'));
  return folder;
}

interface Part {
  name: string;
  command: string;
  args: string[];
}

type Flags = Readonly<Record<string, string | number | boolean>>;

function partOf({ program }: Setting, name: string, flags: Flags): Part {
  return {
    name,
    command: program,
    args: [name, ...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)],
  };
}

function redisOf({ ports }: Setting): Part {
  const args = ['--port', String(ports.redis), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  return { name: 'redis', command: 'redis-server', args };
}

function repoServerOf(setting: Setting): Part {
  return partOf(setting, 'argocd-repo-server', {
    address: '127.0.0.1',
    port: setting.ports.repo,
    'metrics-address': '127.0.0.1',
    'metrics-port': setting.ports.repoMetrics,
    'disable-tls': true,
    redis: `127.0.0.1:${setting.ports.redis}`,
  });
}

function socketOf({ sockets }: Setting): string {
  return join(sockets, `${PLUGIN}.sock`);
}

function sidecarOf(setting: Setting): Part {
  return partOf(setting, SIDECAR, { 'config-dir-path': join(setting.folder, 'plugin') });
}

function pluginOf(setting: Setting, name: string, prepuller: string): { part: Part; env: Record<string, string> } {
  const folder = join(setting.folder, name);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  symlinkSync(prepuller, join(folder, 'bin/prepuller'));
  const plugin = readFileSync(join(ROOT, 'plugin.yaml'), 'utf8').replace(`name: ${PLUGIN}\n`, `name: ${name}\n`);
  writeFileSync(join(folder, 'plugin.yaml'), plugin);
  const env = { PATH: `${folder}/bin:${setting.env.PATH ?? ''}`, ARGOCD_CMP_WORKDIR: join(folder, 'work') };
  return { part: { ...partOf(setting, SIDECAR, { 'config-dir-path': folder }), name }, env };
}

/** Its metrics are on every address: there is no flag for another. */
function controllerOf(setting: Setting): Part {
  return partOf(setting, 'argocd-application-controller', {
    kubeconfig: setting.plane.kubeconfigOf('argocd'),
    'metrics-port': setting.ports.controllerMetrics,
    'repo-server': `127.0.0.1:${setting.ports.repo}`,
    'repo-server-plaintext': true,
    redis: `127.0.0.1:${setting.ports.redis}`,
  });
}

function serverOf(setting: Setting, flags: Flags): Part {
  return partOf(setting, 'argocd-server', {
    kubeconfig: setting.plane.kubeconfigOf('argocd'),
    address: '127.0.0.1',
    'metrics-address': '127.0.0.1',
    insecure: true,
    ...flags,
    'repo-server': `127.0.0.1:${setting.ports.repo}`,
    'repo-server-plaintext': true,
    redis: `127.0.0.1:${setting.ports.redis}`,
  });
}

async function answersAt(place: { path: string } | { port: number; host: string }): Promise<boolean> {
  const socket = connect(place);
  await once(socket, 'connect');
  socket.destroy();
  return true;
}

async function isHealthy(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
}

/** Waits for an answer, and not for that of a process that is dead. */
async function listening(process: Running, look: () => Promise<boolean>): Promise<void> {
  await until(`${process.name} listens`, async () => !process.isAlive() || (await look()), { within: 60_000 });
  if (!process.isAlive()) throw new Error(`${process.name} ended:\n${process.lastWords()}`);
}
