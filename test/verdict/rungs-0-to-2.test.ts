/** Rungs 0 to 2a: what was decided before. A title opens with the rung it proves; docs/rules.md lists them. */
import { pod, PREFIX, pulledPod, puller, stamp, unschedulable, type Raw, type PullerOptions } from './cluster.ts';
import { lookAt, lookOften } from './look.ts';
import { told, written, missing } from './stories.ts';

describe('rung 0: a hook with a final verdict', () => {
  test.each([
    ['True', 'Pulled', 'Healthy Pulled'],
    ['False', 'ImageMissing', 'Degraded ImageMissing'],
    ['Unknown', 'Pulling', 'Progressing Pulling'],
    ['False', 'of a later version', 'Degraded GivenUp'],
    ['True', 'of a later version', 'Healthy Pulled'],
  ])('rung 0: condition %s %s', (status, reason, expected) => {
    expect(told([puller({ status: written(status, reason) }), pod('n1')], { now: 10 })).toBe(expected);
  });

  test('rung 0: a continuous puller has no final verdict', () => {
    expect(
      told([puller({ role: 'continuous', status: written('False', 'ImageMissing') }), pod('n1')], { now: 10 }),
    ).toBe('Progressing Pulling');
  });

  test('rung 0: once judged it stays, whatever comes, and asks for no more looks', () => {
    const done = lookAt([puller(), pulledPod('n1')], { now: 10 });
    const later = lookAt([puller({ generation: 2, metadata: { deletionTimestamp: stamp(20) } })], {
      now: 30,
      facts: done.facts,
    });
    expect(later).toMatchObject({ health: 'Healthy', reason: 'Pulled', message: done.message });
    expect(later).not.toHaveProperty('recheckAfterMs');
  });

  test('rung 0: keeps the text of the condition, never an empty one', () => {
    expect(lookAt([puller({ status: written('True', 'Pulled') }), pod('n1')], { now: 10 }).message).toBe(
      'as said before',
    );
    const silent = written('True', 'Pulled');
    silent.conditions[0].message = '';
    expect(lookAt([puller({ status: silent }), pod('n1')], { now: 10 }).message).toBe('Healthy');
  });
});

describe('rung 1: a person decides', () => {
  const override = (word: string, generation: string): PullerOptions => ({
    annotations: { [`${PREFIX}/override`]: word, [`${PREFIX}/override-generation`]: generation },
  });
  test.each([
    ['let-through', '1', 'Healthy LetThrough'],
    ['give-up', '1', 'Degraded GivenUp'],
    ['let-through', '2', 'Progressing Pulling'],
    ['something', '1', 'Progressing Pulling'],
  ])('rung 1: %s for generation %s', (word, generation, expected) => {
    expect(told([puller(override(word, generation)), pod('n1')], { now: 10 })).toBe(expected);
  });

  test('rung 1: the message says that a person did, and what is left', () => {
    expect(lookAt([puller(override('let-through', '1')), pod('n1')], { now: 10 }).message).toBe(
      '0/1 node pulled, 1 pulling: a person let it through; image quay.io/a/nb:1: pulling, image 1 of 1 (on n1)',
    );
    expect(lookAt([puller(override('give-up', '1')), pod('n1')], { now: 10 }).message).toContain('a person gave it up');
  });

  test('rung 1: does not undo a final verdict', () => {
    expect(
      told([puller({ ...override('let-through', '1'), status: written('False', 'ImageMissing') })], { now: 10 }),
    ).toBe('Degraded ImageMissing');
  });

  test('rung 1: letting a continuous puller through does not complete its generation', () => {
    const let_ = lookAt([puller({ role: 'continuous', ...override('let-through', '1') }), pod('n1')], { now: 10 });
    expect(told([puller({ role: 'continuous' }), pod('n1')], { now: 20, facts: let_.facts })).toBe(
      'Progressing Pulling',
    );
  });
});

describe('rung 2: deleted', () => {
  test('rung 2: a hook without a final verdict', () => {
    const objects = [puller({ generation: 2, status: { observedGeneration: 1 } }), pod('n1')];
    objects[0]!.metadata.deletionTimestamp = stamp(5);
    expect(told(objects, { now: 10 })).toBe('Degraded PullerDeleted');
  });
  test('rung 2: a continuous puller is judged on', () => {
    const objects = [puller({ role: 'continuous' }), pod('n1')];
    objects[0]!.metadata.deletionTimestamp = stamp(5);
    expect(told(objects, { now: 10 })).toBe('Progressing Pulling');
  });
});

describe('rung 2a: a continuous puller that completed', () => {
  const continuous = (options: PullerOptions = {}): Raw => puller({ role: 'continuous', ...options });
  test('rung 2a: a node that fills up or joins later does not turn it', () => {
    const done = lookAt([continuous(), pulledPod('n1')], { now: 10 });
    const later = lookAt([continuous({ desired: 3 }), pulledPod('n1'), unschedulable('n2', 'x', 50)], {
      now: 60,
      facts: done.facts,
    });
    expect(later).toMatchObject({ health: 'Healthy', reason: 'PulledBefore', counts: { pulled: 1, pulling: 2 } });
  });
  test('rung 2a: known from the object after a restart', () => {
    expect(told([continuous({ status: written('True', 'Pulled') }), pod('n1')], { now: 10 })).toBe(
      'Healthy PulledBefore',
    );
    expect(told([continuous({ status: written('True', 'Pulled') }), pulledPod('n1')], { now: 10 })).toBe(
      'Healthy Pulled',
    );
  });
  test.each([
    ['another generation', { generation: 2, status: { ...written('True', 'Pulled', 1), observedGeneration: 2 } }],
    ['Degraded before', { status: written('False', 'ImageMissing') }],
    ['a hook', { role: 'hook', status: written('Unknown', 'Pulling') }],
  ])('rung 2a: not for %s', (_, options) => {
    expect(told([continuous(options), pod('n1', { templateGeneration: '1' })], { now: 10 })).toMatch(/^Progressing/);
  });
  test('rung 2a: a new generation is judged anew', () => {
    const done = lookAt([continuous(), pulledPod('n1')], { now: 10 });
    const next = continuous({ generation: 2, label: 'new' });
    expect(told([next, pulledPod('n1')], { now: 20, facts: done.facts })).toBe('Progressing Pulling');
  });
  test('rung 2a: Degraded is not the end, the image may still come', () => {
    const stuck = [continuous(), ...missing()];
    const failed = lookOften(stuck, [156, 166]);
    expect(failed.health).toBe('Degraded');
    expect(told([continuous(), pulledPod('n1')], { now: 300, facts: failed.facts })).toBe('Healthy Pulled');
  });
});
