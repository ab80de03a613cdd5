/** The port of Argo CD's UI extension over pulls that a test tells it, and requests as argocd-server relays them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArgoCdApp } from '../../src/web/argocd.ts';
import { createPulls } from '../../src/web/pulls.ts';
import type { Pulls } from '../../src/web/pulls.ts';
import { serve } from '../../src/web/serve.ts';
import { createStream } from '../../src/web/stream.ts';
import type { Stream } from '../../src/web/stream.ts';
import { openToken } from '../../src/web/token.ts';
import type { DaemonSet } from '../../src/verdict/snapshot.ts';
import { daemonSet } from './site.ts';
import type { Told } from './site.ts';

export const SECRET = 'battery-horse-correct-staple';

export interface ArgoCdSite {
  url: string;
  pulls: Pulls;
  stream: Stream;
  failures: unknown[];
  stop(): Promise<void>;
}

export async function startArgoCdSite(port = 0): Promise<ArgoCdSite> {
  const folder = mkdtempSync(join(tmpdir(), 'prepuller-secret-'));
  const file = join(folder, 'secret');
  writeFileSync(file, `${SECRET}\n`);
  const failures: unknown[] = [];
  const failed = (error: unknown): void => void failures.push(error);
  const secret = await openToken({ file, flag: 'extension-secret-file', now: Date.now, failed });
  const pulls = createPulls(Date.now);
  const stream = createStream(pulls);
  const served = await serve(createArgoCdApp({ secret, pulls, stream, failed }), { host: '127.0.0.1', port });
  return {
    url: `http://127.0.0.1:${served.port}`,
    pulls,
    stream,
    failures,
    async stop() {
      stream.stop();
      pulls.stop();
      await served.stop(200);
      rmSync(folder, { recursive: true });
    },
  };
}

/** As argocd-server sends them for this application. */
export function relayedFor(application: string): Record<string, string> {
  return {
    'Argocd-Prepuller-Secret': SECRET,
    'Argocd-Namespace': 'argocd',
    'Argocd-Application-Name': application,
    'Argocd-Project-Name': 'default',
  };
}

/** A puller with the tracking id of an application. */
export function tracked(application: string, told: Told = {}): DaemonSet {
  const id = `${application}:apps/DaemonSet:hub/${told.name ?? 'pull'}`;
  return daemonSet({ ...told, annotations: { ...told.annotations, 'argocd.argoproj.io/tracking-id': id } });
}
