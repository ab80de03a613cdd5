/** `prepuller demo`: a commit, generate, a sync and the real controller on a simulated cluster, in one process, told as it happens. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { addVerboseFlag } from './command.ts';
import type { Call, Result } from './command.ts';
import { makeApp } from './demo-app.ts';
import { conclude, helpText, introduce } from './demo-introduction.ts';
import { createJudge } from './demo-judge.ts';
import { createNarrator } from './demo-narrator.ts';
import { servePage } from './demo-page.ts';
import { createScreen } from './screen.ts';
import { brokenPromises, DEFAULT_STORY, endless, HOOK, STORIES, storyOf } from './demo-stories.ts';
import { UserError } from './errors.ts';
import { Stopped } from './failure.ts';

export const endsBySignal = true;

/** How many times as fast as real time. */
const SPEED = 60;

export function configure(command: Command): void {
  addVerboseFlag(command);
  const scenario = new Option('--scenario <name>', 'what happens, see below').choices(Object.keys(STORIES));
  command.addOption(scenario.default(DEFAULT_STORY));
  command.option('--stay', 'keep the page up after the end, until a signal');
  command.addHelpText('after', helpText());
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
  const { startStage } = await import('../simulator/demo.ts');
  const stage = await startStage({ script, namespace, before, speed: SPEED });
  const { clock, url } = stage;
  const page = await servePage(call.home, clock);
  introduce(screen, story, { app, address: page.address });
  const narrator = createNarrator(screen, clock);
  const judge = createJudge({ url, clock, namespace, kubeconfig: join(folder, 'kubeconfig'), page, ...narrator });
  try {
    if (story.controllerAfter === 0) judge.start();
    else clock.after(story.controllerAfter, judge.start);
    const outcome = await stage.sync(after, { ...narrator, signal: AbortSignal.any([signal, endless(clock)]) });
    conclude(screen, story, { outcome, sees: narrator.awaiterSees() });
    const broken = brokenPromises(story, outcome, narrator.verdictOf(HOOK));
    if (broken.length > 0) throw new UserError(`the demo did not end as promised\n${broken.join('\n')}`);
    if (call.options.stay === true) await page.stay(screen, signal);
  } finally {
    await page.stop();
    await judge.stop();
    await stage.stop();
  }
}
