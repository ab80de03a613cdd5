/** The demo's parts by themselves: a promise that is broken is told, health as health.lua gives it, time that waits for the machine, the board. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { pacedClock } from '../../simulator/demo-clock.ts';
import { healthOf } from '../../simulator/demo-health.ts';
import type { ApiObject } from '../../simulator/store.ts';
import { boardOf } from '../../src/board.ts';
import { brokenPromises, STORIES, storyOf } from '../../src/demo-stories.ts';
import type { NodeState, Verdict } from '../../src/verdict/verdict.ts';
import { ROOT } from '../commands/prepuller.ts';

function nodeState(node: string, state: NodeState['state'], reason: NodeState['reason'], message: string): NodeState {
  return { node, state, reason, message, row: 0, counts: false, inBase: true };
}

function verdictOf(reason: Verdict['reason'], nodes: NodeState[]): Verdict {
  const count = (state: NodeState['state']) => nodes.filter((one) => one.state === state).length;
  const [pulled, pulling, tolerated, failed] = [count('pulled'), count('pulling'), count('tolerated'), count('failed')];
  const counts = { eligible: nodes.length, pulled, pulling, tolerated, failed };
  return { health: 'Healthy', reason, message: '', counts, images: [], nodes, facts: {} as Verdict['facts'] };
}

describe('a promise', () => {
  const full = nodeState('user-04', 'tolerated', 'Unschedulable', 'full');

  test('that is kept', () => {
    const verdict = verdictOf('Pulled', []);
    expect(brokenPromises(storyOf('rate-limit'), { phase: 'Succeeded', message: '' }, verdict)).toEqual([]);
  });

  test('that is broken is told, in each point', () => {
    expect(
      brokenPromises(storyOf('tour'), { phase: 'Failed', message: '' }, verdictOf('ImageMissing', [full])),
    ).toEqual([
      'the sync: promised Succeeded, came Failed',
      'the verdict of the hook: promised Pulled, came ImageMissing',
      'tolerated: promised user-04, user-09, user-16, came user-04',
    ]);
  });

  test.each(Object.entries(STORIES))('%s: no verdict keeps none', (_name, story) => {
    expect(brokenPromises(story, { phase: story.promise.sync, message: '' }, undefined)).not.toEqual([]);
  });
});

describe('health is what health.lua gives', () => {
  interface Case {
    inputPath: string;
    healthStatus: { status: string; message: string };
  }
  const folder = join(ROOT, 'install/argocd');
  const { tests } = load(readFileSync(join(folder, 'health_test.yaml'), 'utf8')) as { tests: Case[] };
  // Not its other rules: the built-in one, and what no API server lets through.
  const pullers = tests.filter(({ inputPath }) =>
    /\/(hook|continuous|role)-(?!judge-builtin|no-generation)/.test(inputPath),
  );

  test('in enough cases', () => {
    expect(pullers.length).toBeGreaterThanOrEqual(30);
  });

  test.each(pullers)('$inputPath', ({ inputPath, healthStatus: { status, message } }) => {
    const object = load(readFileSync(join(folder, inputPath), 'utf8')) as ApiObject;
    expect(healthOf(object)).toEqual({ health: status, message });
  });
});

test('a machine that stands still holds simulated time up', async () => {
  const clock = pacedClock(60, 0);
  const ticked = Promise.withResolvers<undefined>();
  clock.run();
  clock.after(1_000, () => {
    ticked.resolve(undefined);
  });
  await ticked.promise;
  const before = clock.now();
  const end = performance.now() + 500;
  while (performance.now() < end);
  const after = Promise.withResolvers<undefined>();
  clock.after(1, () => {
    after.resolve(undefined);
  });
  await after.promise;
  await clock.stop();
  expect(clock.now() - before).toBeLessThan(5_000);
});

test('the board: every node, and why some are neither pulled nor at work', () => {
  const nodes = [
    nodeState('user-1', 'pulled', 'EveryImagePulled', 'every image is on the node'),
    nodeState('user-2', 'pulling', 'InProgress', 'at work'),
    nodeState('user-3', 'tolerated', 'Unschedulable', 'no place'),
    nodeState('user-4', 'failed', 'ImageMissing', 'not found'),
    nodeState('user-5', 'failed', 'ImageMissing', 'not found'),
  ];
  const standing = { time: '09:00:05', puller: 'hook', health: 'Progressing', message: '' } as const;
  const lines = boardOf({ ...standing, verdict: verdictOf('Pulling', nodes) }).map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
  expect(lines).toEqual([
    '',
    '09:00:05  hook  Progressing',
    '  ✔ 1 pulled  ↓ 1 pulling  ○ 1 tolerated  ✖ 2 failed',
    '',
    '  ✔ user-1    ↓ user-2    ○ user-3    ✖ user-4    ✖ user-5',
    '',
    '  ✖ 2 nodes  not found',
    '  ○ user-3  no place',
    '',
  ]);
});
