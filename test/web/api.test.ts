/** `/api/v1`: every answer is as the OpenAPI document it serves says; pages, ETags, and what is asked wrongly. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OPENAPI } from '../../src/web/openapi.ts';
import { daemonSet, fleet, IMAGE, MISSING, node, pulling, startSite, verdict } from './site.ts';
import type { Site } from './site.ts';

const ajv = new Ajv2020({ strict: false, formats: { uri: true } });
ajv.addSchema(OPENAPI, 'openapi');

let site: Site;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.stop());

interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

type Path = keyof typeof OPENAPI.paths;

/** Held against the contract. */
async function ask(path: Path, url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await site.get(`/api/v1${url}`, headers);
  const { responses } = OPENAPI.paths[path].get as { responses: Record<string, object> };
  expect(Object.keys(responses)).toContain(String(response.status));
  const body = response.status === 304 ? {} : ((await response.json()) as Record<string, unknown>);
  const pointer = `${path.replaceAll('~', '~0').replaceAll('/', '~1')}/get/responses/${response.status}`;
  if (response.status !== 304) {
    const $ref = `openapi#/paths/${pointer}/content/application~1json/schema`;
    const isValid = ajv.validate({ $ref }, body);
    expect({ isValid, errors: ajv.errors }).toEqual({ isValid: true, errors: null });
  }
  return { status: response.status, body, headers: response.headers };
}

const LIST = '/pulls';
const ONE = '/pulls/{namespace}/{name}';

const FULL = {
  'argocd-prepuller.github.io/revision': 'a'.repeat(40),
  'argocd-prepuller.github.io/commit': '12345678 Move users',
  'argocd-prepuller.github.io/repository': 'https://github.com/campus/hub',
  'argocd.argoproj.io/tracking-id': 'lab:apps/DaemonSet:hub/pull',
};

test('a pull with everything that can be told of it', async () => {
  const nodes = [node('a'), pulling('b'), node('c', { ...MISSING, since: 1_000 })];
  site.pulls.judged(daemonSet({ annotations: FULL }), verdict(nodes));
  const { body } = await ask(LIST, '/pulls');
  expect(body).toMatchObject({
    total: 1,
    pulls: [
      {
        application: 'lab',
        commit: { hash: '12345678', subject: 'Move users', url: 'https://github.com/campus/hub/commit/12345678' },
        counts: { pulled: 1, pulling: 1, failed: 1 },
        images: [{ image: IMAGE, nodes: 1 }],
        open: [{ state: 'failed', count: 1, nodes: ['c'], fix: 'Check the tag and the repository.' }, { nodes: ['b'] }],
      },
    ],
  });
  const one = await ask(ONE, '/pulls/hub/pull');
  expect((one.body.nodes as { node: string }[]).map((state) => state.node)).toEqual(['a', 'b', 'c']);
  expect((await ask(ONE, '/pulls/hub/pull?node=b')).body).toMatchObject({ total: 1, nodes: [{ node: 'b' }] });
});

test.each([
  'http://github.com/a/b',
  'https://elsewhere.example/a/b',
  'javascript:alert(1)',
  '',
  'https://gitlab.example.org.evil/',
])('no link to %s', async (repository) => {
  const annotations = { ...FULL, 'argocd-prepuller.github.io/repository': repository };
  site.pulls.judged(daemonSet({ annotations }), verdict([node('a')]));
  const { body } = await ask(LIST, '/pulls');
  const [pull] = body.pulls as { commit: { url?: string } }[];
  expect(pull?.commit.url ?? 'https://gitlab.').toMatch(/^https:\/\/gitlab\./);
});

test('page by page nothing is missed and nothing comes twice, though something changes between', async () => {
  site.pulls.judged(daemonSet(), verdict(fleet(250, (name) => node(name))));
  const seen: string[] = [];
  let mark = '';
  for (let page = 0; page < 10; page += 1) {
    const { body } = await ask(ONE, `/pulls/hub/pull?limit=100${mark}`);
    seen.push(...(body.nodes as { node: string }[]).map((state) => state.node));
    if (body.continue === undefined) break;
    mark = `&continue=${body.continue as string}`;
    if (page === 0) site.pulls.judged(daemonSet(), verdict(fleet(250, (name) => node(name)).slice(100)));
  }
  expect(seen).toEqual(fleet(250, (name) => node(name)).map((state) => state.node));
});

test('pulls page by page, past ones too', async () => {
  for (const name of ['one', 'two', 'three']) site.pulls.judged(daemonSet({ name, uid: name }), verdict([node('a')]));
  const first = await ask(LIST, '/pulls?limit=2');
  expect(first.body).toMatchObject({ total: 3, pulls: [{ name: 'one' }, { name: 'three' }] });
  const second = await ask(LIST, `/pulls?limit=2&continue=${first.body.continue as string}`);
  expect(second.body).toMatchObject({ pulls: [{ name: 'two' }] });
  expect(second.body).not.toHaveProperty('continue');
  for (const name of ['one', 'two']) site.pulls.gone(`hub/${name}`);
  const past = await ask(LIST, '/pulls?past=true&limit=1');
  expect(past.body).toMatchObject({ total: 2, pulls: [{ name: 'two' }] });
  expect((await ask(LIST, `/pulls?past=true&continue=${past.body.continue as string}`)).body).toMatchObject({
    pulls: [{ name: 'one' }],
  });
});

test.each(['limit=0', 'limit=1001', 'limit=x', 'limit=1&limit=2', 'continue=%3C', 'continue=a&continue=b'])(
  '?%s is refused',
  async (query) => {
    site.pulls.judged(daemonSet(), verdict([node('a')]));
    expect((await ask(LIST, `/pulls?${query}`)).status).toBe(400);
    expect((await ask(ONE, `/pulls/hub/pull?${query}`)).status).toBe(400);
  },
);

test('what did not change is not sent again', async () => {
  site.pulls.judged(daemonSet(), verdict([pulling('a')]));
  site.pulls.judged(daemonSet({ name: 'other', uid: 'other' }), verdict([node('a')]));
  for (const [path, url] of [
    [LIST, '/pulls'],
    [ONE, '/pulls/hub/pull'],
  ] as const) {
    const { headers } = await ask(path, url);
    const tag = { 'If-None-Match': headers.get('etag')! };
    expect((await ask(path, url, tag)).status).toBe(304);
  }
  const { headers } = await ask(ONE, '/pulls/hub/pull');
  site.pulls.judged(daemonSet({ name: 'other', uid: 'other' }), verdict([pulling('a')]));
  expect((await ask(ONE, '/pulls/hub/pull', { 'If-None-Match': headers.get('etag')! })).status).toBe(304);
  site.pulls.judged(daemonSet(), verdict([node('a')]));
  const after = await ask(ONE, '/pulls/hub/pull', { 'If-None-Match': headers.get('etag')! });
  expect([after.status, (after.body.pull as { health: string }).health]).toEqual([200, 'Healthy']);
});

test('what is not there', async () => {
  expect((await ask(ONE, '/pulls/hub/nothing')).status).toBe(404);
  expect((await site.get('/api/v1/pulls/%E0%A4%A/x')).status).toBe(400);
});

test('the document it is held against is the one it serves', async () => {
  const response = await site.get('/api/v1/openapi.json');
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(OPENAPI)));
});

test('past pulls: a new generation, a new object of the same name; no more than fifty', async () => {
  site.pulls.judged(daemonSet(), verdict([pulling('a')]));
  await ask(LIST, '/pulls');
  site.pulls.judged(daemonSet({ generation: 2 }), verdict([pulling('a')]));
  await ask(LIST, '/pulls');
  site.pulls.judged(daemonSet({ uid: 'uid-2' }), verdict([pulling('a')]));
  const { body } = await ask(LIST, '/pulls?past=true');
  expect(body).toMatchObject({
    total: 2,
    pulls: [
      { generation: 2, uid: 'uid-1' },
      { generation: 1, uid: 'uid-1' },
    ],
  });
  for (let number = 0; number < 60; number += 1) {
    site.pulls.judged(daemonSet({ uid: `next-${number}` }), verdict([node('a')]));
    site.pulls.current();
  }
  expect((await ask(LIST, '/pulls?past=true')).body.total).toBe(50);
});
