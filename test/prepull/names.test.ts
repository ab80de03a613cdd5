/** Names are valid labels, the same each time, and differ where what they stand for differs. */
import fc from 'fast-check';
import { clusterName, containerName, labelName, uniqueName, valueWord } from '../../src/prepull/names.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.stringMatching(/^[a-zA-Z0-9._/@:-]{0,90}$/));

describe('names', () => {
  test('any name is an RFC 1123 label, and the same each time', () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 4 }),
        fc.array(text, { maxLength: 4 }),
        fc.nat(400),
        (words, rest, index) => {
          const scope = { app: words[0] ?? '', namespace: rest[0] ?? '', hub: rest };
          const make = (): string[] => [
            uniqueName(words, rest),
            labelName(words.join('')),
            containerName(index, words.join('/')),
            clusterName(words, rest, scope),
          ];
          for (const name of make()) expect(name).toMatch(LABEL);
          expect(make()).toEqual(make());
        },
      ),
    );
  });

  test('what differs in identity differs in name, however alike the words', () => {
    fc.assert(
      fc.property(
        fc.array(text),
        fc.array(text, { minLength: 1 }),
        fc.array(text, { minLength: 1 }),
        (words, one, other) => {
          fc.pre(JSON.stringify(one) !== JSON.stringify(other));
          expect(uniqueName(words, one)).not.toBe(uniqueName(words, other));
        },
      ),
    );
    expect(uniqueName(['a-b', 'c'], ['a-b', 'c'])).not.toBe(uniqueName(['a', 'b-c'], ['a', 'b-c']));
  });

  test('a valid label stays itself, any other gets a hash', () => {
    expect(labelName('hook-image-puller')).toBe('hook-image-puller');
    expect(labelName('a'.repeat(63))).toBe('a'.repeat(63));
    expect(labelName('a'.repeat(64))).toMatch(/^a{54}-[0-9a-f]{8}$/);
    expect(labelName('Team.Hub')).toMatch(/^team-hub-[0-9a-f]{8}$/);
    expect(labelName('Team.Hub')).not.toBe(labelName('team.hub'));
  });

  test.each([
    ['quay.io/team/notebook:2024.1', 'pull-3-notebook'],
    ['localhost:5000/nb', 'pull-3-nb'],
    ['quay.io/team/nb:1@sha256:0123', 'pull-3-nb'],
    ['quay.io/Team/Image_Type.py', 'pull-3-image-type-py'],
    [`r/${'x'.repeat(100)}`, `pull-3-${'x'.repeat(56)}`],
    ['', 'pull-3'],
  ])('the container of %s is %s', (reference, name) => {
    expect(containerName(3, reference)).toBe(name);
  });

  test('containers of one pod are unique whatever their images', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (references) => {
        const names = references.map((reference, index) => containerName(index, reference));
        expect(new Set(names).size).toBe(references.length);
      }),
    );
  });

  test('two applications, two namespaces, two hubs, two values: four cluster-scoped names', () => {
    const scope = { app: 'hub', namespace: 'a', hub: ['jupyterhub', 'hub'] };
    const name = (change: object, value = '-10'): string =>
      clusterName(['priority', valueWord(value)], [], { ...scope, ...change });
    const all = [name({}), name({ namespace: 'b' }), name({ app: 'two' }), name({ hub: ['x', 'y'] }), name({}, '-5')];
    expect(new Set(all).size).toBe(5);
    expect(all[0]).toMatch(/^hub-a-priority-minus-10-[0-9a-f]{8}$/);
  });
});
