/** A simulated API server on loopback, and a kubeconfig file that leads to it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../simulator/clock.ts';
import { scaledClock } from '../../simulator/clock.ts';
import { serveHttp } from '../../simulator/http.ts';
import type { HttpServer } from '../../simulator/http.ts';
import { NAMESPACE, simulate } from './simulation.ts';
import type { Simulation } from './simulation.ts';

export interface Served {
  simulation: Simulation<Clock>;
  http: HttpServer;
  kubeconfig: string;
  stop(): Promise<void>;
}

export async function serveSimulation(): Promise<Served> {
  const simulation = simulate(scaledClock(1, Date.now()));
  const http = await serveHttp(simulation.server);
  const folder = mkdtempSync(join(tmpdir(), 'prepuller-kubeconfig-'));
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, JSON.stringify(configFor(http.url)));
  return {
    simulation,
    http,
    kubeconfig,
    async stop() {
      await http.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** JSON is YAML too. Plain HTTP is taken only with certificates unchecked. */
export function configFor(server: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'simulated',
    clusters: [{ name: 'simulated', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'tester', user: { token: 'tester-token' } }],
    contexts: [{ name: 'simulated', context: { cluster: 'simulated', user: 'tester', namespace: NAMESPACE } }],
  };
}

/** Resolves when the condition holds; the test's own time limit ends the wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
