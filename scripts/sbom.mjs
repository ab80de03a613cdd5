/**
 * `npm run --silent sbom`: a CycloneDX list of what is in the bundle, on stdout. npm writes it of all that is installed; what only builds and
 * tests is left out, since nobody who installs the program gets it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bundledPackages } from './bundled.mjs';

const root = new URL('..', import.meta.url).pathname;
const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
const report = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
const { name } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
const bom = JSON.parse(report);
const bundled = new Set(bundledPackages(root).map(({ name, version }) => `${name}@${version}`));
const idOf = ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`;

// The same version can be installed in two places: one component is enough.
const kept = new Map(bom.components.filter((one) => bundled.has(idOf(one))).map((one) => [idOf(one), one]));
const missing = [...bundled].filter((id) => !kept.has(id));
if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}: build again after npm ci`);
const ids = new Set([...kept.values()].map((component) => component['bom-ref']));
const own = bom.metadata.component;
// npm calls it by the name of its folder, and everything but dependencies optional.
own.name = name;
bom.components = [...kept.values()].map((component) => ({ ...component, scope: 'required' }));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => ref === own['bom-ref'] || ids.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((id) => ids.has(id)) }));
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
