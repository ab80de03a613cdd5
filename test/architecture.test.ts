/** The shape of the sources as a test: who may import whom, which code is pure, where I/O lives, how long a file may be. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import ts from 'typescript';

/** Folder → folders it may import. Every entry sorts before its key: imports point up the listing. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  api: [],
  checkout: [],
  config: ['api'],
  hydrate: ['api', 'config'],
  image: ['api'],
  manifest: ['api', 'image'],
  prepull: ['api', 'image', 'manifest'],
  verdict: ['api'],
  watch: ['api', 'verdict'],
  web: ['api', 'verdict'],
  'web/browser': ['web'],
  'web/extension': ['api', 'web', 'web/browser'],
};

/** Pure folders and the only packages whose values they may use. `import type` is always free. */
const PURE: Record<string, readonly string[]> = {
  api: ['node:crypto'],
  config: ['js-yaml', 'leven', 'node:util'],
  image: [],
  manifest: ['js-yaml', 'node:buffer'],
  prepull: ['node:crypto'],
  verdict: [],
};

/** Each package that does I/O has one home: a folder, or one file. */
const HOME: Record<string, string> = {
  'simple-git': 'src/checkout/',
  'node:child_process': 'src/hydrate/',
  '@kubernetes/client-node': 'src/watch/kube-client.ts',
  express: 'src/web/',
};

const IMPURE = /\bprocess\.|\bconsole\.|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bimport\(|\brequire\(/;
const DRAWER = /^(utils?|helpers?|common|misc|shared)(\.m?ts)?$/;

interface Import {
  from: string;
  typeOnly: boolean;
  lazy: boolean;
}

interface Source {
  path: string;
  /** The folder under src/, `.` for command files. */
  folder: string;
  text: string;
  imports: Import[];
}

/** Paths below `root` ending in `.ts` or `.mjs`, none when the folder is not there yet. */
function files(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((entry) => posix.join(root, entry))
    .filter((path) => /\.(ts|mjs)$/.test(path) && !/\/(node_modules|fixtures|testdata)\//.test(path))
    .sort();
}

function staticImport(node: ts.ImportDeclaration | ts.ExportDeclaration): Import[] {
  if (node.moduleSpecifier === undefined || !ts.isStringLiteral(node.moduleSpecifier)) return [];
  const typeOnly = ts.isExportDeclaration(node)
    ? node.isTypeOnly
    : node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  return [{ from: node.moduleSpecifier.text, typeOnly, lazy: false }];
}

function lazyImport(node: ts.CallExpression): Import[] {
  if (node.expression.kind !== ts.SyntaxKind.ImportKeyword) return [];
  const [target] = node.arguments;
  return [{ from: target && ts.isStringLiteral(target) ? target.text : '?', typeOnly: false, lazy: true }];
}

function importsOf(path: string, text: string): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) found.push(...staticImport(node));
    if (ts.isCallExpression(node)) found.push(...lazyImport(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

function read(path: string): Source {
  const text = readFileSync(path, 'utf8');
  return { path, folder: posix.relative('src', dirname(path)) || '.', text, imports: importsOf(path, text) };
}

/** The program without comments and types, so that a sentence about `process.env` is no use of it. */
function code(source: Source): string {
  const compilerOptions = { removeComments: true, target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(source.text, { compilerOptions }).outputText;
}

/** Where a relative import leads, from the project root and without its ending. */
function target(source: Source, imported: Import): string {
  return posix.join(dirname(source.path), imported.from).replace(/\.ts$/, '');
}

const sources = files('src').map(read);
const inFolders = sources.filter((source) => source.folder !== '.');
const simulator = files('simulator').map(read);

/** One line for each file that breaks a rule, so that a failing test names them all. */
function offenders(files: readonly Source[], findings: (source: Source) => readonly string[]): string[] {
  return files.flatMap((source) => findings(source).map((finding) => `${source.path}: ${finding}`));
}

test('every folder is in the table, and the table points up the listing', () => {
  expect(offenders(inFolders, ({ folder }) => (folder in MAY_IMPORT ? [] : [folder]))).toEqual([]);
  expect(Object.keys(MAY_IMPORT)).toEqual(Object.keys(MAY_IMPORT).sort());
  for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
    expect(allowed.filter((other) => other >= folder)).toEqual([]);
  }
});

test('a file imports only what its folder may', () => {
  const findings = (source: Source) => {
    const leaves = source.folder in PURE ? ['src/errors'] : ['src/errors', 'src/log'];
    const folders = [source.folder, ...(MAY_IMPORT[source.folder] ?? [])].map((folder) => `src/${folder}`);
    const targets = source.imports.filter(({ from }) => from.startsWith('.')).map((it) => target(source, it));
    return targets.filter((path) => !leaves.includes(path) && !folders.includes(dirname(path)));
  };
  expect(offenders(inFolders, findings)).toEqual([]);
});

test('I/O has one home each', () => {
  const findings = (source: Source) =>
    source.imports
      .filter(({ typeOnly, from }) => !typeOnly && HOME[from] !== undefined && !source.path.startsWith(HOME[from]))
      .map(({ from }) => from);
  expect(offenders(sources, findings)).toEqual([]);
});

test('pure folders use pure packages, and no clock, environment or chance', () => {
  const pure = inFolders.filter(({ folder }) => folder in PURE);
  const findings = (source: Source) => {
    const packages = source.imports.filter(({ typeOnly, from }) => !typeOnly && !from.startsWith('.'));
    const strange = packages.map(({ from }) => from).filter((from) => !PURE[source.folder]?.includes(from));
    return [...strange, ...(IMPURE.exec(code(source)) ?? [])];
  };
  expect(offenders(pure, findings)).toEqual([]);
});

test('the simulator knows only the contract, and only the demo knows the simulator, once it is asked for', () => {
  const relative = (source: Source) => source.imports.filter(({ from }) => from.startsWith('.'));
  const outside = (source: Source) =>
    relative(source)
      .map((it) => target(source, it))
      .filter((path) => !path.startsWith('simulator/') && !path.startsWith('src/api/'));
  expect(offenders(simulator, outside)).toEqual([]);
  const uses = (source: Source) =>
    relative(source)
      .filter((it) => !it.typeOnly && target(source, it).startsWith('simulator/'))
      .filter(({ lazy }) => source.path !== 'src/demo.ts' || !lazy)
      .map(({ from }) => from);
  expect(offenders(sources, uses)).toEqual([]);
});

/** Packages whose values are loaded with a file, directly or through the files it imports; lazy imports are not followed. */
function packagesLoadedWith(path: string, seen = new Set<string>()): string[] {
  const source = sources.find((one) => one.path === `${path}.ts`);
  if (source === undefined || seen.has(path)) return [];
  seen.add(path);
  const eager = source.imports.filter(({ lazy, typeOnly }) => !lazy && !typeOnly);
  return eager.flatMap((it) => (it.from.startsWith('.') ? packagesLoadedWith(target(source, it), seen) : [it.from]));
}

test('a command and what it needs are loaded only when it is asked for', () => {
  const packages = packagesLoadedWith('src/main').filter((name) => !name.startsWith('node:'));
  expect([...new Set(packages)].filter((name) => name !== 'commander')).toEqual([]);
});

test('generate loads no cluster client and no server', () => {
  const packages = packagesLoadedWith('src/generate');
  expect(packages.filter((name) => ['@kubernetes/client-node', 'express', 'prom-client'].includes(name))).toEqual([]);
});

test.each(['src/web/browser/live', 'src/web/extension/extension'])('%s brings no package into the browser', (path) => {
  expect(sources.map((source) => source.path)).toContain(`${path}.ts`);
  expect(packagesLoadedWith(path)).toEqual([]);
});

test('the rules see what they judge', () => {
  const imports = sources.flatMap((source) => source.imports);
  expect(imports.filter(({ typeOnly }) => typeOnly).length).toBeGreaterThan(0);
  expect(imports.filter(({ typeOnly }) => !typeOnly).length).toBeGreaterThan(0);
  expect('const now = Date.now();').toMatch(IMPURE);
});

const program = [...sources, ...simulator, ...['bench', 'bin', 'scripts'].flatMap(files).map(read)];
const tests = files('test').map(read);

test('a file says at its top what it decides', () => {
  const silent = ({ text }: Source) => (/^(#!.*\n)?\/\*\*/.test(text) ? [] : ['no comment at its top']);
  expect(offenders([...program, ...tests], silent)).toEqual([]);
});

test('a file is short, a command a table of contents', () => {
  const length = ({ text }: Source) => text.trimEnd().split('\n').length;
  const long = (limit: number) => (source: Source) =>
    length(source) > limit ? [`${String(length(source))} lines`] : [];
  const main = sources.find(({ path }) => path === 'src/main.ts');
  const lazy = (main?.imports ?? []).filter((it) => it.lazy).map((it) => `src/${it.from.slice(2)}`);
  const commands = sources.filter(({ path }) => lazy.includes(path));
  expect(commands.length).toBeGreaterThanOrEqual(5);
  expect([...offenders([...program, ...tests], long(250)), ...offenders(commands, long(80))]).toEqual([]);
});

test('a file has a name of the field', () => {
  const drawers = ({ path }: Source) => path.split('/').filter((name) => DRAWER.test(name));
  expect(offenders([...program, ...tests], drawers)).toEqual([]);
});
