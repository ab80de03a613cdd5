/** Writes what the e2e suite `image` measured (reports/image.json) into docs/supply-chain.md: `npm run e2e -- image && node scripts/update-image-page.mjs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { ranOn } from './ran-on.mjs';

const root = new URL('..', import.meta.url).pathname;
const PAGE = `${root}docs/supply-chain.md`;
const MARKER = '<!-- image -->';

const PARTS = {
  helm: 'helm',
  git: 'git, its libraries, certificates',
  kustomize: 'kustomize',
  package: 'the package',
  licences: 'licences',
  all: '**together, beside the base image**',
};
const STARTS = {
  version: '`prepuller --version`',
  generate: '`prepuller generate` of examples/hub',
  controller: '`prepuller controller`, until it is ready',
};

function sizes({ bytes }) {
  const rows = Object.entries(PARTS).map(([part, name]) => `| ${name} | ${(bytes[part] / 1e6).toFixed(1)} MB |`);
  return ['| part | size |', '| --- | ---: |', ...rows].join('\n');
}

/** The first start finds no cache; the later ones find Node's compiled code in /tmp. */
function starts({ milliseconds }) {
  const rows = Object.entries(STARTS).map(([command, name]) => {
    const [first, ...later] = milliseconds[command];
    const sorted = later.sort((one, other) => one - other);
    const usual = sorted[Math.floor(sorted.length / 2)];
    return `| ${name} | ${first} ms | ${usual === undefined ? '' : `${usual} ms`} |`;
  });
  return ['| start, read-only as user 1000650000 | first | later |', '| --- | ---: | ---: |', ...rows].join('\n');
}

const figures = JSON.parse(readFileSync(`${root}reports/image.json`, 'utf8'));
const [before, , after] = readFileSync(PAGE, 'utf8').split(MARKER);
const measured = [sizes(figures), starts(figures), `${ranOn()} \`scripts/update-image-page.mjs\` writes this.`];
writeFileSync(PAGE, [before, `\n\n${measured.join('\n\n')}\n\n`, after].join(MARKER));
