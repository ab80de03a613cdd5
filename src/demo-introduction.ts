/** What stands before and behind a sync in the demo: the commit, what generate makes of it, and what it all came to. */
import type { SyncOutcome } from '../simulator/demo.ts';
import type { DemoApp } from './demo-app.ts';
import type { Screen } from './screen.ts';
import type { Story } from './demo-stories.ts';

export function introduce(screen: Screen, { parameters }: Story, { commit, plan, images, took }: DemoApp): void {
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
  screen.say('');
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
