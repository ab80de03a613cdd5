/** docs/helm-parity.md, from the rows that parity.test.ts runs: no option stands on the page without its test. */
import { HELM_ROWS } from './parity-helm.ts';
import { KUSTOMIZE_ROWS, type KustomizeRow } from './parity-kustomize.ts';

const TEST = 'test/hydrate/parity.test.ts';
const IN_ARGOCD = 'test/e2e/argocd-parity.test.ts';

/** The whole page. */
export function parityPage(): string {
  return `${[
    '# The same as Helm and kustomize',
    'For each row the same small app is rendered twice: by `prepuller generate` with the option, before pullers are added, and by the ' +
      'command beside it, run by hand. Both must give the same bytes. Each row is a test of ' +
      `[${TEST}](../${TEST}), named \`the same as helm template, with Helm 4 release-name\` and so on; \`.ci/run\` runs each with Helm 3.19 and with Helm 4.1, with kustomize 5.8.`,
    `[${IN_ARGOCD}](../${IN_ARGOCD}) renders each row, and each example, twice in a real Argo CD, by itself and through the plugin: the same ` +
      'objects but for the pullers. What differs on purpose stands in [argocd-parity-purposes.ts](../test/e2e/argocd-parity-purposes.ts) with its reason.',
    'Written by `node scripts/update-parity.mjs`; a test compares.',
    '## Helm',
    'Options are parameters of the plugin ([parameters.md](parameters.md)).',
    table(HELM_ROWS.map(({ option, by }) => [option, shell('helm', by)])),
    '## Kustomize',
    'Options are fields of `spec.source.kustomize`; the parameter is called `kustomize-…`. Patches ' +
      'have none: beside a plugin they stand in the kustomization. Edits run on a copy.',
    table(KUSTOMIZE_ROWS.map((row) => [row.option, kustomizeCommands(row)])),
  ].join('\n\n')}\n`;
}

function kustomizeCommands({ by, build = [], files = {} }: KustomizeRow): string {
  const chart = JSON.stringify(files).includes('helmCharts') ? ['--enable-helm'] : [];
  const edits = by.map((edit) => shell('kustomize', ['edit', ...edit]));
  return [...edits, shell('kustomize', ['build', '.', ...chart, ...build])].join('<br>');
}

function table(rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([option, command]) => `| ${escapeCell(option)} | ${escapeCell(command)} |`);
  return ['| option | compared with |', '| --- | --- |', ...lines].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function shell(program: string, args: readonly string[]): string {
  const words = args.map((word) => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word}'`));
  return `\`${[program, ...words].join(' ')}\``;
}
