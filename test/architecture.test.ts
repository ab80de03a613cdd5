/** The shape of the sources as a test: who may import whom, which code is pure, where I/O lives, how long a file may be. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';
import ts from 'typescript';

/** Folder → folders it may import. Every entry sorts before its key: imports point up the listing. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  api: [],
  checkout: [],
  config: ['api'],
  hydrate: ['config'],
  image: ['api'],
  manifest: ['api', 'image'],
  prepull: ['api', 'image', 'manifest'],
  verdict: ['api'],
  watch: ['api', 'verdict'],
  web: ['api', 'verdict'],
};

/** Pure folders and the only packages whose values they may use. `import type` is always free. */
const PURE: Record<string, readonly string[]> = {
  api: [],
  config: ['js-yaml', 'leven', 'node:util'],
  image: [],
  manifest: ['js-yaml'],
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
const named = (list: Source[]) => list.map((source) => [source.path, source] as const);

test('every folder is in the table, and the table points up the listing', () => {
  const folders = [...new Set(inFolders.map((source) => source.folder))];
  expect(folders.filter((folder) => !(folder in MAY_IMPORT))).toEqual([]);
  expect(Object.keys(MAY_IMPORT)).toEqual(Object.keys(MAY_IMPORT).sort());
  for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
    expect(allowed.filter((other) => other >= folder)).toEqual([]);
  }
});

test.each(named(inFolders))('%s imports only what its folder may', (_path, source) => {
  const leaves = source.folder in PURE ? ['src/errors'] : ['src/errors', 'src/log'];
  const folders = [source.folder, ...(MAY_IMPORT[source.folder] ?? [])].map((folder) => `src/${folder}`);
  const targets = source.imports.filter(({ from }) => from.startsWith('.')).map((it) => target(source, it));
  expect(targets.filter((path) => !leaves.includes(path) && !folders.includes(dirname(path)))).toEqual([]);
});

test.each(named(sources))('%s keeps I/O at its home', (_path, source) => {
  const homeless = source.imports
    .filter(({ typeOnly, from }) => !typeOnly && HOME[from] !== undefined)
    .filter(({ from }) => !source.path.startsWith(HOME[from]!));
  expect(homeless).toEqual([]);
});

test.each(named(inFolders.filter(({ folder }) => folder in PURE)))('%s is pure', (_path, source) => {
  const packages = source.imports.filter(({ typeOnly, from }) => !typeOnly && !from.startsWith('.'));
  expect(packages.map(({ from }) => from).filter((from) => !PURE[source.folder]!.includes(from))).toEqual([]);
  expect(code(source)).not.toMatch(IMPURE);
});

test('the simulator knows only the contract, and only the demo knows the simulator, once it is asked for', () => {
  for (const source of simulator) {
    const outside = source.imports
      .filter(({ from }) => from.startsWith('.'))
      .map((it) => target(source, it))
      .filter((path) => !path.startsWith('simulator/') && !path.startsWith('src/api/'));
    expect([source.path, outside]).toEqual([source.path, []]);
  }
  const users = sources.flatMap((source) =>
    source.imports
      .filter(({ from, typeOnly }) => from.startsWith('.') && !typeOnly)
      .filter((it) => target(source, it).startsWith('simulator/'))
      .map(({ lazy }) => ({ path: source.path, lazy })),
  );
  expect(users.filter(({ path, lazy }) => path !== 'src/demo.ts' || !lazy)).toEqual([]);
});

test('a command is loaded only when it is asked for', () => {
  const commands = sources.filter(({ path }) => path === 'src/main.ts');
  const eager = commands.flatMap(({ imports }) => imports.filter(({ from, lazy }) => from.startsWith('.') && !lazy));
  expect(eager.filter(({ typeOnly, from }) => !typeOnly && !/\/(errors|log|api\/)/.test(from))).toEqual([]);
});

const program = [...sources, ...simulator, ...['bench', 'bin', 'scripts'].flatMap(files).map(read)];

test.each(named(program))('%s says what it is, once, at its top', (_path, source) => {
  expect(source.text.replace(/^#!.*\n/, '')).toMatch(/^\/\*\*/);
});

test('the rules see what they judge', () => {
  const imports = sources.flatMap((source) => source.imports);
  expect(imports.filter(({ typeOnly }) => typeOnly).length).toBeGreaterThan(0);
  expect(imports.filter(({ typeOnly }) => !typeOnly).length).toBeGreaterThan(0);
  expect('const now = Date.now();').toMatch(IMPURE);
});

test.each(named([...program, ...files('test').map(read)]))(
  '%s is short and has a name of the field',
  (path, source) => {
    expect(source.text.split('\n').length).toBeLessThanOrEqual(251);
    expect([basename(path), basename(dirname(path))].filter((name) => DRAWER.test(name))).toEqual([]);
  },
);

test('command files are tables of contents: at most 80 lines each, main apart', () => {
  const long = sources.filter(({ folder, path }) => folder === '.' && !/\/(errors|log|main)\.ts$/.test(path));
  expect(long.filter(({ text }) => text.split('\n').length > 81).map(({ path }) => path)).toEqual([]);
});
