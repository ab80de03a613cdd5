/** The continuous puller's class over what the chart renders (evidence P-01, P-02): chosen, never dangling, warned about when equal. */
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { podSpecOf } from '../../src/manifest/pod-spec.ts';
import { find, hubRender, phaseOf, run, type HubParts } from './hub-objects.ts';

interface Seen {
  className: string | undefined;
  /** Value of the class of ours, where one was added. */
  emitted: unknown;
  messages: string[];
}

function seen(parts: HubParts, continuousPriority: string, emitPriorityClass = true): Seen {
  const { objects, warnings } = run(hubRender(parts), { gate: 'none', continuousPriority, emitPriorityClass });
  const className = podSpecOf(find(objects, 'DaemonSet', 'continuous-image-puller'))!.spec.priorityClassName;
  const emitted = objects.find(isOurs);
  if (emitted !== undefined) expect(emitted.metadata.name).toBe(className);
  return {
    className,
    emitted: emitted?.value,
    messages: warnings.map(({ message }) => message).filter((message) => !message.includes('tag')),
  };
}

function isOurs(object: KubeObject): boolean {
  return (
    object.kind === 'PriorityClass' && object.metadata.labels?.['argocd-prepuller.github.io/role'] === 'prerequisite'
  );
}

const ON = { podPriority: true };
const BOTH = { podPriority: true, placeholders: 0 };
const OURS = expect.stringMatching(/^science-jhub-priority-(minus-)?\d+-[0-9a-f]{8}$/) as string;

const CHOICES = [
  {
    what: 'placeholders rendered',
    parts: BOTH,
    setting: 'placeholder',
    emit: true,
    className: 'hub-user-placeholder-priority',
    value: undefined,
  },
  {
    what: 'placeholders rendered',
    parts: BOTH,
    setting: 'above-placeholder',
    emit: true,
    className: 'hub-image-puller-priority',
    value: undefined,
  },
  { what: 'no placeholder class', parts: ON, setting: 'placeholder', emit: true, className: OURS, value: -10 },
  {
    what: 'no placeholder class',
    parts: ON,
    setting: 'above-placeholder',
    emit: true,
    className: 'hub-image-puller-priority',
    value: undefined,
  },
  { what: 'podPriority off', parts: {}, setting: 'placeholder', emit: true, className: OURS, value: -10 },
  { what: 'podPriority off', parts: {}, setting: 'above-placeholder', emit: true, className: OURS, value: -5 },
  { what: 'podPriority off', parts: {}, setting: 'chart', emit: true, className: undefined, value: undefined },
  { what: 'podPriority off', parts: {}, setting: 'mine', emit: true, className: 'mine', value: undefined },
  {
    what: 'no placeholder class, none may be emitted',
    parts: ON,
    setting: 'placeholder',
    emit: false,
    className: 'hub-image-puller-priority',
    value: undefined,
  },
  {
    what: 'podPriority off, none may be emitted',
    parts: {},
    setting: 'placeholder',
    emit: false,
    className: undefined,
    value: undefined,
  },
  {
    what: 'placeholders rendered, none may be emitted',
    parts: BOTH,
    setting: 'placeholder',
    emit: false,
    className: 'hub-user-placeholder-priority',
    value: undefined,
  },
];

test.each(CHOICES)('$what, $setting, emit $emit: $className', ({ parts, setting, emit, className, value }) => {
  const found = seen(parts, setting, emit);
  expect(found).toMatchObject({ className, emitted: value });
  const isRefused = found.messages.some((message) => message.startsWith('no PriorityClass may be emitted'));
  expect(isRefused).toBe(!emit && parts !== BOTH);
});

test.each([
  [-10, 0, -5],
  [-10, -9, -9],
  [-100, 50, -25],
  [-1, 0, 0],
  [5, 5, 5],
  [20, 5, 5],
])('placeholders at %d, users at %d: above-placeholder is %d, never above users', (placeholder, user, value) => {
  const render = hubRender(BOTH)
    .filter(({ metadata }) => metadata.name !== 'hub-image-puller-priority')
    .map((object) => {
      if (object.metadata.name === 'hub-user-placeholder-priority') return { ...object, value: placeholder };
      return object.metadata.name === 'hub-default-priority' ? { ...object, value: user } : object;
    });
  const { objects } = run(render, { gate: 'wave' });
  expect(objects.find(isOurs)?.value).toBe(value);
});

test('a class of ours comes a wave before its puller and is the default of nothing', () => {
  const { objects } = run(hubRender(), { gate: 'wave' });
  const emitted = objects.find(isOurs)!;
  expect(phaseOf(emitted)).toBe('Sync -2');
  expect(emitted.globalDefault).toBe(false);
});

describe('placeholders at the puller’s own priority', () => {
  const message = expect.stringContaining('set continuous-priority to above-placeholder') as string;

  test.each<[number, string, boolean]>([
    [5, 'placeholder', true],
    [5, 'auto', true],
    [5, 'above-placeholder', false],
    [5, 'chart', false],
    [5, 'hub-user-placeholder-priority', true],
    [0, 'placeholder', false],
  ])('%d replicas, %s: warned %s', (placeholders, setting, isWarned) => {
    const { messages } = seen({ podPriority: true, placeholders }, setting);
    expect(messages).toEqual(isWarned ? [message] : []);
  });

  test('in classes that are made elsewhere nothing is known to be equal', () => {
    const render = hubRender({ podPriority: true, placeholders: 5 }).filter(({ kind }) => kind !== 'PriorityClass');
    const { warnings } = run(render, { gate: 'none', continuousPriority: 'made-elsewhere' });
    expect(warnings.filter(({ message }) => message.includes('placeholders'))).toEqual([]);
  });

  test('without a class they run at the cluster’s default, above the puller', () => {
    expect(seen({ placeholders: 3 }, 'placeholder').messages).toEqual([]);
  });
});
