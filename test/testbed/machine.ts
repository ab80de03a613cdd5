/** One real node: containerd, runc, CNI and a kubelet in namespaces of their own, joined to a control plane of a test. */
import { existsSync, globSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testbedProgram } from './build.mjs';
import type { ControlPlane } from './control-plane.ts';
import { freePorts } from './ports.ts';
import { start } from './processes.ts';
import { until } from './until.ts';

export interface MachineOptions {
  name: string;
  /** The image of every pod's sandbox. */
  pauseImage: string;
  /** How many pods it may hold. */
  pods?: number;
  /** As mount takes it; what images and containers have. */
  disk?: string;
  labels?: Record<string, string>;
}

export interface Machine {
  name: string;
  stop(): Promise<void>;
}

const PROGRAMS = [
  '/usr/bin/containerd',
  '/usr/bin/containerd-shim-runc-v2',
  '/usr/sbin/runc',
  '/usr/lib/cni/ptp',
  '/usr/bin/docker-registry',
  '/bin/busybox',
];

/** What this machine lacks to run a node; empty when nothing. */
export function missingForMachine(): string[] {
  const missing = PROGRAMS.filter((path) => !existsSync(path));
  return process.getuid?.() === 0 ? missing : ['root', ...missing];
}

export async function startMachine(plane: ControlPlane, options: MachineOptions): Promise<Machine> {
  const { name, disk = '1500m' } = options;
  const folder = join(plane.folder, name);
  const [port = 0, health = 0] = await freePorts(2);
  for (const part of ['disk', 'cni']) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'containerd.toml'), containerdConfig(folder, options));
  machines += 1;
  writeFileSync(join(folder, 'cni/network.conflist'), JSON.stringify(networkConfig(machines)));
  writeFileSync(join(folder, 'kubelet.json'), JSON.stringify(kubeletConfig(folder, { port, health }, options)));
  const kubelet = [await testbedProgram('cluster'), 'kubelet', ...kubeletFlags(plane, folder, options)];
  const script = join(import.meta.dirname, 'machine.sh');
  const namespaces = ['--pid', '--fork', '--kill-child', '--mount', '--mount-proc'];
  const running = start({
    name,
    command: '/usr/bin/unshare',
    args: [...namespaces, script, folder, disk, ...kubelet],
    log: join(folder, 'kubelet.log'),
  });
  const stop = async (): Promise<void> => {
    await running.kill();
    sweepCgroups();
  };
  try {
    await until('the node is ready', () => isReady(plane, name, running.isAlive()), { within: 60_000 });
    if (!running.isAlive()) throw new Error(`the node ended:\n${running.lastWords()}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { name, stop };
}

async function isReady(plane: ControlPlane, name: string, alive: boolean): Promise<boolean> {
  if (!alive) return true;
  const { status = {}, spec } = await plane.clientFor('admin').get({ resource: 'nodes', name });
  const conditions = (status.conditions ?? []) as { type: string; status: string }[];
  const isSaid = conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  return isSaid && spec?.taints === undefined;
}

/** The kernel keeps the groups that runc made, empty; those of nodes that still run are busy and stay. */
function sweepCgroups(): void {
  const groups = globSync(['/sys/fs/cgroup/k8s.io{,/*}', '/sys/fs/cgroup/*/k8s.io{,/*}'], { withFileTypes: true });
  const paths = groups.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  for (const path of paths.sort((one, other) => other.length - one.length)) {
    try {
      rmdirSync(path);
    } catch {
      // Busy.
    }
  }
}

function containerdConfig(folder: string, { pauseImage }: MachineOptions): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
root = "${folder}/disk/containerd"
state = "${folder}/disk/state"
[grpc]
  address = "${folder}/containerd.sock"
[${cri}]
  sandbox_image = "${pauseImage}"
  # A container may not be less killable than whoever starts it.
  restrict_oom_score_adj = true
  [${cri}.containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [${cri}.cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folder}/cni"
`;
}

let machines = 0;

/** A pair of devices for each pod, gone with it: nothing is left on the host. */
function networkConfig(machine: number): object {
  const ranges = [[{ subnet: `10.231.${machine}.0/24` }]];
  return { cniVersion: '0.4.0', name: 'pods', plugins: [{ type: 'ptp', ipam: { type: 'host-local', ranges } }] };
}

function kubeletConfig(
  folder: string,
  ports: { port: number; health: number },
  { pods = 110 }: MachineOptions,
): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    address: '127.0.0.1',
    port: ports.port,
    readOnlyPort: 0,
    healthzPort: ports.health,
    containerRuntimeEndpoint: `unix://${folder}/containerd.sock`,
    // Without groups for pods and classes: two kubelets on one machine would each clear away the other's.
    cgroupDriver: 'cgroupfs',
    cgroupsPerQOS: false,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    failCgroupV1: false,
    evictionHard: {},
    makeIPTablesUtilChains: false,
    resolvConf: '/etc/resolv.conf',
    podLogsDir: `${folder}/disk/logs`,
    maxPods: pods,
    // One pull that hangs must not hold those of other tests.
    serializeImagePulls: false,
    nodeStatusUpdateFrequency: '2s',
  };
}

function kubeletFlags(plane: ControlPlane, folder: string, { name, labels = {} }: MachineOptions): string[] {
  const flags = {
    kubeconfig: plane.kubeconfigOf('nodes'),
    config: join(folder, 'kubelet.json'),
    'hostname-override': name,
    'root-dir': join(folder, 'disk/kubelet'),
    'cert-dir': join(folder, 'certificates'),
    'node-ip': '127.0.0.1',
    'node-labels': Object.entries(labels)
      .map((pair) => pair.join('='))
      .join(','),
  };
  return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
}
