/** The Node a kubelet registers and what it says about itself. */
import type { Behaviour } from './pod-worker.ts';
import type { ApiObject, Fields } from './store.ts';
import { timestamp } from './store.ts';

export interface NodeSpec {
  name: string;
  labels?: Record<string, string>;
  taints?: { key: string; value?: string; effect: 'NoSchedule' | 'NoExecute' | 'PreferNoSchedule' }[];
  /** How many pods it may hold. */
  pods?: number;
  cpu?: string;
  memory?: string;
  /** Images that are there from the start. */
  images?: string[];
  behaviour?: Behaviour;
}

export function nodeObject({ name, labels, taints, pods = 110, cpu = '4', memory = '16Gi' }: NodeSpec): ApiObject {
  const capacity = { cpu, memory, pods: String(pods), 'ephemeral-storage': '100Gi' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64', ...labels },
    },
    spec: taints === undefined ? {} : { taints },
    status: { capacity, allocatable: capacity },
  } as unknown as ApiObject & { status: Fields };
}

const SAID = {
  MemoryPressure: ['KubeletHasInsufficientMemory', 'KubeletHasSufficientMemory'],
  DiskPressure: ['KubeletHasDiskPressure', 'KubeletHasNoDiskPressure'],
  PIDPressure: ['KubeletHasInsufficientPID', 'KubeletHasSufficientPID'],
  Ready: ['KubeletReady', 'KubeletNotReady'],
} as const;

/** A patch of the status with the named conditions as given; without any: all of them, in good health. */
export function nodeStatus(given: Record<string, 'True' | 'False'>, now: number): { status: Fields } {
  const healthy = { MemoryPressure: 'False', DiskPressure: 'False', PIDPressure: 'False', Ready: 'True' } as const;
  const wanted = Object.keys(given).length === 0 ? healthy : given;
  const conditions = Object.entries(wanted).map(([type, status]) => {
    const [yes = '', no = ''] = SAID[type as keyof typeof SAID] as readonly string[];
    const reason = status === 'True' ? yes : no;
    const time = timestamp(now);
    const message = reason === 'KubeletReady' ? 'kubelet is posting ready status' : `kubelet says ${reason}`;
    return { type, status, reason, message, lastHeartbeatTime: time, lastTransitionTime: time };
  });
  const nodeInfo = {
    kubeletVersion: 'v1.34.4',
    containerRuntimeVersion: 'containerd://1.7.27',
    operatingSystem: 'linux',
    architecture: 'amd64',
  };
  return { status: { conditions, ...(Object.keys(given).length === 0 ? { nodeInfo } : {}) } };
}
