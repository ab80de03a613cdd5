/** What stands before and behind a sync in the demo: the commit, what generate makes of it, and what it all came to. */
import type { SyncOutcome } from '../simulator/demo.ts';
import type { DemoApp } from './demo-app.ts';
import type { Screen } from './screen.ts';
import { STORIES } from './demo-stories.ts';
import type { Story } from './demo-stories.ts';

export function introduce(
  screen: Screen,
  { parameters }: Story,
  { app: { commit, plan, images, took }, address }: { app: DemoApp; address: string },
): void {
  const flags = parameters.map(({ name, string }) => ` --${name} ${string}`).join('');
  screen.say('');
  screen.say(`$ git show ${commit.hash.slice(0, 8)}  # ${commit.subject}`);
  for (const line of commit.lines) screen.say(`    ${line}`);
  screen.say(`$ prepuller generate${flags}  # as Argo CD calls it; it took ${(took / 1000).toFixed(1)} s`);
  screen.say(`    ${plan}`);
  for (const image of images) screen.say(`    pulls ${image}`);
  screen.say('');
  screen.say(
    'Argo CD syncs. From here on all is simulated but the controller; the clock runs up to sixty times as fast as yours.',
  );
  screen.say(`The controller's page, live: ${address}`);
  screen.say('');
}

export function helpText(): string {
  const list = Object.entries(STORIES).map(([name, { summary }]) => `  ${name.padEnd(15)}${summary}\n`);
  const needs = 'No cluster is touched. Needs git and helm on the PATH. Exits 0 when it ends as promised.';
  const examples = '  prepuller demo --scenario missing-image\n  prepuller demo --stay\n';
  return `\nScenarios:\n${list.join('')}\n${needs} Example:\n${examples}`;
}

/** `sees`: what the chart's awaiter would have looked at in the end. */
export function conclude(
  screen: Screen,
  { withoutUs }: Story,
  { outcome, sees }: { outcome: SyncOutcome; sees: { ready: number; scheduled: number } },
): void {
  const failed = 'The sync failed. Nothing of the hub was changed: users start on the image they had.';
  screen.say('');
  screen.say(outcome.phase === 'Failed' ? failed : 'The sync succeeded. Users start on the new image.');
  if (withoutUs !== undefined) screen.say(withoutUs(sees.ready, sees.scheduled));
}
