/** The digests of image lists. */
import { imagesDigest } from '../../src/prepull/digest.ts';
import type { WantedImage } from '../../src/prepull/wanted-images.ts';

function image(reference: string, always = false): WantedImage {
  return { reference, written: reference, sources: [], always };
}

describe('imagesDigest', () => {
  const digest = imagesDigest([image('a:1'), image('b:1')]);

  test('fits a label, and neither order nor spelling nor source counts', () => {
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
    expect(imagesDigest([image('b:1'), { ...image('a:1'), written: 'x', sources: [{ object: 'o', path: 'p' }] }])).toBe(
      digest,
    );
  });

  test.each([
    ['another image', [image('a:1'), image('b:2')]],
    ['another pull policy', [image('a:1'), image('b:1', true)]],
    ['one image less', [image('a:1')]],
    ['one image more', [image('a:1'), image('b:1'), image('c:1')]],
  ])('%s changes it', (_what, images) => {
    expect(imagesDigest(images)).not.toBe(digest);
  });
});
