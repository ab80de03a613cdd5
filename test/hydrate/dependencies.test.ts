/** Chart dependencies that are not vendored: fetched beside the checkout, into a cache that parallel runs share. */
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHART, failure, HELMS, makeFolder, removeFolders, render, text } from './app-folder.ts';

/** Asynchronous: helm asks a server of this process. */
const exec = promisify(execFile);

const SUB = { 'Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n', 'templates/a.yaml': 'from: sub\n' };

/** A chart repository on loopback that counts what is asked of it. `password`: what it wants to see first. */
async function startRepository(password?: string): Promise<{ url: string; asked: string[]; server: Server }> {
  const folder = makeFolder({});
  const packed = makeFolder(SUB);
  await exec('helm', ['package', packed, '--destination', folder]);
  await exec('helm', ['repo', 'index', folder]);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\//, '');
    asked.push(path);
    const wanted = password === undefined ? undefined : `Basic ${Buffer.from(`u:${password}`).toString('base64')}`;
    if (wanted !== undefined && request.headers.authorization !== wanted) response.writeHead(401).end();
    else if (readdirSync(folder).includes(path)) response.end(readFileSync(join(folder, path)));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked, server };
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});
afterAll(removeFolders);

const umbrella = (repository: string) => ({
  ...CHART,
  'Chart.yaml': `apiVersion: v2\nname: tiny\nversion: 1.2.3\ndependencies:\n- {name: sub, version: 1.0.0, repository: "${repository}"}\n`,
});

async function lock(helm: string, folder: string): Promise<void> {
  await exec(helm, ['dependency', 'update', folder]);
  rmSync(join(folder, 'charts'), { recursive: true });
}

/** Every file with its content, to see that nothing was written. */
function contents(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => [
      join(entry.parentPath, entry.name),
      readFileSync(join(entry.parentPath, entry.name), 'utf8'),
    ]),
  );
}

describe.each(HELMS)('with %s', (_name, helm) => {
  test.each(['with', 'without'])(
    '%s a lock file: fetched once, then from the cache; the checkout is not touched',
    async (kind) => {
      const { url, asked, server } = await startRepository();
      servers.push(server);
      const folder = makeFolder(umbrella(url));
      if (kind === 'with') await lock(helm, folder);
      const before = contents(folder);
      asked.length = 0;
      const context = { helm, cacheFolder: makeFolder({}) };
      const first = await render(folder, { context });
      expect(Buffer.from(first.stream).toString()).toContain('from: sub');
      expect(first.warnings).toHaveLength(kind === 'with' ? 0 : 1);
      expect(asked).toContain('sub-1.0.0.tgz');
      asked.length = 0;
      expect(await text(render(folder, { context }))).toBe(Buffer.from(first.stream).toString());
      expect(asked).toEqual([]);
      expect(contents(folder)).toEqual(before);
    },
  );

  test('vendored: nothing is asked of the network', async () => {
    const { url, asked, server } = await startRepository();
    servers.push(server);
    const folder = makeFolder(umbrella(url));
    await exec(helm, ['dependency', 'update', folder]);
    asked.length = 0;
    expect(await text(render(folder, { context: { helm } }))).toContain('from: sub');
    expect(asked).toEqual([]);
  });

  test('charts from folders of the repository follow their changes', async () => {
    const repository = makeFolder({ '.git/HEAD': '' });
    for (const [name, content] of Object.entries(umbrella('file://../sub'))) {
      mkdirSync(join(repository, 'app', name, '..'), { recursive: true });
      writeFileSync(join(repository, 'app', name), content);
    }
    for (const [name, content] of Object.entries(SUB)) {
      mkdirSync(join(repository, 'sub', name, '..'), { recursive: true });
      writeFileSync(join(repository, 'sub', name), content);
    }
    const context = { helm, cacheFolder: makeFolder({}) };
    expect(await text(render(join(repository, 'app'), { context }))).toContain('from: sub');
    writeFileSync(join(repository, 'sub/templates/a.yaml'), 'from: changed\n');
    expect(await text(render(join(repository, 'app'), { context }))).toContain('from: changed');
  });

  test('parallel runs on a cold cache', async () => {
    const { url, server } = await startRepository();
    servers.push(server);
    const folder = makeFolder(umbrella(url));
    const cacheFolder = makeFolder({});
    const runs = Array.from({ length: 6 }, () => text(render(folder, { context: { helm, cacheFolder } })));
    expect(new Set(await Promise.all(runs)).size).toBe(1);
    expect(readdirSync(join(cacheFolder, 'dependencies'))).toHaveLength(1);
  });

  test.each([
    [
      'https://charts.invalid/',
      /^Chart\.yaml: dependency sub from https:\/\/charts\.invalid\/ could not be fetched \(/,
    ],
    [
      'oci://127.0.0.1:1/charts',
      /^Chart\.yaml: dependency sub from oci:\/\/127\.0\.0\.1:1\/charts could not be fetched \(/,
    ],
    [
      'file://../../elsewhere',
      /^Chart\.yaml: dependency "sub" has "file:\/\/\.\.\/\.\.\/elsewhere", outside the repository/,
    ],
    ['@ours', /^Chart\.yaml: dependency "sub" is of repository "@ours", which no mounted repositories\.yaml names/],
    ['', /^Chart\.yaml: dependency sub/],
  ])('%s: one line that names the dependency and the fix', async (repository, line) => {
    const folder = makeFolder(umbrella(repository));
    const error = await failure(render(folder, { context: { helm, cacheFolder: makeFolder({}) } }));
    expect(error.message.split('\n')[0]).toMatch(line);
    expect(error.message.split('\n')[0]!.length).toBeLessThanOrEqual(300);
    expect(error.message).toMatch(/vendor|helm dependency build|outside/);
  });

  test('a lock file that does not fit', async () => {
    const folder = makeFolder({
      ...umbrella('https://charts.invalid/'),
      'Chart.lock':
        'dependencies:\n- {name: sub, version: 0.9.0, repository: https://charts.invalid/}\ndigest: sha256:0\ngenerated: "2024-01-01T00:00:00Z"\n',
    });
    const error = await failure(render(folder, { context: { helm, cacheFolder: makeFolder({}) } }));
    expect(error.message.split('\n')[0]).toBe(
      'Chart.lock does not fit Chart.yaml: run helm dependency update and commit both',
    );
  });

  test('credentials of a mounted list of repositories are used, and shown nowhere', async () => {
    const { url, server } = await startRepository('CANARY');
    servers.push(server);
    const mounted = makeFolder({
      'repositories.yaml': `repositories: [{name: ours, url: "${url}", username: u, password: CANARY}]`,
    });
    const env = { ...process.env, HELM_CONFIG_HOME: mounted };
    for (const repository of [url, '@ours', 'alias:ours']) {
      const context = { helm, env, cacheFolder: makeFolder({}) };
      expect(await text(render(makeFolder(umbrella(repository)), { context }))).toContain('from: sub');
    }
    const error = await failure(render(makeFolder(umbrella(url)), { context: { helm, cacheFolder: makeFolder({}) } }));
    expect(error.message).toMatch(/^Chart\.yaml: dependency sub from .*401.*: mount credentials/);
    expect(error.message).not.toContain('CANARY');
  });
});
