/** `prepuller demo`: a commit, generate, a sync and the real controller on a simulated cluster, in one process, told as it happens. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { addVerboseFlag } from './command.ts';
import type { Call, Result } from './command.ts';
import { makeApp } from './demo-app.ts';
import { conclude, introduce } from './demo-introduction.ts';
import { createJudge } from './demo-judge.ts';
import { createNarrator } from './demo-narrator.ts';
import { createScreen } from './screen.ts';
import { brokenPromises, DEFAULT_STORY, HOOK, STORIES, storyOf } from './demo-stories.ts';
import { UserError } from './errors.ts';
import { Stopped } from './failure.ts';

export const endsBySignal = true;

/** How many times as fast as real time. */
const SPEED = 60;
/** No story takes longer, in simulated milliseconds. */
const LONGEST = 20 * 60_000;

export function configure(command: Command): void {
  addVerboseFlag(command);
  const scenario = new Option('--scenario <name>', 'what happens, see below').choices(Object.keys(STORIES));
  command.addOption(scenario.default(DEFAULT_STORY));
  const list = Object.entries(STORIES).map(([name, { summary }]) => `  ${name.padEnd(15)}${summary}\n`);
  const needs = 'No cluster is touched. Needs git and helm on the PATH. Exits 0 when it ends as promised.';
  const example = '  prepuller demo --scenario missing-image\n';
  command.addHelpText('after', `\nScenarios:\n${list.join('')}\n${needs} Example:\n${example}`);
}

export async function run(call: Call): Promise<Result> {
  const { options, signal } = call;
  const script = options.scenario as string;
  const folder = await mkdtemp(join(tmpdir(), 'prepuller-demo-'));
  try {
    await play(call, folder, script);
  } catch (error) {
    throw signal.reason instanceof Stopped
      ? new Stopped(signal.reason.signal, 'playing the demo', 'nothing of it is left')
      : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { stdout: '' };
}

async function play(call: Call, folder: string, script: string): Promise<void> {
  const { signal } = call;
  const story = storyOf(script);
  const screen = createScreen();
  screen.say(story.opening);
  const app = await makeApp(call, folder, story);
  const { namespace, before, after } = app;
  introduce(screen, story, app);
  const { startStage } = await import('../simulator/demo.ts');
  const stage = await startStage({ script, namespace, before, speed: SPEED });
  const { clock, url } = stage;
  const narrator = createNarrator(screen, clock);
  const judge = createJudge({ url, clock, namespace, kubeconfig: join(folder, 'kubeconfig'), ...narrator });
  try {
    if (story.controllerAfter === 0) judge.start();
    else clock.after(story.controllerAfter, judge.start);
    const endless = new AbortController();
    clock.after(LONGEST, () => {
      endless.abort(new UserError('the demo did not end as promised: the sync goes on and on'));
    });
    const outcome = await stage.sync(after, { ...narrator, signal: AbortSignal.any([signal, endless.signal]) });
    conclude(screen, story, { outcome, sees: narrator.awaiterSees() });
    const broken = brokenPromises(story, outcome, narrator.verdictOf(HOOK));
    if (broken.length > 0) throw new UserError(`the demo did not end as promised\n${broken.join('\n')}`);
  } finally {
    await judge.stop();
    await stage.stop();
  }
}
