/** The controller of the demo: the one of `prepuller controller`, in this process, over HTTP like any other. */
import { writeFileSync } from 'node:fs';
import type { DemoPage } from './demo-page.ts';
import type { Verdict } from './verdict/verdict.ts';
import type { Clock } from './watch/clock.ts';
import { startController } from './watch/controller.ts';
import type { Controller } from './watch/controller.ts';
import { connect } from './watch/kube-client.ts';

export interface JudgeOptions {
  /** Of the API server: plain HTTP on loopback. */
  url: string;
  clock: Clock;
  namespace: string;
  /** The file to write for it. */
  kubeconfig: string;
  page: DemoPage;
  judged: (puller: string, verdict: Verdict) => void;
  /** That it starts, and what it would log as a warning. */
  note: (text: string) => void;
}

export interface Judge {
  start: () => void;
  /** Also of one that never started. */
  stop: () => Promise<void>;
}

export function createJudge({ url, clock, namespace, kubeconfig, page, judged, note }: JudgeOptions): Judge {
  let controller: Controller | undefined;
  return {
    start() {
      note('The controller starts');
      writeFileSync(kubeconfig, JSON.stringify(configFor(url)));
      const { client } = connect({ kubeconfig });
      controller = startController({
        client: page.counting(client),
        clock,
        random: Math.random,
        namespaces: [namespace],
        writing: { identity: 'demo', leaseNamespace: namespace, leaseName: 'argocd-prepuller' },
        judged: (daemonSet, verdict) => {
          page.judged(daemonSet, verdict);
          judged(daemonSet.name, verdict);
        },
        gone: page.gone,
        heard: page.heard,
        remark: (level, message) => {
          if (level !== 'info') note(`controller: ${message}`);
        },
      });
      page.of(controller);
    },
    async stop() {
      await controller?.stop();
    },
  };
}

/** JSON is YAML too. Plain HTTP is taken only with certificates unchecked; an empty proxy keeps HTTP_PROXY out. */
function configFor(server: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'demo',
    clusters: [{ name: 'demo', cluster: { server, 'insecure-skip-tls-verify': true, 'proxy-url': '' } }],
    users: [{ name: 'controller', user: { token: 'controller' } }],
    contexts: [{ name: 'demo', context: { cluster: 'demo', user: 'controller' } }],
  };
}
