/** What the controller, and the commands that look into a cluster, can be told: each row a flag and a variable PREPULLER_…. */
import { parseDuration } from '../api/duration.ts';
import { choice, list, text, toggle } from './parameter.ts';
import type { Parameter, ParameterTable, Wording } from './parameter.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What everybody may see, beside the probes. */
export const OPENINGS = ['nothing', 'metrics', 'everything'] as const;
export type Opening = (typeof OPENINGS)[number];

/** Which cluster, and as whom. */
export interface ClusterSettings {
  kubeconfig?: string;
  context?: string;
}

export interface ControllerSettings {
  /** Empty: all. */
  namespaces: readonly string[];
  host: string;
  port: number;
  /** The file with the token of page, API and metrics. */
  tokenFile?: string;
  open: Opening;
  /** The file with the secret of Argo CD's proxy extension. */
  extensionSecretFile?: string;
  extensionPort: number;
  leaseName: string;
  /** Absent: the namespace it runs in. */
  leaseNamespace?: string;
  /** Nodes that have every image get a label. */
  markNodes: boolean;
  logLevel: LogLevel;
  /** Milliseconds after which a picture is too old for readiness. */
  pictureLimit: number;
  /** Milliseconds the end may take. */
  stopWithin: number;
}

export const CLUSTER_PARAMETERS: ParameterTable<ClusterSettings> = {
  kubeconfig: text({
    name: 'kubeconfig',
    title: 'Kubeconfig',
    tooltip: 'A kubeconfig file; without it KUBECONFIG, the one in the home folder, or the service account of the pod.',
  }),
  context: text({ name: 'context', title: 'Context', tooltip: 'The context of the kubeconfig to use.' }),
};

export const CONTROLLER_PARAMETERS: ParameterTable<ControllerSettings> = {
  namespaces: list({
    name: 'namespaces',
    title: 'Namespaces',
    tooltip: 'The namespaces whose pullers are judged; without any, all of them.',
  }),
  host: standard(
    text({ name: 'host', title: 'Address', tooltip: 'The address that page, API, probes and metrics are served on.' }),
    '0.0.0.0',
  ),
  port: port(
    { name: 'port', title: 'Port', tooltip: 'The port that page, API, probes and metrics are served on.' },
    '8080',
  ),
  tokenFile: text({
    name: 'token-file',
    title: 'File with the token',
    tooltip: 'Who has the token in this file sees page, API and metrics. The file is read again when it changes.',
  }),
  open: choice(
    {
      name: 'open',
      title: 'Open to everybody',
      tooltip: 'What is served without a token beside the probes: the metrics, or the page and the API as well.',
    },
    OPENINGS,
    'nothing',
  ),
  extensionSecretFile: text({
    name: 'extension-secret-file',
    title: "File with the extension's secret",
    tooltip: "What argocd-server relays for Argo CD's UI extension is answered when it has the secret in this file.",
  }),
  extensionPort: port(
    {
      name: 'extension-port',
      title: "The extension's port",
      tooltip: "The port that Argo CD's UI extension is served on, by argocd-server's proxy; only with its secret.",
    },
    '8081',
  ),
  leaseName: standard(
    text({
      name: 'lease-name',
      title: 'Name of the Lease',
      tooltip: 'Replicas that share a Lease have one writer among them.',
    }),
    'argocd-prepuller',
  ),
  leaseNamespace: text({
    name: 'lease-namespace',
    title: 'Namespace of the Lease',
    tooltip: 'Where the Lease lies; without it the namespace the controller runs in.',
  }),
  markNodes: toggle(
    {
      name: 'mark-nodes',
      title: 'Mark nodes',
      tooltip:
        'Nodes that have every image of the continuous pullers get a label, for schedulers and autoscalers. Needs install/node-marks.',
    },
    false,
  ),
  logLevel: choice(
    { name: 'log-level', title: 'Log level', tooltip: 'The least important lines that are logged.' },
    LOG_LEVELS,
    'info',
  ),
  pictureLimit: duration(
    {
      name: 'picture-limit',
      title: 'Oldest picture',
      tooltip: 'How long the cluster may say nothing before the controller is not ready.',
    },
    '3m',
  ),
  stopWithin: duration(
    { name: 'stop-within', title: 'Time to stop', tooltip: 'How long the controller may take to stop after a signal.' },
    '10s',
  ),
};

function standard<T>(parameter: Parameter<T>, value: string): Parameter<T> {
  return { ...parameter, default: value };
}

function duration(wording: Wording, value: string): Parameter<number> {
  const takes = 'a duration such as 90s or 5m, more than 0';
  const read = (given: unknown): number | undefined => {
    const milliseconds = typeof given === 'string' ? parseDuration(given) : undefined;
    return milliseconds === 0 ? undefined : milliseconds;
  };
  return { ...wording, type: 'string', default: value, takes, read };
}

function port(wording: Wording, value: string): Parameter<number> {
  const read = (given: unknown): number | undefined => {
    const number = typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : NaN;
    return number <= 65535 ? number : undefined;
  };
  return { ...wording, type: 'string', default: value, takes: 'a port, from 0 (any free one) to 65535', read };
}
