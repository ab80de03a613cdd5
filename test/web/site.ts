/** The controller's web server over pulls that a test tells it, on a free port of loopback. */
import { createApp } from '../../src/web/app.ts';
import type { WebParts } from '../../src/web/app.ts';
import type { Access } from '../../src/web/access.ts';
import { loadAssets } from '../../src/web/assets.ts';
import { createMetrics } from '../../src/web/metrics.ts';
import { createPulls } from '../../src/web/pulls.ts';
import type { Pulls } from '../../src/web/pulls.ts';
import { serve } from '../../src/web/serve.ts';
import { createStream } from '../../src/web/stream.ts';
import type { Stream } from '../../src/web/stream.ts';
import { NO_FACTS, firstLookAt } from '../../src/verdict/facts.ts';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import type { DaemonSet } from '../../src/verdict/snapshot.ts';
import type { NodeState, Verdict } from '../../src/verdict/verdict.ts';
import { ROOT } from '../commands/prepuller.ts';

export const IMAGE = 'registry.example/user:2';
export const ASSETS = loadAssets(new URL(`file://${ROOT}/dist/page/`));

export interface Site {
  url: string;
  port: number;
  pulls: Pulls;
  stream: Stream;
  failures: unknown[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

const OK = { ok: true, problems: [] };

export async function startSite(
  access: Access = 'open',
  options: { port?: number; parts?: Partial<WebParts> } = {},
): Promise<Site> {
  const pulls = createPulls(Date.now);
  const stream = createStream(pulls);
  const metrics = createMetrics({
    state: () => ({ pictureAge: 0, leading: true, queued: 0 }),
    now: Date.now,
    version: '1.2.3',
  });
  const failures: unknown[] = [];
  const app = createApp({
    live: () => OK,
    ready: () => OK,
    metrics: { ...metrics, access },
    page: { access, pulls, stream, assets: ASSETS },
    failed: (error) => void failures.push(error),
    ...options.parts,
  });
  const served = await serve(app, { host: '127.0.0.1', port: options.port ?? 0 });
  const url = `http://127.0.0.1:${served.port}`;
  return {
    url,
    port: served.port,
    pulls,
    stream,
    failures,
    get: (path, headers = {}) => fetch(url + path, { headers, redirect: 'manual' }),
    async stop() {
      stream.stop();
      pulls.stop();
      await served.stop(200);
    },
  };
}

export interface Told {
  name?: string;
  uid?: string;
  generation?: number;
  annotations?: Record<string, string>;
}

export function daemonSet({ name = 'pull', uid = 'uid-1', generation = 1, annotations = {} }: Told = {}): DaemonSet {
  const labels = { 'argocd-prepuller.github.io/role': 'hook' };
  const spec = { containers: [{ name: 'user', image: IMAGE }] };
  return readDaemonSet({
    metadata: { namespace: 'hub', name, uid, generation, labels, annotations },
    spec: { template: { spec } },
  });
}

export function node(name: string, more: Partial<NodeState> = {}): NodeState {
  return {
    node: name,
    state: 'pulled',
    reason: 'EveryImagePulled',
    message: 'every image is on the node',
    row: 1,
    counts: false,
    inBase: true,
    ...more,
  };
}

export function pulling(name: string, since = Date.now()): NodeState {
  return node(name, { state: 'pulling', reason: 'InProgress', image: IMAGE, message: 'pulling, image 1 of 1', since });
}

export const MISSING: Partial<NodeState> = {
  state: 'failed',
  reason: 'ImageMissing',
  image: IMAGE,
  message: `not found in the registry: ${IMAGE}: not found`,
  fix: 'Check the tag and the repository.',
};

export function verdict(nodes: readonly NodeState[], more: Partial<Verdict> = {}): Verdict {
  const count = (state: NodeState['state']) => nodes.filter((one) => one.state === state).length;
  const [pulled, failed, underWay] = [count('pulled'), count('failed'), count('pulling')];
  const health = failed > 0 ? 'Degraded' : underWay > 0 ? 'Progressing' : 'Healthy';
  const reason = failed > 0 ? 'ImageMissing' : underWay > 0 ? 'Pulling' : 'Pulled';
  return {
    health,
    reason,
    message: `${pulled}/${nodes.length} nodes pulled`,
    counts: { eligible: nodes.length, pulled, pulling: underWay, tolerated: count('tolerated'), failed },
    images: [{ image: IMAGE, nodes: pulled }],
    nodes: [...nodes].sort((one, other) => (one.node < other.node ? -1 : 1)),
    facts: { ...NO_FACTS, pullers: new Map([['uid-1', firstLookAt(1, Date.now() - 60_000)]]) },
    ...more,
  };
}

export function fleet(count: number, make: (name: string, index: number) => NodeState): NodeState[] {
  return Array.from({ length: count }, (_, index) => make(`node-${String(index).padStart(5, '0')}`, index));
}
