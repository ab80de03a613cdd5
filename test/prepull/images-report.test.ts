/** The shape of `images -o json`. */
import { imagesReport, reportAsText } from '../../src/prepull/images-report.ts';

const source = (object: string): { object: string; path: string } => ({ object, path: 'singleuser.image' });
const warning = { message: 'm', fields: { image: 'a' } };

test('imagesReport: hubs joined, each image once as first written, with the sources of all', () => {
  const one = {
    images: [{ reference: 'docker.io/library/a:1', written: 'a:1', sources: [source('Secret/one')], always: false }],
    skipped: [{ reference: '{value}', why: 'a template' }],
    warnings: [warning],
  };
  const two = {
    images: [
      { reference: 'docker.io/library/a:1', written: 'docker.io/a:1', sources: [source('Secret/two')], always: true },
      { reference: 'quay.io/b:1', written: 'quay.io/b:1', sources: [source('Secret/two')], always: false },
    ],
    skipped: [{ reference: '{value}', why: 'a template' }],
    warnings: [warning, { message: 'm', fields: { image: 'b' } }],
  };
  expect(imagesReport([one, two])).toEqual({
    images: [
      { reference: 'a:1', sources: [source('Secret/one'), source('Secret/two')] },
      { reference: 'quay.io/b:1', sources: [source('Secret/two')] },
    ],
    skipped: [{ reference: '{value}', why: 'a template' }],
    warnings: [warning, { message: 'm', fields: { image: 'b' } }],
  });
  expect(one.images[0]?.sources).toHaveLength(1);
});

test('imagesReport: nothing to pull', () => {
  expect(imagesReport([])).toEqual({ images: [], skipped: [], warnings: [] });
});

test('reportAsText: the places below each image, profiles by name, nothing that could break a line or drive a terminal', () => {
  const sources = [
    {
      object: 'Secret/hub',
      path: 'singleuser.profileList[0].kubespawner_override.image',
      profile: 'GPU\u001b[31m\nnode',
    },
  ];
  expect(
    reportAsText({
      images: [{ reference: 'a:1', sources }],
      skipped: [{ reference: '{x}', why: 'a\ntemplate' }],
      warnings: [],
    }),
  ).toBe(
    'a:1\n  Secret/hub singleuser.profileList[0].kubespawner_override.image (GPU [31m node)\nnot pulled: {x}\n  a template\n',
  );
});
