/** The extension through the real argocd-server: who may invoke it sees the pulls of an Application he may get, live; nobody else sees anything. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { Browser, Page } from 'playwright-core';
import { ARGOCD } from '../testbed/argocd-install.ts';
import { freePorts } from '../testbed/ports.ts';
import { startReconciler } from '../testbed/reconciler.ts';
import type { Running } from '../testbed/processes.ts';
import { EXTENSION, HOST, pageAt } from '../web/argocd-host.ts';
import { describeInBrowser, launch, WHY, words } from '../web/browser.ts';
import { configure, tokensAt } from './argocd-accounts.ts';
import type { HubScene } from './argocd-scene.ts';
import { startArgoStage } from './argocd-stage.ts';
import type { ArgoStage } from './argocd-stage.ts';

const INSTALLED = join(import.meta.dirname, '../../install/extension/argocd/argocd-cm.yaml');
/** Where argocd-server looks, wherever it runs. */
const FOLDER = `/tmp/extensions/prepuller-e2e-${process.pid}`;
const SECRET = randomBytes(24).toString('hex');
const ALONE = 'Argocd-Application-Name';
const INVOKES = 'extensions, invoke, argocd-prepuller, allow';
const POLICY = [
  ...['mine', 'live'].map((app) => `p, viewer, applications, get, default/${app}, allow`),
  `p, viewer, ${INVOKES}`,
  'p, reader, applications, get, default/*, allow',
  `p, stranger, ${INVOKES}`,
].join('\n');

let stage: ArgoStage;
let controller: Running;
let server = '';
/** Of the extension, beside argocd-server. */
let direct = '';
let tokenOf: (account: string) => Promise<string>;
let mine: HubScene;

beforeAll(async () => {
  stage = await startArgoStage('argocd-extension', { reconciler: false });
  const { plane, argo } = stage;
  const [port = 0] = await freePorts(1);
  direct = `http://127.0.0.1:${port}`;
  const file = join(plane.folder, 'extension-secret');
  writeFileSync(file, SECRET);
  const flags = [`--extension-secret-file=${file}`, `--extension-port=${port}`];
  controller = await startReconciler(plane, { flags });
  await tellArgoCd();
  server = await argo.startServer({ auth: true, extensions: true });
  tokenOf = await tokensAt(server, plane);
  const [own, other] = await Promise.all(['mine', 'theirs'].map(endless));
  mine = own!;
  expect(other).toBeDefined();
});
afterAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  await controller.kill();
  await stage.stop();
});

/** As install/extension does, with the address of this controller, and with the accounts. */
async function tellArgoCd(): Promise<void> {
  const { data } = load(readFileSync(INSTALLED, 'utf8')) as { data: Record<string, string> };
  const found = Object.entries(data).map(([key, text]): [string, string] => [key, text.replace(/http:\S+/, direct)]);
  const accounts = Object.fromEntries(['viewer', 'reader', 'stranger'].map((name) => [`accounts.${name}`, 'apiKey']));
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'argocd-prepuller-extension',
      namespace: ARGOCD,
      labels: { 'app.kubernetes.io/part-of': 'argocd' },
    },
    stringData: { secret: SECRET },
  };
  await stage.plane.clientFor('admin').create(secret);
  await configure(stage.plane, 'argocd-cm', { ...Object.fromEntries(found), ...accounts });
  await configure(stage.plane, 'argocd-rbac-cm', { 'policy.csv': POLICY });
}

/** A hub whose sync waits for an image that never comes. */
async function endless(app: string): Promise<HubScene> {
  const scene = await stage.scene(app);
  await scene.join('a');
  await scene.commit('endless');
  await scene.apply();
  await scene.begin();
  await scene.running('waits for the image', (_, hook) => hook.startsWith('0/1 node pulled'));
  return scene;
}

interface Answer {
  code: number;
  text: string;
}

/** By plain HTTP, since `fetch` does not let a caller say the same header twice, nor `Connection`. */
async function ask(
  account: string | undefined,
  path: string,
  headers: Record<string, string | string[]> = {},
): Promise<Answer> {
  const cookie = account === undefined ? {} : { cookie: `argocd.token=${await tokenOf(account)}` };
  const own = { [ALONE]: `${ARGOCD}:mine`, 'Argocd-Project-Name': 'default', ...cookie, ...headers };
  const url = path.startsWith('http') ? path : `${server}/extensions/argocd-prepuller${path}`;
  const answer = Promise.withResolvers<Answer>();
  request(url, { headers: own }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    response.on('end', () => {
      answer.resolve({ code: response.statusCode ?? 0, text });
    });
  })
    .on('error', answer.reject)
    .end();
  return answer.promise;
}

const THEIRS = { [ALONE]: `${ARGOCD}:theirs` };

test('who may get the Application and invoke the extension sees its pulls, and none of another one', async () => {
  const { code, text } = await ask('viewer', '/api/v1/pulls');
  expect(code).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    total: 1,
    pulls: [{ namespace: 'mine', application: 'mine', health: 'Progressing' }],
  });
  expect(text).not.toContain('theirs');
  const { pulls } = JSON.parse(text) as { pulls: { name: string }[] };
  expect(await ask('viewer', `/api/v1/pulls/mine/${pulls[0]!.name}`)).toMatchObject({ code: 200 });
  expect(await ask('viewer', `/api/v1/pulls/theirs/${pulls[0]!.name}`)).toMatchObject({ code: 404 });
});

test.each([
  ['who may not invoke the extension', 'reader', {}],
  ['who may not get the Application', 'stranger', {}],
  ['who may get another Application only', 'viewer', THEIRS],
  ['who names another project', 'viewer', { 'Argocd-Project-Name': 'other' }],
  ['who is nobody', undefined, {}],
])('%s gets nothing', async (_who, account, headers) => {
  for (const path of ['/api/v1/pulls', '/api/v1/pulls/mine/hook-image-puller', '/api/v1/events']) {
    const { code, text } = await ask(account, path, headers);
    expect([400, 401]).toContain(code);
    expect(text).not.toMatch(/mine|theirs|pulls/);
  }
});

test.each([
  ['the secret is made up', { 'Argocd-Prepuller-Secret': 'made-up-and-long-enough' }, 200],
  ['the secret is taken off on the way', { connection: 'Argocd-Prepuller-Secret' }, 401],
  ['the application is taken off on the way', { connection: ALONE }, 400],
  ['a second application is named', { [ALONE]: [`${ARGOCD}:mine`, `${ARGOCD}:theirs`] }, 400],
  ['the namespace of Argo CD is made up', { 'Argocd-Namespace': 'elsewhere' }, 200],
] as const)('%s: nothing of another application comes of it', async (_what, headers, code) => {
  const given = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
  const answer = await ask('viewer', '/api/v1/pulls', given);
  expect(answer).toMatchObject({ code });
  expect(answer.text).not.toContain('theirs');
});

test.each(['/', '/metrics', '/pulls/theirs/hook-image-puller', '/api/v1/other'])('%s is not relayed', async (path) => {
  expect(await ask('viewer', path)).toMatchObject({ code: 404 });
});

test('who comes to the controller past argocd-server is refused, whatever he says of himself', async () => {
  const forged = { 'Argocd-Namespace': ARGOCD, 'Argocd-Username': 'admin', ...THEIRS };
  for (const headers of [forged, { ...forged, 'Argocd-Prepuller-Secret': 'made-up-and-long-enough' }]) {
    const { code, text } = await ask(undefined, `${direct}/api/v1/pulls`, headers);
    expect([code, text]).toEqual([401, expect.not.stringContaining('theirs')]);
  }
});

describeInBrowser(`in a browser ${WHY}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, 'extension-argocd-prepuller.js'), EXTENSION);
    browser = await launch();
  });
  afterAll(() => browser.close());

  /** A page of argocd-server's own address, with the extension as it hands it out; Argo CD's own UI is not in a testbed. */
  async function visit(account: string, app: string): Promise<Page> {
    const context = await browser.newContext();
    await context.addCookies([{ name: 'argocd.token', value: await tokenOf(account), url: server }]);
    const page = await context.newPage();
    await page.route(`${server}/host.html`, (route) => route.fulfill({ contentType: 'text/html', body: pageAt('/') }));
    await page.route(`${server}/host.js`, (route) => route.fulfill({ contentType: 'text/javascript', body: HOST }));
    await page.goto(`${server}/host.html`);
    const labels = { 'argocd-prepuller.github.io/role': 'hook' };
    const application = { metadata: { namespace: ARGOCD, name: app }, spec: { project: 'default' } };
    const resource = { metadata: { namespace: app, name: 'hook-image-puller', labels } };
    await page.evaluate(`show(${JSON.stringify({ application, resource })})`);
    return page;
  }

  test('the pull is seen live, from the first node to the end', async () => {
    const scene = await stage.scene('live');
    await scene.join('a');
    await scene.commit('slow');
    await scene.apply();
    const page = await visit('viewer', 'live');
    await page.locator('#line', { hasText: 'Live: changes appear by themselves.' }).waitFor();
    await scene.begin();
    await page.locator('#tab .group.pulling li', { hasText: 'live-a' }).waitFor();
    await page.locator('#panel', { hasText: '↓ Progressing' }).waitFor();
    expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
    await page.locator('#panel', { hasText: '✔ Healthy, ended' }).waitFor();
    await page.locator('#before tbody tr', { hasText: 'hook-image-puller' }).first().waitFor();
  });

  test('who may not invoke it reads why, and has no panel', async () => {
    const page = await visit('reader', mine.name);
    await page.locator('#line', { hasText: 'p, role:…, extensions, invoke, argocd-prepuller, allow' }).waitFor();
    expect([await words(page, '#panel'), await page.locator('.pull').count()]).toEqual([[''], 0]);
  });
});
