/** The verdict annotation entry by entry: what goes in first, what is left out, what broken entries do. */
import { printAnnotation, readAnnotation } from '../../src/verdict/annotation.ts';
import { NO_FACTS, type Facts, type RememberedError } from '../../src/verdict/facts.ts';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import type { NodeState, Verdict } from '../../src/verdict/verdict.ts';
import { after, PREFIX, puller, stamp } from './cluster.ts';
import { lookAt } from './look.ts';

const time = (seconds: number): number => after(seconds).getTime();
const images = ['q/a:1', 'q/b:1'];
const daemonSet = readDaemonSet(puller({ images }));
const empty = lookAt([puller({ images, desired: 0 })], { now: 5 });

interface Shape {
  turnedAway: [string, number, boolean][];
  errors: [string, string, string, number | null, number, number | null][];
  nodes: string[][];
  more: number;
  failedSince: [string, number][];
  fromRegistry: string[];
  missingSince?: number;
}

const shapeOf = (verdict: Partial<Verdict>): Shape =>
  JSON.parse(printAnnotation({ ...empty, ...verdict }, daemonSet, after(9))) as Shape;
const withFacts = (facts: Partial<Facts>): Shape => shapeOf({ facts: { ...empty.facts, ...facts } });
const error = (fields: Partial<RememberedError> = {}): RememberedError => ({
  kind: 'missing',
  text: 'not found',
  refusedAt: time(1),
  kindSince: time(2),
  at: time(3),
  shown: 'ErrImagePull',
  seen: time(4),
  ...fields,
});
const state = (node: string, fields: Partial<NodeState> = {}): NodeState => ({
  node,
  row: 16,
  state: 'pulling',
  reason: 'InProgress',
  message: 'm',
  counts: false,
  inBase: true,
  ...fields,
});

test('nodes that turned this puller away, by name; not those that turned others away', () => {
  const record = (uid: string, rejected = false) => ({ since: time(1), seen: time(2), uid, rejected });
  const turnedAway = new Map([
    ['b', record('ds', true)],
    ['c', record('other')],
    ['a', record('ds')],
  ]);
  expect(withFacts({ turnedAway }).turnedAway).toEqual([
    ['a', time(1), false],
    ['b', time(1), true],
  ]);
});

test('errors of the puller’s own images: the first node of each image, then the second, by name', () => {
  const errors = new Map(
    ['n2 q/a:1', 'n1 q/a:1', 'n3 q/a:1', 'n9 q/b:1', 'n1 q/else:1', 'n8 q/b:1'].map((key) => [key, error()]),
  );
  expect(withFacts({ errors }).errors.map(([key]) => key)).toEqual([
    'n1 q/a:1',
    'n8 q/b:1',
    'n2 q/a:1',
    'n9 q/b:1',
    'n3 q/a:1',
  ]);
  const reversed = new Map([...errors].reverse());
  expect(withFacts({ errors: reversed }).errors).toEqual(withFacts({ errors }).errors);
});

test('an error with every time, and with none', () => {
  const errors = new Map([
    ['n1 q/a:1', error()],
    ['n2 q/a:1', error({ refusedAt: undefined, at: undefined, text: 'x\ny' })],
  ]);
  expect(withFacts({ errors }).errors).toEqual([
    ['n1 q/a:1', 'missing', 'not found', time(1), time(2), time(3)],
    ['n2 q/a:1', 'missing', 'x y', null, time(2), null],
  ]);
});

test('a puller’s own facts, sorted; a missing pod only when there is one', () => {
  const own = empty.facts.pullers.get('ds')!;
  const facts = (fields: object): Partial<Facts> => ({ pullers: new Map([['ds', { ...own, ...fields }]]) });
  const told = withFacts(
    facts({
      missingSince: 7,
      failedSince: new Map([
        ['b', 2],
        ['a', 1],
      ]),
      fromRegistry: new Set(['d', 'c']),
    }),
  );
  expect(told).toMatchObject({
    missingSince: 7,
    failedSince: [
      ['a', 1],
      ['b', 2],
    ],
    fromRegistry: ['c', 'd'],
    firstLook: time(5),
  });
  expect(withFacts(facts({}))).not.toHaveProperty('missingSince');
  expect(withFacts({ pullers: new Map() })).not.toHaveProperty('firstLook');
});

test('open nodes, the worst first; pulled ones are left out', () => {
  const nodes = [
    state('t', { state: 'tolerated' }),
    state('ok', { state: 'pulled' }),
    state('p', { image: 'q/a:1' }),
    state('f', { state: 'failed' }),
  ];
  expect(shapeOf({ nodes })).toMatchObject({
    nodes: [
      ['f', 'failed', 'InProgress'],
      ['p', 'pulling', 'InProgress', 'q/a:1'],
      ['t', 'tolerated', 'InProgress'],
    ],
    more: 0,
  });
});

describe('what fits', () => {
  const size = (verdict: Partial<Verdict>): number =>
    Buffer.byteLength(printAnnotation({ ...empty, ...verdict }, daemonSet, after(9)));
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const turnedAway = new Map(
    many(500, (index) => [`node-${index}`, { since: time(1), seen: time(2), uid: 'ds', rejected: false }]),
  );
  const errors = new Map(many(500, (index) => [`node-${index} q/a:1`, error()]));
  const nodes = many(500, (index) => state(`node-${index}`));

  test('each part alone is cut, and nearly fills its share', () => {
    expect(size({ facts: { ...empty.facts, turnedAway } })).toBeGreaterThan(1200);
    expect(size({ facts: { ...empty.facts, turnedAway } })).toBeLessThan(2000);
    expect(size({ facts: { ...empty.facts, errors } })).toBeGreaterThan(2500);
    expect(size({ facts: { ...empty.facts, errors } })).toBeLessThanOrEqual(2960);
    expect(size({ nodes })).toBeGreaterThan(3800);
    expect(size({ nodes })).toBeLessThanOrEqual(4096);
  });
  test('together they are cut too, and each has some', () => {
    const all = { facts: { ...empty.facts, turnedAway, errors }, nodes };
    expect(size(all)).toBeGreaterThan(3900);
    expect(size(all)).toBeLessThanOrEqual(4096);
    const shape = shapeOf(all);
    expect([shape.turnedAway.length, shape.errors.length, shape.nodes.length].every((length) => length > 3)).toBe(true);
    expect(shape.nodes.length + shape.more).toBe(500);
  });
  test('a head with many images leaves room for the rest', () => {
    const own = empty.facts.pullers.get('ds')!;
    const long = many(100, (index) => `quay.io/${'x'.repeat(60)}/${index}`);
    const pullers = new Map([
      ['ds', { ...own, failedSince: new Map(long.map((image) => [image, 1])), fromRegistry: new Set(long) }],
    ]);
    const shape = shapeOf({ facts: { ...empty.facts, pullers, turnedAway, errors }, nodes });
    expect(shape.failedSince.length).toBeGreaterThan(3);
    expect(shape.failedSince.length).toBeLessThan(20);
    expect(shape.nodes.length).toBeGreaterThan(3);
    expect(size({ facts: { ...empty.facts, pullers, turnedAway, errors }, nodes })).toBeLessThanOrEqual(4096);
  });
});

describe('reading', () => {
  const read = (fields: object): Facts =>
    readAnnotation(
      readDaemonSet(
        puller({ annotations: { [`${PREFIX}/verdict`]: JSON.stringify({ at: stamp(1), uid: 'ds', ...fields }) } }),
      ),
      after(9),
    );
  test('a rejecting node stays one, anything else does not become one', () => {
    const records = read({
      turnedAway: [['a', 5, true], ['b', 5, false], ['c', 5, 'true'], ['d', '5', true], ['e'], 7],
    }).turnedAway;
    expect([...records].map(([node, { rejected, since, seen, uid }]) => [node, rejected, since, seen, uid])).toEqual([
      ['a', true, 5, time(1), 'ds'],
      ['b', false, 5, time(1), 'ds'],
      ['c', false, 5, time(1), 'ds'],
    ]);
  });
  test.each<[string, unknown]>([
    ['no key', [7, 'missing', 't', 1, 2, 3]],
    ['no text', ['n q', 'missing', 7, 1, 2, 3]],
    ['no time', ['n q', 'missing', 't', 1, '2', 3]],
    ['no class', ['n q', 'weird', 't', 1, 2, 3]],
    ['no list', 'n q'],
  ])('an error with %s is none', (_, entry) => {
    expect(read({ errors: [entry] }).errors.size).toBe(0);
  });
  test('an error with odd times has none', () => {
    expect(read({ errors: [['n q', 'missing', 't', '1', 2, {}]] }).errors.get('n q')).toEqual({
      kind: 'missing',
      text: 't',
      refusedAt: undefined,
      kindSince: 2,
      at: undefined,
      shown: undefined,
      seen: time(1),
    });
  });
  test('of a puller’s own facts only what is sound', () => {
    const own = read({
      generation: 3,
      firstLook: 4,
      missingSince: '5',
      failedSince: [['a', 1], ['b', '1'], [1, 1], 'a', ['c']],
      fromRegistry: ['x', 7],
    }).pullers.get('ds');
    expect(own).toMatchObject({
      generation: 3,
      firstLook: 4,
      seen: time(9),
      missingSince: undefined,
      final: undefined,
      completed: false,
    });
    expect([...(own?.failedSince ?? [])]).toEqual([['a', 1]]);
    expect([...(own?.fromRegistry ?? [])]).toEqual(['x']);
    expect(read({}).pullers.get('ds')).toMatchObject({ generation: 0, firstLook: time(9) });
    expect(read({ missingSince: 5 }).pullers.get('ds')?.missingSince).toBe(5);
  });
  test('without a time of writing nothing is believed', () => {
    expect(read({ at: 'soon', turnedAway: [['a', 5, true]] })).toBe(NO_FACTS);
    expect(readAnnotation(readDaemonSet(puller()), after(9))).toBe(NO_FACTS);
  });
});
