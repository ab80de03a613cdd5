/** The command `explain`: what it reads, whom it explains, what it says where something is missing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError, UserError } from '../../src/errors.ts';
import type { Warning } from '../../src/api/warning.ts';
import { event, node, pod, PREFIX, puller, pulledPod, stamp, unschedulable, type Raw } from '../verdict/cluster.ts';
import { explain } from './calls.ts';

const NOW = ['--now', stamp(60)];
const list = (items: Raw[], kind = 'List'): string => JSON.stringify({ apiVersion: 'v1', kind, items });

interface Answer {
  pullers: { namespace: string; name: string; health: string; nodes: { node: string; reason: string }[] }[];
  warnings: readonly Warning[];
}

async function answer(stdin: string, ...argv: string[]): Promise<Answer> {
  const { stdout, warnings = [] } = await explain(['--from', '-', '-o', 'json', ...NOW, ...argv], undefined, stdin);
  return { pullers: JSON.parse(String(stdout)) as Answer['pullers'], warnings };
}

const named = (name: string, options = {}): Raw => {
  const raw = puller({ uid: name, ...options });
  raw.metadata.name = name;
  return raw;
};
const names = async (items: Raw[], ...argv: string[]): Promise<string[]> =>
  (await answer(list(items), ...argv)).pullers.map(({ namespace, name }) => `${namespace}/${name}`);

describe('what it reads', () => {
  const objects = [puller(), pulledPod('n1'), node('n1'), event(puller(), 'x', 'y', 1)];
  test.each([
    ['a List in JSON', list(objects)],
    ['objects one after the other', objects.map((object) => JSON.stringify(object)).join('\n')],
    ['a YAML stream', objects.map((object) => JSON.stringify(object)).join('\n---\n')],
    [
      'typed lists',
      `${list([{ ...puller(), kind: undefined, apiVersion: undefined }], 'DaemonSetList')}\n${list([pulledPod('n1')], 'PodList')}`,
    ],
    ['with white space before it', `\n  ${list(objects)}`],
  ])('%s', async (_, text) => {
    expect((await answer(text)).pullers).toMatchObject([
      { health: 'Healthy', nodes: [{ node: 'n1', reason: 'EveryImagePulled' }] },
    ]);
  });

  test('several files, one of them standard input', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'explain-'));
    try {
      writeFileSync(join(folder, 'ds.json'), list([puller()]));
      writeFileSync(join(folder, 'pods.yaml'), JSON.stringify(pulledPod('n1')));
      const { stdout } = await explain(
        ['--from', 'ds.json', '--from', 'pods.yaml', '--from', '-'],
        folder,
        list([node('n1')]),
      );
      expect(stdout).toContain('jhub/hook-image-puller  Healthy (Pulled)');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    ['a saved list to watch', ['--from', '-', '--watch'], '{}', UsageError],
    ['a file that is not there', ['--from', 'nothing-here.json'], '', UsageError],
    ['a time that is none', ['--from', '-', '--now', 'yesterday'], '{}', UsageError],
    ['a day without a time', ['--from', '-', '--now', '2026-01-10'], '{}', UsageError],
    ['broken text', ['--from', '-'], '{"password": hunter2', UserError],
  ])('refuses %s', async (_, argv, stdin, kind) => {
    const failure = await explain(argv, undefined, stdin).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(kind);
    expect(String(failure)).not.toContain('hunter2');
  });

  test('without --now it is the present', async () => {
    const { stdout } = await explain(
      ['--from', '-'],
      undefined,
      list([puller(), pod('n1'), node('n1'), event(puller(), 'x', 'y', 1)]),
    );
    expect(stdout).toContain('Degraded (DeadlineExceeded)');
  });
});

describe('whom it explains', () => {
  const chart = named('chart', { role: 'none' });
  chart.metadata.labels = { 'app.kubernetes.io/component': 'continuous-image-puller' };
  const old = named('old-chart', { role: 'none' });
  old.metadata.labels = { component: 'hook-image-puller' };
  const any = named('fluentd', { role: 'none' });
  const ours = [named('hook'), named('continuous', { role: 'continuous' })];
  test.each([
    ['those with our label', [any, chart, ...ours], [], ['jhub/continuous', 'jhub/hook']],
    ['the chart’s own when none has it', [any, old, chart], [], ['jhub/chart', 'jhub/old-chart']],
    ['a prerequisite is no puller', [any, named('x', { role: 'prerequisite' })], [], ['jhub/fluentd', 'jhub/x']],
    ['whoever is named', [any, chart, ...ours], ['fluentd', 'jhub/chart'], ['jhub/chart', 'jhub/fluentd']],
    ['nobody in another namespace', [any, ...ours], ['else/hook'], []],
    ['nobody', [], [], []],
  ])('%s', async (_, items, argv, expected) => {
    expect(await names(items, ...argv)).toEqual(expected);
  });

  test('nobody, in words', async () => {
    const { stdout } = await explain(['--from', '-'], undefined, list([]));
    expect(stdout).toMatch(/^No puller found\. .*is this the cluster of the hub\?\n$/);
  });

  test('a name that no DaemonSet has is said, beside one that is there', async () => {
    const { pullers, warnings } = await answer(list([any, ...ours]), 'fluentd', 'jhub/fluent');
    expect(pullers.map(({ name }) => name)).toEqual(['fluentd']);
    expect(warnings).toContainEqual({ message: 'no DaemonSet has that name', fields: { name: 'jhub/fluent' } });
    expect(warnings.filter(({ message }) => message.startsWith('no DaemonSet'))).toHaveLength(1);
  });
});

describe('what it says where something is missing', () => {
  const kinds = (warnings: readonly Warning[]): (string | undefined)[] =>
    warnings.map(({ fields }) => fields.kind ?? fields.problem);
  test('Nodes and Events', async () => {
    expect(kinds((await answer(list([puller()]))).warnings)).toEqual(['Node', 'Event']);
    expect(kinds((await answer(list([puller(), node('n1'), event(puller(), 'x', 'y', 1)]))).warnings)).toEqual([]);
  });
  test('all there is to explain', async () => {
    expect(kinds((await answer(list([]))).warnings)).toEqual(['DaemonSet', 'Node', 'Event']);
  });
  test.each([
    ['one of several files is broken', ['-', '-'], /^file 1 of 2: document 1, line 2: /, UserError],
    ['the only file is broken', ['-'], /^document 1, line 2: /, UserError],
    [
      'one of several files is not there',
      ['nowhere', '-'],
      /^--from: file 1 of 2 cannot be read \(ENOENT\)$/,
      UsageError,
    ],
  ])('%s', async (_, files, message, kind) => {
    const failed = explain(
      files.flatMap((file) => ['--from', file]),
      undefined,
      'a: [b',
    );
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toBeInstanceOf(kind);
  });
  test('without Events silence proves nothing, without Nodes no node is gone', async () => {
    const silent = [puller(), pod('n1', { sandbox: null })];
    const reason = async (items: Raw[]): Promise<string | undefined> =>
      (await answer(list(items), '--now', stamp(90))).pullers[0]?.nodes[0]?.reason;
    expect(await reason(silent)).toBe('InProgress');
    expect(await reason([...silent, event(puller(), 'x', 'y', 1)])).toBe('CannotStartPods');
    expect(await reason([...silent, node('n2')])).toBe('NodeGone');
    expect(await reason([...silent, node('n1')])).toBe('InProgress');
    expect(await reason([puller(), pod('n1', { pending: true }), node('n2')])).toBe('InProgress');
  });
  test('a policy that is not understood', async () => {
    const odd = puller({ annotations: { [`${PREFIX}/deadline`]: 'soon' } });
    expect(kinds((await answer(list([odd]))).warnings)[2]).toContain('deadline takes a duration');
  });
  test('the policy on the object is used', async () => {
    const strict = puller({ annotations: { [`${PREFIX}/deadline`]: '10s' } });
    expect((await answer(list([strict, pod('n1')]))).pullers[0]?.health).toBe('Degraded');
  });
  test('events and facts of other namespaces are not taken', async () => {
    const silent = [puller(), pod('n1', { sandbox: null })];
    const reasonWith = async (more: Raw): Promise<string | undefined> =>
      (await answer(list([...silent, event(puller(), 'x', 'y', 1), more]), '--now', stamp(90))).pullers[0]?.nodes[0]
        ?.reason;
    const pulling = event(silent[1]!, 'Pulling', 'Pulling image "quay.io/a/nb:1"', 2);
    expect(await reasonWith(pulling)).toBe('InProgress');
    pulling.involvedObject.namespace = 'else';
    expect(await reasonWith(pulling)).toBe('CannotStartPods');
    const full = unschedulable('n1', '1 Too many pods', 50);
    const remembered = { at: stamp(50), uid: 'other', turnedAway: [['n1', Date.parse(stamp(1)), false]] };
    const carrier = named('other', {
      role: 'continuous',
      annotations: { [`${PREFIX}/verdict`]: JSON.stringify(remembered) },
    });
    const health = async (): Promise<string | undefined> =>
      (await answer(list([puller(), full, carrier]), 'hook-image-puller')).pullers[0]?.health;
    expect(await health()).toBe('Progressing');
    remembered.turnedAway = [['n1', Date.parse(stamp(0)), false]];
    carrier.metadata.annotations[`${PREFIX}/verdict`] = JSON.stringify(remembered);
    expect(await health()).toBe('Healthy');
    carrier.metadata.namespace = 'else';
    expect(await health()).toBe('Progressing');
  });
  test('objects of other namespaces are not taken', async () => {
    const foreign = pulledPod('n1');
    foreign.metadata.namespace = 'else';
    expect((await answer(list([puller(), foreign]))).pullers[0]?.nodes).toEqual([]);
  });
});

test('nothing in the list can steer a terminal', async () => {
  const raw = pulledPod('\u001b[31mn1');
  const { stdout } = await explain(['--from', '-', ...NOW], undefined, list([named('\u001b]0;x'), puller(), raw]));
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});
