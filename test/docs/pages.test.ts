/** What the pages for operators say of gates, kinds, metrics and each other is so. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GATES } from '../../src/api/choices.ts';
import { roleOf } from '../examples/ours.ts';
import { exampleNames, readGolden, readObjects, ROOT } from '../examples/argo-cd.ts';

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const operations = read('docs/operations.md');

test('docs/gates.md has one section for each gate', () => {
  const headings = [...read('docs/gates.md').matchAll(/^## `(\w+)`$/gm)].map(([, gate]) => gate);
  expect(headings).toEqual([...GATES]);
});

/** Gate → kinds, as the table of the AppProject names them. */
const permitted = new Map(
  [...operations.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(([, gate = '', inNamespace = '', shared = '']) => [
    gate,
    [...inNamespace.split(', '), ...shared.split(', ')],
  ]),
);

/** What examples emit of ours, by gate. */
function emitted(): Map<string, Set<string>> {
  const kinds = new Map<string, Set<string>>(GATES.map((gate) => [gate, new Set()]));
  for (const name of exampleNames().filter((one) => !one.startsWith('mistakes/'))) {
    const parameter = /name: gate\n\s+string: (\w+)/.exec(read(`examples/${name}/application.yaml`))?.[1];
    const own = readObjects(readGolden(name, 'expected.yaml') ?? '').filter((object) => roleOf(object) !== undefined);
    for (const { kind } of own) kinds.get(parameter ?? 'presync')?.add(kind);
  }
  return kinds;
}

test('the AppProject is told every kind that examples emit', () => {
  const kinds = emitted();
  expect([...permitted.keys()]).toEqual([...GATES]);
  for (const gate of GATES) {
    expect(kinds.get(gate)?.size).toBeGreaterThan(0);
    expect(permitted.get(gate)).toEqual(expect.arrayContaining([...(kinds.get(gate) ?? [])]));
  }
});

test('metrics it names are those there are', () => {
  const files = readdirSync(join(ROOT, 'src/web')).filter((name) => name.endsWith('metrics.ts'));
  const sources = files.map((name) => read(`src/web/${name}`)).join('\n');
  const there = [...sources.matchAll(/'(prepull(?:er)?_\w+)'/g)].map(([, name = '']) => name);
  const named = [...operations.matchAll(/^\| `(prepull\w+)/gm)].map(([, name = '']) => name);
  expect([...new Set(there)].sort()).toEqual([...named].sort());
  expect(named.length).toBeGreaterThan(10);
});

/** As a page's anchors are made from its headings. */
function anchorsIn(page: string): string[] {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

const PAGES = [
  'README.md',
  ...['install', 'gates', 'operations', 'runbook', 'from-helm', 'extension', 'node-marks'].map(
    (name) => `docs/${name}.md`,
  ),
];

test.each(PAGES)('links on %s lead somewhere', (path) => {
  const text = read(path).replaceAll(/^```.*?^```$/gms, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const own = links.filter((target) => !/^https?:/.test(target));
  expect(own.length).toBeGreaterThan(0);
  for (const link of own) {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    expect({ link, exists: existsSync(join(ROOT, target)) }).toEqual({ link, exists: true });
    if (anchor !== undefined)
      expect({ link, anchors: anchorsIn(read(target)) }).toMatchObject({
        link,
        anchors: expect.arrayContaining([anchor]) as string[],
      });
  }
});
