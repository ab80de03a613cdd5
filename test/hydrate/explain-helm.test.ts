/** What a user can get wrong with Helm: the first line of the error names file, key and fix, with Helm 3 and 4. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { UserError } from '../../src/errors.ts';
import { CHART, failure, HELMS, makeFolder, removeFolders, render } from './app-folder.ts';
import { HELM_MISTAKES } from './helm-mistakes.ts';

afterAll(removeFolders);

describe.each(HELMS)('with %s', (_name, helm) => {
  test.each(Object.entries(HELM_MISTAKES))('%s', async (_mistake, { files, settings, first }) => {
    const folder = makeFolder({ ...CHART, ...files });
    const error = await failure(render(folder, { ...settings, context: { helm } }));
    const [line = ''] = error.message.split('\n');
    if (typeof first === 'string') expect(line).toBe(first);
    else expect(line).toMatch(first);
    expect(error).toBeInstanceOf(UserError);
    expect(line.length).toBeLessThanOrEqual(300);
    expect(error.message).not.toContain('CANARY');
  });

  test('a value that helm drops is a warning, without the value', async () => {
    const folder = makeFolder({ ...CHART, 'v.yaml': 'image: {name: {a: CANARY}}\n' });
    const { warnings } = await render(folder, { helm: { valueFiles: ['v.yaml'] }, context: { helm } });
    expect(warnings).toEqual([
      {
        message: 'a value and a mapping stand under one key: one of them is ignored',
        fields: { key: 'tiny.image.name' },
      },
    ]);
  });

  test('a FIFO in the chart is named', async () => {
    const folder = makeFolder(CHART);
    execFileSync('mkfifo', [join(folder, 'templates/pipe')]);
    const error = await failure(render(folder, { context: { helm } }));
    expect(error.message).toMatch(/^"templates\/pipe" is a FIFO, device or socket, not a file/);
  });

  test('a link to nothing in the chart is named', async () => {
    const folder = makeFolder(CHART);
    symlinkSync('nowhere', join(folder, 'templates/gone.yaml'));
    const error = await failure(render(folder, { context: { helm } }));
    expect(error.message).toMatch(/^templates\/gone\.yaml is a link that leads nowhere/);
  });
});
