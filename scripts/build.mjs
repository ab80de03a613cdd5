/** Builds the split bundle in dist/: one small entry, each command loaded only when it is asked for; and the licences of what is in it. */
import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
await rm(`${root}dist`, { recursive: true, force: true });
// What a browser loads: named by its content, so that it can be kept for a year.
const page = await build({
  absWorkingDir: root,
  entryPoints: { live: 'src/web/browser/live.ts', page: 'src/web/browser/page.css', icon: 'src/web/browser/icon.svg' },
  outdir: 'dist/page',
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  entryNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.svg': 'copy' },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
});
// What argocd-server puts into its own page, beside other extensions: one file of a name it looks for, React left to the page.
const extension = await build({
  absWorkingDir: root,
  entryPoints: { 'extension-argocd-prepuller': 'src/web/extension/extension.ts' },
  outdir: 'dist/argocd',
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  loader: { '.css': 'text' },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
});
const { metafile } = await build({
  absWorkingDir: root,
  // The simulated cluster has an entry of its own: only the demo loads it, when it is asked for.
  entryPoints: { main: 'src/main.ts', simulator: 'simulator/demo.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  // Bundled CommonJS packages (commander among them) call require().
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
await writeFile(
  join(root, 'dist/LICENCES.txt'),
  licences([metafile, page.metafile, extension.metafile].flatMap(({ inputs }) => Object.keys(inputs))),
);

/** Every bundled package with its licence text: what MIT, BSD, ISC and Apache-2.0 ask of whoever passes their code on. */
function licences(inputs) {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? []);
  const parts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((name) => /^(licen[sc]e|copying)\b/i.test(name));
    const text =
      file === undefined ? '(the package has no licence file)' : readFileSync(join(root, folder, file), 'utf8');
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}
