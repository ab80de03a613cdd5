/** Every option beside the program itself: the same bytes as `helm template` and `kustomize build` with the equivalent flags. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { HELMS, KUSTOMIZE, makeFolder, plainly, removeFolders, render, text } from './app-folder.ts';
import { HELM_FILES, HELM_ROWS } from './parity-helm.ts';
import { KUSTOMIZE_FILES, KUSTOMIZE_ROWS } from './parity-kustomize.ts';

/** The rows whose output is that of no setting; all others show that their option does something. */
const CHANGE_NOTHING = ['nothing set', 'release name of an app called namespace_name'];

afterAll(removeFolders);

describe.each(HELMS)('the same as helm template, with %s', (_name, helm) => {
  const nothingSet = plainly(helm, HELM_ROWS[0]!.by, makeFolder(HELM_FILES));

  test.each(HELM_ROWS.map((row) => [row.option, row] as const))('%s', async (option, { settings, by }) => {
    const refusing =
      option === 'skip-schema-validation' ? { 'values.schema.json': '{"properties":{"refused":false}}' } : {};
    const folder = makeFolder({ ...HELM_FILES, ...refusing });
    const context = { ...settings.context, helm };
    const theirs = plainly(helm, by, folder);
    expect(await text(render(folder, { ...settings, context }))).toBe(theirs);
    expect(theirs === nothingSet).toBe(CHANGE_NOTHING.includes(option));
  });
});

const withKustomize = KUSTOMIZE === undefined ? describe.skip : describe;

withKustomize.each(HELMS)(
  'the same as kustomize edit and build (needs PREPULLER_KUSTOMIZE), with %s',
  (_name, helm) => {
    test.each(KUSTOMIZE_ROWS.map((row) => [row.option, row] as const))('%s', async (_option, row) => {
      const repository = makeFolder({ '.git/HEAD': '', ...KUSTOMIZE_FILES, ...row.files });
      const copy = makeFolder({});
      cpSync(repository, copy, { recursive: true });
      for (const edit of row.by) plainly(KUSTOMIZE!, ['edit', ...edit], join(copy, 'app'));
      const chart = JSON.stringify(row.files ?? {}).includes('helmCharts');
      const flags = chart ? ['--enable-helm', '--helm-command', helm, ...(row.build ?? [])] : [];
      const theirs = plainly(KUSTOMIZE!, ['build', '.', ...flags], join(copy, 'app'));
      const context = { ...row.settings.context, helm };
      expect(await text(render(join(repository, 'app'), { ...row.settings, context }))).toBe(theirs);
    });
  },
);
