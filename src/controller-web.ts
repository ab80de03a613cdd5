/** What the controller serves, and to whom: the settings made into an app, its state fed by what the controller tells. */
import { readFileSync } from 'node:fs';
import type { ControllerSettings } from './config/controller-parameters.ts';
import { countCalls } from './counted-client.ts';
import type { ControllerOptions, ControllerState, Remark } from './watch/controller.ts';
import { liveness, readiness } from './watch/health.ts';
import type { KubeClient } from './watch/kube-api.ts';
import type { Access } from './web/access.ts';
import { createApp } from './web/app.ts';
import { createArgoCdApp } from './web/argocd.ts';
import { loadAssets } from './web/assets.ts';
import { createMetrics } from './web/metrics.ts';
import { createPulls } from './web/pulls.ts';
import { serve } from './web/serve.ts';
import type { Served } from './web/serve.ts';
import { createStream } from './web/stream.ts';
import { openToken } from './web/token.ts';
import type { Token } from './web/token.ts';

export interface WebOptions {
  settings: Pick<
    ControllerSettings,
    'host' | 'port' | 'tokenFile' | 'open' | 'pictureLimit' | 'extensionSecretFile' | 'extensionPort'
  >;
  /** Of the installed package. */
  home: URL;
  state: () => ControllerState;
  now: () => number;
  remark: Remark;
}

export interface ControllerWeb extends Pick<Required<ControllerOptions>, 'judged' | 'gone' | 'heard'> {
  /** The same client, whose calls the metrics count. */
  counting: (client: KubeClient) => KubeClient;
  serve(): Promise<Served>;
}

/** UsageError when the token, or the extension's secret, cannot be read. */
export async function createWeb({ settings, home, state, now, remark }: WebOptions): Promise<ControllerWeb> {
  const metrics = createMetrics({ state, now, version: versionAt(home) });
  const pulls = createPulls(now);
  const stream = createStream(pulls);
  const { metricsAccess, pageAccess } = await accessOf(settings, remark);
  const secret = await secretOf(settings, remark);
  // What nobody may see is not kept.
  const shown = pageAccess === 'closed' && secret === undefined ? undefined : pulls;
  const failed = (error: unknown): void => {
    remark('error', 'a request failed', { error: error instanceof Error ? error.message : 'unknown' });
  };
  const app = createApp({
    live: () => liveness(state()),
    ready: () => readiness(state(), settings.pictureLimit),
    metrics: { ...metrics, access: metricsAccess },
    page: { access: pageAccess, pulls, stream, assets: loadAssets(new URL('dist/page/', home)) },
    failed,
  });
  const extension = secret && createArgoCdApp({ secret, pulls, stream, failed });
  return {
    judged(daemonSet, verdict) {
      metrics.judged(daemonSet, verdict);
      shown?.judged(daemonSet, verdict);
    },
    gone(key) {
      metrics.gone(key);
      shown?.gone(key);
    },
    heard(event) {
      metrics.heard(event);
      shown?.heard(event);
    },
    counting: (client) => countCalls(client, metrics),
    async serve() {
      const served = await serve(app, settings);
      const { host, port } = { ...settings, port: served.port };
      remark('info', 'serving', { host, port, page: wordOf(pageAccess), metrics: wordOf(metricsAccess) });
      if (pageAccess === 'closed') remark('info', 'page and API are not served: set token-file, or open', {});
      const more = extension && (await serveBeside(served, extension, { host, port: settings.extensionPort }));
      if (more !== undefined) remark('info', "serving Argo CD's UI extension", { host, port: more.port });
      return {
        port,
        async stop(within) {
          stream.stop();
          pulls.stop();
          await Promise.all([served.stop(within), more?.stop(within)]);
        },
      };
    },
  };
}

/** Nothing stays behind where it cannot be served. */
async function serveBeside(served: Served, ...asked: Parameters<typeof serve>): Promise<Served> {
  try {
    return await serve(...asked);
  } catch (error) {
    await served.stop(0);
    throw error;
  }
}

function versionAt(home: URL): string {
  return (JSON.parse(readFileSync(new URL('package.json', home), 'utf8')) as { version: string }).version;
}

function wordOf(access: Access): string {
  return typeof access === 'string' ? access : 'with the token';
}

async function accessOf(
  { tokenFile, open }: WebOptions['settings'],
  remark: Remark,
): Promise<{ metricsAccess: Access; pageAccess: Access }> {
  const failed = (reason: string): void => {
    remark('error', 'the token cannot be read any more; nobody is let in until it can', { reason });
  };
  const closed = tokenFile === undefined ? 'closed' : await openToken({ file: tokenFile, now: Date.now, failed });
  return {
    metricsAccess: open === 'nothing' ? closed : 'open',
    pageAccess: open === 'everything' ? 'open' : closed,
  };
}

async function secretOf(
  { extensionSecretFile: file }: WebOptions['settings'],
  remark: Remark,
): Promise<Token | undefined> {
  const failed = (reason: string): void => {
    remark('error', "the extension's secret cannot be read any more; argocd-server is refused until it can", {
      reason,
    });
  };
  return file === undefined ? undefined : openToken({ file, flag: 'extension-secret-file', now: Date.now, failed });
}
