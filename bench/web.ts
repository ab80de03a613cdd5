/** The page and its event stream beside the reconciler, in one run: rounds of one last pod without listeners, then with many; renders. */
import { join } from 'node:path';
import { measureRounds } from './cluster.ts';
import { NAMESPACE, STANDING } from './cluster-objects.ts';
import { startClusterProcess, startReconciler } from './cluster-run.ts';
import { listen } from './web-listeners.ts';

export interface WebPlan {
  nodes: number;
  clients: number;
  rounds: number;
  renders: number;
}

export interface WebMeasured extends WebPlan {
  /** Milliseconds from a round's last ready pod to the condition: nobody listens, all listen. */
  alone: number[];
  listened: number[];
  /** Milliseconds from the first client that has an event to the last. */
  spreads: number[];
  /** Clients that were dropped. */
  dropped: number;
  /** Milliseconds of one page with all nodes, and of the probe, which is the way there and back. */
  pages: number[];
  probes: number[];
  pageBytes: number;
  /** Bytes that the reconciler held at most. */
  memory: number | undefined;
}

export async function measureWeb(plan: WebPlan, scratch: string): Promise<WebMeasured> {
  const cluster = startClusterProcess();
  try {
    const url = await cluster.do('setUp', { nodes: plan.nodes });
    const reconciler = await startReconciler(url, join(scratch, 'kubeconfig'), ['--open', 'everything']);
    try {
      await cluster.do('firstVerdict');
      const { rounds } = plan;
      const { ours: alone } = await measureRounds({ rounds }, cluster, url);
      const listeners = await listen(reconciler.port, plan.clients);
      const { ours: listened } = await measureRounds({ rounds, first: rounds }, cluster, url);
      const told = { spreads: listeners.spreads(), dropped: plan.clients - listeners.connected() };
      listeners.stop();
      const rendered = await measureRenders(plan.renders, `http://127.0.0.1:${reconciler.port}`);
      return { ...plan, alone, listened, ...told, ...rendered, memory: reconciler.memory() };
    } finally {
      await reconciler.stop();
    }
  } finally {
    await cluster.stop();
  }
}

/** In turns, so that the machine's mood falls on both. */
async function measureRenders(
  renders: number,
  address: string,
): Promise<Pick<WebMeasured, 'pages' | 'probes' | 'pageBytes'>> {
  const pages: number[] = [];
  const probes: number[] = [];
  let pageBytes = 0;
  for (let render = 0; render < renders; render += 1) {
    probes.push((await get(`${address}/livez`)).milliseconds);
    const page = await get(`${address}/pulls/${NAMESPACE}/${STANDING}`);
    pages.push(page.milliseconds);
    pageBytes = page.bytes;
  }
  return { pages, probes, pageBytes };
}

async function get(url: string): Promise<{ milliseconds: number; bytes: number }> {
  const began = performance.now();
  const response = await fetch(url);
  const { byteLength } = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return { milliseconds: performance.now() - began, bytes: byteLength };
}
