/** Who gets in: programs by token, browsers by a form; a token that changes; how often one may be wrong; where a form may lead. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../src/errors.ts';
import { openToken, SESSION } from '../../src/web/token.ts';
import { daemonSet, node, startSite, verdict } from './site.ts';
import type { Site } from './site.ts';

const TOKEN = 'correct-horse-battery-staple';
const folder = mkdtempSync(join(tmpdir(), 'prepuller-token-'));
const file = join(folder, 'token');
let now = Date.now();
let failures: string[] = [];
let site: Site;

beforeEach(async () => {
  writeFileSync(file, `${TOKEN}\n`);
  now = Date.now();
  failures = [];
  const token = await openToken({ file, now: () => now, failed: (reason) => void failures.push(reason) });
  site = await startSite(token);
  site.pulls.judged(daemonSet(), verdict([node('a')]));
});
afterEach(() => site.stop());
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

function signIn(token: string, next = '/', headers: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams({ token, next });
  return fetch(`${site.url}/sign-in`, { method: 'POST', body, headers, redirect: 'manual' });
}

const CLOSED = ['/api/v1/pulls', '/api/v1/pulls/hub/pull', '/api/v1/events', '/api/v1/openapi.json', '/metrics'];

test.each(CLOSED)('%s needs the token', async (path) => {
  for (const headers of [{}, bearer('wrong-wrong-wrong-wrong'), bearer(''), { Authorization: `Basic ${TOKEN}` }]) {
    const answer = await site.get(path, headers);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.json()).toHaveProperty('error');
  }
  const right = await site.get(path, bearer(TOKEN));
  expect(right.status).toBe(200);
  await right.body?.cancel();
});

test('probes are for everybody', async () => {
  expect((await site.get('/livez')).status).toBe(200);
  expect((await site.get('/readyz')).status).toBe(200);
});

test('a browser is sent to the form, and from there to where it wanted', async () => {
  const first = await site.get('/pulls/hub/pull?node=a');
  expect([first.status, first.headers.get('location')]).toEqual([
    303,
    '/sign-in?next=%2Fpulls%2Fhub%2Fpull%3Fnode%3Da',
  ]);
  const form = await (await site.get(first.headers.get('location')!)).text();
  expect(form).toContain('name="next" value="/pulls/hub/pull?node=a"');
  const signed = await signIn(TOKEN, '/pulls/hub/pull?node=a');
  expect([signed.status, signed.headers.get('location')]).toEqual([303, '/pulls/hub/pull?node=a']);
  const cookie = signed.headers.get('set-cookie')!;
  expect(cookie).toMatch(/; Path=\/;.*HttpOnly; SameSite=Strict$/);
  expect(cookie).not.toContain(TOKEN);
  expect(cookie).not.toContain('Secure');
  const [pair = ''] = cookie.split(';');
  expect((await site.get('/', { cookie: pair })).status).toBe(200);
  expect((await site.get('/api/v1/pulls', { cookie: `other=1; ${pair}` })).status).toBe(200);
  now += SESSION + 1;
  expect((await site.get('/', { cookie: pair })).status).toBe(303);
});

test('behind TLS the cookie is Secure', async () => {
  const signed = await signIn(TOKEN, '/', { 'x-forwarded-proto': 'https' });
  expect(signed.headers.get('set-cookie')).toContain('; Secure');
});

test('a session is no more than was given out', async () => {
  const [pair = ''] = (await signIn(TOKEN)).headers.get('set-cookie')!.split(';');
  const [end = '', signature = ''] = pair.replace('prepuller-session=', '').split('.');
  for (const forged of [`${Number(end) + 1}.${signature}`, `${end}.`, end, '.', `${end}.${signature.slice(1)}`]) {
    expect((await site.get('/', { cookie: `prepuller-session=${forged}` })).status).toBe(303);
  }
});

test.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', '/\t/evil.example'])(
  'a form never leads to %j',
  async (next) => {
    const location = (await signIn(TOKEN, next)).headers.get('location')!;
    expect(new URL(location, site.url).origin).toBe(site.url);
  },
);

test('a wrong token: said, no cookie; a form of another site: the same', async () => {
  for (const answer of [await signIn('wrong'), await signIn(TOKEN, '/', { 'sec-fetch-site': 'cross-site' })]) {
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await answer.text()).toContain('That is not the token.');
  }
});

test('signing out takes the cookie away', async () => {
  const answer = await fetch(`${site.url}/sign-out`, { method: 'POST', redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in']);
  expect(answer.headers.get('set-cookie')).toMatch(/^prepuller-session=; Path=\/; Expires=Thu, 01 Jan 1970/);
});

test('a token that changes: the old one is void, and its sessions', async () => {
  const [pair = ''] = (await signIn(TOKEN)).headers.get('set-cookie')!.split(';');
  const next = 'another-token-of-enough-length';
  writeFileSync(file, next);
  now += 2_000;
  expect((await site.get('/api/v1/pulls', bearer(TOKEN))).status).toBe(401);
  expect((await site.get('/', { cookie: pair })).status).toBe(303);
  expect((await site.get('/api/v1/pulls', bearer(next))).status).toBe(200);
  expect(failures).toEqual([]);
});

test('a file that goes closes the door, is told once, and opens it when it is back', async () => {
  rmSync(file);
  for (let time = 0; time < 2; time += 1) {
    now += 2_000;
    expect((await site.get('/api/v1/pulls', bearer(TOKEN))).status).toBe(401);
  }
  expect(failures).toEqual(['the file cannot be read (ENOENT)']);
  writeFileSync(file, TOKEN);
  now += 2_000;
  expect((await site.get('/api/v1/pulls', bearer(TOKEN))).status).toBe(200);
});

test.each([
  ['not there', undefined, /cannot be read \(ENOENT\)/],
  ['empty', '\n', /fewer than 16 characters/],
  ['short', 'hunter2', /fewer than 16 characters/],
])('a token that is %s is a wrong call', async (_case, text, message) => {
  const other = join(folder, 'other');
  rmSync(other, { force: true });
  if (text !== undefined) writeFileSync(other, text);
  const opening = openToken({ file: other, now: Date.now, failed: () => undefined });
  await expect(opening).rejects.toThrow(UsageError);
  await expect(opening).rejects.toThrow(message);
});

test('who is wrong too often waits, who is right does not count', async () => {
  for (let time = 0; time < 40; time += 1) {
    expect((await site.get('/api/v1/pulls', bearer(TOKEN))).status).toBe(200);
  }
  const statuses: number[] = [];
  for (let time = 0; time < 40; time += 1) statuses.push((await signIn(`wrong-${time}`)).status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(30);
  expect(statuses.slice(30)).toEqual(Array<number>(10).fill(429));
  // Not even who is right now: a guess may be.
  const late = await site.get('/api/v1/pulls', bearer(TOKEN));
  expect([late.status, late.headers.get('retry-after')]).toEqual([429, '300']);
  expect((await site.get('/livez')).status).toBe(200);
});

test('who gives no token guesses nothing', async () => {
  for (let time = 0; time < 40; time += 1) expect((await site.get('/api/v1/pulls')).status).toBe(401);
  expect((await site.get('/api/v1/pulls', bearer(TOKEN))).status).toBe(200);
});

test('headers that keep scripts of others out', async () => {
  const { headers } = await site.get('/sign-in');
  const policy = headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|data:/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cache-control')).toBe('no-store');
});
