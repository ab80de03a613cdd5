/** In every scenario of the demo, whenever a verdict is written: condition, Argo CD's Lua health, page and metrics say the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startStage } from '../../simulator/demo.ts';
import type { ApiObject } from '../../simulator/store.ts';
import { PULLED_CONDITION, VERDICT_ANNOTATION } from '../../src/api/names.ts';
import { NODE_STATES } from '../../src/api/reasons.ts';
import type { Call } from '../../src/command.ts';
import { makeApp } from '../../src/demo-app.ts';
import { createJudge } from '../../src/demo-judge.ts';
import { servePage } from '../../src/demo-page.ts';
import { endless, STORIES, storyOf } from '../../src/demo-stories.ts';
import { createLog } from '../../src/log.ts';
import type { KubeClient } from '../../src/watch/kube-api.ts';
import { ROOT } from '../commands/prepuller.ts';
import { runLua } from '../install/sandbox.ts';

const home = pathToFileURL(`${ROOT}/`);
/** Times as fast as real time: the steps are what counts. */
const SPEED = 240;
const TIME_LIMIT = 60_000;
const HEALTHS: Readonly<Record<string, string>> = { True: 'Healthy', False: 'Degraded', Unknown: 'Progressing' };

/** What one of the four says. */
interface Said {
  health: string;
  reason: string;
  message: string;
  counts: Record<string, number>;
}

/** The answer to a patch carries the object as Argo CD then sees it; until it is handed on, no look at that puller begins. */
function stoppingAt(client: KubeClient, step: (object: ApiObject) => Promise<void>): KubeClient {
  return {
    ...client,
    async patch(path, body, signal) {
      const answer = (await client.patch(path, body, signal)) as ApiObject;
      if (path.endsWith('/status')) await step(answer);
      return answer;
    },
  };
}

function conditionSays(object: ApiObject): Said {
  const conditions = object.status?.conditions as { type: string; status: string; reason: string; message: string }[];
  const { status, reason, message } = conditions.find(({ type }) => type === PULLED_CONDITION)!;
  const annotation = JSON.parse(object.metadata.annotations![VERDICT_ANNOTATION]!) as { counts: Said['counts'] };
  return { health: HEALTHS[status] ?? status, reason, message, counts: byState(annotation.counts) };
}

function byState(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(NODE_STATES.map((state) => [state, counts[state] ?? 0]));
}

async function pageSays(address: string, { metadata: { namespace, name } }: ApiObject): Promise<Said> {
  const answer = await fetch(`${address}api/v1/pulls`);
  const { pulls } = (await answer.json()) as { pulls: (Said & { namespace: string; name: string })[] };
  const { health, reason, message, counts } = pulls.find((one) => one.namespace === namespace && one.name === name)!;
  return { health, reason, message, counts: byState(counts) };
}

async function metricsSay(address: string, { metadata: { name } }: ApiObject): Promise<Omit<Said, 'message'>[]> {
  const text = await (await fetch(`${address}metrics`)).text();
  const series = text.split('\n').filter((line) => line.includes(`name="${name}"`));
  const failed = series.find((line) => line.startsWith('prepull_failed'))?.endsWith(' 1');
  const counts = Object.fromEntries(
    series.flatMap((line) => {
      const [, state, count] = /^prepull_nodes.*state="(\w+)"} (\d+)$/.exec(line) ?? [];
      return state === undefined ? [] : [[state, Number(count)]];
    }),
  );
  return series.flatMap((line) => {
    const [, health = '', reason = ''] = /^prepull_verdict.*health="(\w+)",reason="(\w+)"} 1$/.exec(line) ?? [];
    // The alert asks the one, the table the other.
    return health === '' ? [] : [{ health: failed === true ? 'Degraded' : health, reason, counts }];
  });
}

/** Plays it, and tells what the condition said at each step, once the others are found to say the same. */
async function play(name: string, folder: string): Promise<Said[]> {
  const story = storyOf(name);
  const signal = AbortSignal.timeout(TIME_LIMIT);
  const log = createLog(false, () => undefined);
  const call = { args: [], options: {}, flags: {}, env: process.env, folder, home, signal, log } as unknown as Call;
  const { namespace, before, after } = await makeApp(call, folder, story);
  const stage = await startStage({ script: name, namespace, before, speed: SPEED });
  const page = await servePage(home, stage.clock);
  const steps: Said[] = [];
  const differences: unknown[] = [];
  const asked: Promise<void>[] = [];
  const ask = async (object: ApiObject): Promise<void> => {
    const condition = conditionSays(object);
    const { health, reason, message, counts } = condition;
    const lua = runLua('health.lua', object);
    const all = { lua, page: await pageSays(page.address, object), metrics: await metricsSay(page.address, object) };
    const wanted = { lua: { status: health, message }, page: condition, metrics: [{ health, reason, counts }] };
    steps.push(condition);
    if (JSON.stringify(sorted(all)) !== JSON.stringify(sorted(wanted))) differences.push({ all, wanted });
  };
  const step = (object: ApiObject): Promise<void> => {
    const answer = ask(object);
    asked.push(answer);
    return answer;
  };
  const judge = createJudge({
    url: stage.url,
    clock: stage.clock,
    namespace,
    kubeconfig: join(folder, 'kubeconfig'),
    page: { ...page, counting: (client) => stoppingAt(page.counting(client), step) },
    judged: () => undefined,
    note: () => undefined,
  });
  try {
    if (story.controllerAfter === 0) judge.start();
    else stage.clock.after(story.controllerAfter, judge.start);
    const nothing = (): void => undefined;
    const { phase } = await stage.sync(after, { step: nothing, waiting: nothing, signal: endless(stage.clock) });
    expect(phase).toBe(story.promise.sync);
    // The last verdict ends the sync while it is still asked about.
    await Promise.all(asked);
  } finally {
    await page.stop();
    await judge.stop();
    await stage.stop();
  }
  expect(differences).toEqual([]);
  return steps;
}

/** Keys in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}

const scratch = mkdtempSync(join(tmpdir(), 'prepuller-agreement-'));
const played: Said[] = [];
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

test.concurrent.each(Object.keys(STORIES))(
  '%s: the four agree at every step',
  async (name) => {
    const steps = await play(name, mkdtempSync(join(scratch, 'demo-')));
    expect(steps.length).toBeGreaterThanOrEqual(3);
    const end = storyOf(name).promise.sync === 'Succeeded' ? 'Healthy' : 'Degraded';
    expect(steps.map(({ health }) => health)).toContain(end);
    played.push(...steps);
  },
  TIME_LIMIT,
);

test('steps of every health were among them', () => {
  expect(new Set(played.map(({ health }) => health))).toEqual(new Set(['Healthy', 'Progressing', 'Degraded']));
  expect(played.some(({ counts }) => (counts.tolerated ?? 0) > 0)).toBe(true);
});
