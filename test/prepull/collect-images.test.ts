/** One list of images from many mentions; mistakes stop it, all of them in one error. */
import { UserError } from '../../src/errors.ts';
import { collectImages, identityOf, type NamedImage } from '../../src/prepull/collect-images.ts';

function named(text: string, path = 'singleuser.image', rest: Partial<NamedImage> = {}): NamedImage {
  return { text, source: { object: 'Secret/hub', path }, always: false, ...rest };
}

function errorOf(images: readonly NamedImage[]): unknown {
  try {
    return collectImages(images, ['latest']);
  } catch (error) {
    return error;
  }
}

const HEX = '0'.repeat(64);

describe('R-07: collectImages', () => {
  test('one entry an image, in order of first mention, with every place that names it', () => {
    const { images } = collectImages(
      [
        named('quay.io/b/nb:1', 'one'),
        named('a:1', 'two'),
        named('docker.io/library/a:1', 'three'),
        named('quay.io/b/nb:1', 'one'),
      ],
      [],
    );
    expect(images.map(({ written, sources }) => [written, sources.map(({ path }) => path)])).toEqual([
      ['quay.io/b/nb:1', ['one']],
      ['a:1', ['two', 'three']],
    ]);
    expect(new Set(images.map(({ reference }) => reference)).size).toBe(2);
  });

  test('R-03: tag and digest are one image with the digest alone', () => {
    const { images } = collectImages([named(`quay.io/a/nb:1@sha256:${HEX}`), named(`quay.io/a/nb@sha256:${HEX}`)], []);
    expect(images).toHaveLength(1);
  });

  test.each([
    ['a listed tag', 'a:latest', ['latest'], true],
    ['no tag is latest', 'a', ['latest'], true],
    ['another tag', 'a:1', ['latest'], false],
    ['a digest never moves', `a:latest@sha256:${HEX}`, ['latest'], false],
    ['a tag of the user’s list', 'a:prod', ['prod'], true],
  ])('H-22: %s', (_, text, mutableTags, always) => {
    const { images, warnings } = collectImages([named(text), named(text, 'again')], mutableTags);
    expect(images.map((image) => image.always)).toEqual([always]);
    expect(warnings.map(({ fields }) => fields)).toEqual(
      always ? [{ image: text, object: 'Secret/hub', path: 'singleuser.image' }] : [],
    );
  });

  test('an image that one place pulls always is pulled always', () => {
    const { images } = collectImages([named('a:1'), named('a:1', 'b', { always: true })], []);
    expect(images.map(({ always }) => always)).toEqual([true]);
  });

  test.each([
    ['a template', 'quay.io/a/nb:{value}'],
    ['R-02: a tag nobody can pull', 'jupyterhub/k8s-network-tools:set-by-chartpress'],
  ])('%s is left out, with one remark', (_, text) => {
    const { images, skipped, warnings } = collectImages([named(text), named(text, 'again'), named('a:1')], []);
    expect(images.map(({ written }) => written)).toEqual(['a:1']);
    expect(skipped).toEqual([{ reference: text, why: expect.any(String) as string }]);
    expect(warnings.map(({ fields }) => fields.image)).toEqual([text]);
  });
});

describe('H-24: mistakes stop, all of them in one error', () => {
  test.each([
    ['R-01: a tag Helm rewrote', 'quay.io/a/nb:2.0240101e+07'],
    ['upper case in the repository', 'quay.io/A/nb:1'],
    ['a plus in the tag', 'quay.io/a/nb:1+b'],
    ['R-02: an empty tag', 'quay.io/a/nb:'],
    ['a space', 'quay.io/a/nb :1'],
    ['a tag too long', `quay.io/a/nb:${'x'.repeat(129)}`],
  ])('%s', (_, text) => {
    const error = errorOf([named(text)]);
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).message).toContain(`(Secret/hub singleuser.image): `);
  });

  test('each mistake is a line with its place and the key to change; good images are not named', () => {
    const error = errorOf([
      named('A:1', 'singleuser.initContainers[0].image'),
      named('ok:1'),
      named('b:', 'singleuser.image', { fix: 'singleuser.image.tag' }),
      named('A:1', 'singleuser.initContainers[0].image'),
    ]);
    const lines = (error as UserError).message.split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^cannot pull "A:1" \(Secret\/hub singleuser\.initContainers\[0]\.image\): ./);
    expect(lines[1]).toMatch(/^cannot pull "b:" \(Secret\/hub singleuser\.image, set by singleuser\.image\.tag\): ./);
  });
});

describe('what is shown of a text that is no reference', () => {
  test.each([
    ['a password in a URL', 'https://me:hunter2@reg.local/a:1', '"***@reg.local/a:1"'],
    ['a password with an at sign', 'me:hunt@er2@reg.local/A:1', '***@reg.local/A:1'],
    ['a password with a slash', 'me:hunter2/er2@reg.local/A:1', '"***@reg.local/A:1"'],
    ['line breaks', 'A\nB', '"A\\nB"'],
    ['a digest stays', `A@sha256:${HEX}`, `A@sha256:${HEX}`],
  ])('%s', (_, text, shown) => {
    const { message } = errorOf([named(text)]) as UserError;
    expect(message).toContain(shown);
    expect(message).not.toMatch(/hunter2|er2/);
    expect(message.split('\n')).toHaveLength(1);
  });

  test('a long text is cut', () => {
    const { message } = errorOf([named('A'.repeat(5000))]) as UserError;
    expect(message.length).toBeLessThan(400);
  });
});

test('identityOf: what is no reference is itself', () => {
  expect(identityOf('a')).toBe(identityOf('docker.io/library/a:latest'));
  expect(identityOf('A:1')).toBe('A:1');
});
