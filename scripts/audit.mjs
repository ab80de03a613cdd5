/**
 * `npm run audit`: exit code 1 when a package of the bundle, or the packaged Node, has a known vulnerability of severity high or critical;
 * others are printed. All packages are devDependencies here, so `npm audit --omit=dev` would look at nothing.
 */
import { spawnSync } from 'node:child_process';
import { bundledPackages } from './bundled.mjs';

const root = new URL('..', import.meta.url).pathname;
// `-` takes the registry's answer from stdin.
const report = JSON.parse(process.argv[2] === '-' ? await stdin() : ask());
if (report.vulnerabilities === undefined) {
  console.error(`audit: the registry gave no answer: ${report.message ?? report.error?.summary ?? 'no reason'}`);
  process.exitCode = 3;
} else judge(Object.values(report.vulnerabilities));

function ask() {
  return spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).stdout;
}

async function stdin() {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  return text;
}

function judge(vulnerabilities) {
  const shipped = new Set(bundledPackages(root).map(({ name }) => name));
  let failed = 0;
  for (const { name, severity } of vulnerabilities) {
    const inside = shipped.has(name) || name.startsWith('node-linux-');
    const fails = inside && ['high', 'critical'].includes(severity);
    if (fails) failed += 1;
    console.log(
      `${fails ? 'FAIL' : 'note'} ${name}: ${severity}, ${inside ? 'in the bundle' : 'builds and tests only'}`,
    );
  }
  console.log(`${failed} of ${vulnerabilities.length} fail the policy`);
  if (failed > 0) process.exitCode = 1;
}
