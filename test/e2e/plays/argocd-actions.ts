/** The buttons on a puller, by accounts with and without the right that docs/install.md gives: they end a waiting sync in seconds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../testbed/until.ts';
import { configure, tokensAt } from '../argocd-accounts.ts';
import type { ArgoApi } from '../argocd-api.ts';
import { createArgoApi, demand } from '../argocd-api.ts';
import { hookSaid } from '../argocd-checks.ts';
import type { ArgoStage, HubPlay } from '../argocd-stage.ts';
import type { HubScene, Operation } from '../argocd-scene.ts';

const PAGE = join(import.meta.dirname, '../../../docs/install.md');
const IN_TIME = 10_000;
const PULLER = { resourceName: 'hook-image-puller', group: 'apps', version: 'v1', kind: 'DaemonSet' };

/** Who may do what: the page's lines for operators, and for readers nothing but to look. */
function policy(): string {
  const [, lines = ''] = /```csv\n(.*?)```/s.exec(readFileSync(PAGE, 'utf8')) ?? [];
  expect(lines).toContain('let-through');
  const look = (role: string): string => `p, role:${role}, applications, get, default/*, allow`;
  const who = ['g, operator, role:hub-operators', 'g, reader, role:readers', look('hub-operators'), look('readers')];
  return [lines.replaceAll('campus/*', 'default/*').trim(), ...who].join('\n');
}

let server = '';
let tokenOf: (account: string) => Promise<string>;

/** Two accounts, and a server that asks who somebody is. */
export async function prepareAccounts({ plane, argo }: ArgoStage): Promise<() => Promise<void>> {
  await configure(plane, 'argocd-cm', { 'accounts.operator': 'apiKey', 'accounts.reader': 'apiKey' });
  await configure(plane, 'argocd-rbac-cm', { 'policy.csv': policy() });
  server = await argo.startServer({ auth: true });
  tokenOf = await tokensAt(server, plane);
  return () => Promise.resolve();
}

async function apiAs(account: 'operator' | 'reader'): Promise<ArgoApi> {
  return createArgoApi(server, await tokenOf(account));
}

function press(api: ArgoApi, { name }: HubScene, action: string) {
  return api.ask('POST', name, '/resource/actions/v2', { ...PULLER, name, namespace: name, action });
}

/** A sync that waits for an image that never comes is ended by a person; what Argo CD made of it, and of a reader's try. */
async function ended(scene: HubScene, action: string): Promise<Operation> {
  await scene.join('a');
  await scene.commit('endless');
  await scene.apply();
  await scene.begin();
  await scene.running('waits for the images', (_, hook) => hook.startsWith('0/1 node pulled'));
  const refused = await press(await apiAs('reader'), scene, action);
  expect(refused).toMatchObject({ code: 403 });
  const operator = await apiAs('operator');
  const puller = new URLSearchParams({ ...PULLER, namespace: scene.name });
  const { actions } = await demand(operator, 'GET', scene.name, `/resource/actions?${puller.toString()}`);
  expect((actions as { name: string }[]).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['give-up', 'let-through', 'restart', 'retry']),
  );
  const pressed = performance.now();
  expect(await press(operator, scene, action)).toMatchObject({ code: 200 });
  const verdict = await until('the verdict is there', () => scene.timeline.judged());
  const operation = await until('the hook is over', async () => {
    const state = (await scene.app()).status?.operationState as Operation;
    const hook = state.syncResult?.resources?.find(
      ({ kind, hookType }) => kind === 'DaemonSet' && hookType === 'PreSync',
    );
    return hook !== undefined && hook.hookPhase !== 'Running' && state;
  });
  expect(performance.now() - pressed).toBeLessThan(IN_TIME);
  expect(verdict.verdict.at).toBeGreaterThan(verdict.made.at);
  return operation;
}

async function letThrough(scene: HubScene): Promise<void> {
  await ended(scene, 'let-through');
  const operation = await scene.ended();
  expect(operation).toMatchObject({ phase: 'Succeeded' });
  expect(hookSaid(scene, operation)).toContain('let it through');
  expect(scene.timeline.hubWrites().length).toBeGreaterThan(0);
}

async function giveUp(scene: HubScene): Promise<void> {
  await ended(scene, 'give-up');
  const operation = await scene.ended();
  expect(operation).toMatchObject({ phase: 'Failed' });
  expect(hookSaid(scene, operation)).toContain('gave it up');
  expect(scene.timeline.hubWrites()).toEqual([]);
}

export const ACTIONS: readonly HubPlay[] = [
  { name: 'let-through ends a waiting sync within 10 s, and only who may can press it', app: 'let', play: letThrough },
  { name: 'give-up fails a waiting sync within 10 s, and only who may can press it', app: 'give', play: giveUp },
];
