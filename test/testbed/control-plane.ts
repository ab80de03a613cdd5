/** A real control plane on loopback: etcd, kube-apiserver, kube-controller-manager and kube-scheduler, up in seconds, gone with the test. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiClient } from '../../simulator/api-client.ts';
import type { ApiClient } from '../../simulator/api-client.ts';
import { httpTransport } from '../../simulator/transports.ts';
import type { Transport } from '../../simulator/transports.ts';
import { readAudit, writeAuditPolicy } from './audit.ts';
import type { Request } from './audit.ts';
import { testbedProgram } from './build.mjs';
import { compact } from './etcd.ts';
import { freePorts } from './ports.ts';
import type { Running } from './processes.ts';
import { start } from './processes.ts';
import { until } from './until.ts';
import type { Tokens, User } from './users.ts';
import { makeTokens, USERS, writeKubeconfig, writeTokens } from './users.ts';

export interface ControlPlane {
  /** https, on loopback. */
  server: string;
  /** Logs, kubeconfig files and the audit log. */
  folder: string;
  clientFor(user: User): ApiClient;
  /** For what the client has no verb for. Closed with the rest. */
  transportFor(user: User): Transport;
  /** The path of a kubeconfig file. */
  kubeconfigOf(user: User): string;
  /** What a user asked of the API server so far; by the name there, if it is none of ours. */
  requestsOf(user: string): Request[];
  /** Ends the API server without a word; clients see broken connections. */
  killApiServer(): Promise<void>;
  /** Starts it again; resolves when it answers. */
  startApiServer(): Promise<void>;
  /** Only the newest versions are known from now on; the API server begins anew. */
  forgetHistory(): Promise<void>;
  stop(): Promise<void>;
}

interface Parts {
  program: string;
  folder: string;
  ports: { etcd: number; peer: number; apiServer: number; controllers: number; scheduler: number };
  tokens: Tokens;
}

const ROOT = new URL('../..', import.meta.url).pathname;

export interface ControlPlaneOptions {
  /** How long a node may be silent; absent: 20 s, two heartbeats of the scripted kubelets. */
  nodeGrace?: string;
}

/** `name` is the suite's: logs are under reports/e2e/NAME, those of the run before are removed. */
export async function startControlPlane(name: string, options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const parts = await prepare(name);
  const { folder, ports, tokens } = parts;
  const server = `https://127.0.0.1:${ports.apiServer}`;
  for (const user of Object.keys(USERS) as User[]) {
    const namespace = user === 'argocd' ? 'argocd' : 'default';
    writeKubeconfig(folder, user, { server, token: tokens[user], namespace });
  }
  const transports: Transport[] = [];
  const transportFor = (user: User): Transport => {
    const transport = httpTransport({ url: server, token: tokens[user] });
    transports.push(transport);
    return transport;
  };
  const clientFor = (user: User): ApiClient => createApiClient(transportFor(user));
  const admin = clientFor('admin');
  const running: Running[] = [];
  const run = (part: Part): Running => {
    const process = start({ ...part, log: join(folder, `${part.name}.log`) });
    running.push(process);
    return process;
  };
  const stop = async (): Promise<void> => {
    for (const transport of transports) transport.close();
    await Promise.all(running.map((process) => process.kill()));
    rmSync(join(folder, 'etcd'), { recursive: true, force: true });
  };
  let apiServer: Running | undefined;
  const startApiServer = async (): Promise<void> => {
    apiServer = run(apiServerOf(parts));
    await answering(apiServer, async () => (await admin.raw('/readyz')).code === 200);
  };
  const killApiServer = async (): Promise<void> => apiServer?.kill();
  try {
    run(etcdOf(parts));
    await startApiServer();
    run(controllersOf(parts, options));
    run(schedulerOf(parts));
    await working(running, admin);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    server,
    folder,
    clientFor,
    transportFor,
    kubeconfigOf: (user) => join(folder, `${user}.kubeconfig`),
    requestsOf: (user) => readAudit(join(folder, 'audit.log'), user in USERS ? USERS[user as User].name : user),
    killApiServer,
    startApiServer,
    async forgetHistory() {
      await compact(`http://127.0.0.1:${ports.etcd}`);
      await killApiServer();
      await startApiServer();
    },
    stop,
  };
}

async function prepare(name: string): Promise<Parts> {
  const folder = join(ROOT, 'reports/e2e', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'service-accounts.pem'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const tokens = makeTokens();
  writeTokens(folder, tokens);
  writeAuditPolicy(folder);
  const [etcd = 0, peer = 0, apiServer = 0, controllers = 0, scheduler = 0] = await freePorts(5);
  return {
    program: await testbedProgram('cluster'),
    folder,
    ports: { etcd, peer, apiServer, controllers, scheduler },
    tokens,
  };
}

interface Part {
  name: string;
  command: string;
  args: string[];
}

function partOf(program: string, name: string, flags: Readonly<Record<string, string | number | boolean>>): Part {
  return {
    name,
    command: program,
    args: [name, ...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)],
  };
}

function etcdOf({ program, folder, ports }: Parts): Part {
  const [client, peer] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.peer}`];
  return partOf(program, 'etcd', {
    'data-dir': join(folder, 'etcd'),
    'unsafe-no-fsync': true,
    'log-level': 'warn',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  });
}

function apiServerOf({ program, folder, ports }: Parts): Part {
  return partOf(program, 'kube-apiserver', {
    'etcd-servers': `http://127.0.0.1:${ports.etcd}`,
    'bind-address': '127.0.0.1',
    'secure-port': ports.apiServer,
    'cert-dir': join(folder, 'certificates'),
    'service-account-key-file': join(folder, 'service-accounts.pem'),
    'service-account-signing-key-file': join(folder, 'service-accounts.pem'),
    'service-account-issuer': 'https://kubernetes.default.svc',
    'token-auth-file': join(folder, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-cluster-ip-range': '10.0.0.0/16',
    'endpoint-reconciler-type': 'none',
    'allow-privileged': true,
    'audit-policy-file': join(folder, 'audit-policy.json'),
    'audit-log-path': join(folder, 'audit.log'),
  });
}

function controllersOf({ program, folder, ports }: Parts, { nodeGrace = '20s' }: ControlPlaneOptions): Part {
  return partOf(program, 'kube-controller-manager', {
    kubeconfig: join(folder, 'system.kubeconfig'),
    'service-account-private-key-file': join(folder, 'service-accounts.pem'),
    'root-ca-file': join(folder, 'certificates/apiserver.crt'),
    'leader-elect': false,
    'bind-address': '127.0.0.1',
    'secure-port': ports.controllers,
    'node-monitor-period': '1s',
    'node-monitor-grace-period': nodeGrace,
    'node-startup-grace-period': '20s',
    'node-eviction-rate': 100,
    'kube-api-qps': 300,
    'kube-api-burst': 600,
  });
}

function schedulerOf({ program, folder, ports }: Parts): Part {
  return partOf(program, 'kube-scheduler', {
    kubeconfig: join(folder, 'system.kubeconfig'),
    'leader-elect': false,
    'bind-address': '127.0.0.1',
    'secure-port': ports.scheduler,
    'kube-api-qps': 300,
    'kube-api-burst': 600,
  });
}

/** Waits for an answer, and not for that of a process that is dead. */
async function answering(process: Running, look: () => Promise<boolean>): Promise<void> {
  await until(
    `${process.name} answers`,
    async () => {
      if (!process.isAlive()) return 'dead' as const;
      return (await look()) && ('alive' as const);
    },
    { within: 60_000 },
  );
  if (!process.isAlive()) throw new Error(`${process.name} ended:\n${process.lastWords()}`);
}

/** The controllers have made the ServiceAccount that pods need. */
async function working(running: readonly Running[], admin: ApiClient): Promise<void> {
  const ref = { resource: 'serviceaccounts', namespace: 'default', name: 'default' };
  for (const process of running.slice(-2)) {
    await answering(process, async () => (await admin.get(ref)).metadata.name === 'default');
  }
}
