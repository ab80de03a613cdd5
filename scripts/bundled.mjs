/** What of other packages is in dist/, as the build noted it: the list that licences, audit and SBOM are about. Throws where nothing is built. */
import { readFileSync } from 'node:fs';

const BETWEEN = `\n${'-'.repeat(80)}\n\n`;

/** `{ name, version, license, text }` of each; `license` as the package says it. */
export function bundledPackages(root) {
  const parts = readFileSync(`${root}/dist/LICENCES.txt`, 'utf8').split(BETWEEN);
  return parts.map((part) => {
    const [, name, version, license] = /^(\S+) (\S+) \((.+)\)$/m.exec(part);
    return { name, version, license, text: part.slice(part.indexOf('\n')).trim() };
  });
}
