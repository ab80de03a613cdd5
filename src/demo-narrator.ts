/** Tells a sync while it happens: on a terminal by a board that is drawn over, else by a line for everything that changes. */
import type { Stage, SyncListener, SyncStep } from '../simulator/demo.ts';
import type { Health } from './api/reasons.ts';
import { boardOf, HEALTH_TONES, remarksOn } from './board.ts';
import type { Screen, Tone } from './screen.ts';
import { HOOK } from './demo-stories.ts';
import { headline } from './verdict/message.ts';
import type { Verdict } from './verdict/verdict.ts';

export interface Narrator extends Omit<SyncListener, 'signal'> {
  judged: (puller: string, verdict: Verdict) => void;
  /** Something that happens now. */
  note: (text: string) => void;
  /** The last verdict of a puller; the first final one of the hook. */
  verdictOf: (puller: string) => Verdict | undefined;
  /** What the chart's awaiter looks at, as it stood when Argo CD last looked at the hook. */
  awaiterSees: () => { ready: number; scheduled: number };
}

/** The puller that is waited for, as Argo CD sees it. */
interface Waiting {
  puller: string;
  health: Health;
  message: string;
}

type Note = (text: string, word?: string, tone?: Tone) => void;

/** Simulated milliseconds: between two drawings, between two lines of progress, until a missing verdict is worth a line. */
const FRAME = 5_000;
const LINE_EVERY = 30_000;
const SILENCE = 15_000;
/** So few nodes are named. */
const NAMED = 2;

export function createNarrator(screen: Screen, clock: Stage['clock']): Narrator {
  const verdicts = new Map<string, Verdict>();
  const time = (): string => new Date(clock.now()).toISOString().slice(11, 19);
  const note: Note = (text, word, tone) => {
    const spans = [{ text: time() }, ...(word === undefined ? [] : [{ text: word, tone }])];
    screen.say(text, spans);
  };
  const tellProgress = createTeller(note, clock);
  let waiting: Waiting | undefined;
  let sees = { ready: 0, scheduled: 0 };

  function draw(): void {
    if (waiting === undefined) return;
    screen.draw(boardOf({ time: time(), ...waiting, verdict: verdicts.get(waiting.puller) }));
    clock.after(FRAME, draw);
  }

  function begin({ puller, message }: Waiting): void {
    if (screen.isInteractive) draw();
    clock.after(SILENCE, () => {
      if (!verdicts.has(puller)) note(`${puller}: ${message}`, 'Progressing', HEALTH_TONES.Progressing);
    });
  }

  /** The hook's message in full, as Argo CD shows it; another puller says much the same. */
  function end({ puller, health, message }: Waiting): void {
    if (puller === HOOK && screen.isInteractive) draw();
    waiting = undefined;
    if (puller === HOOK) screen.keep();
    else screen.draw([]);
    const text = puller === HOOK || health === 'Degraded' ? message : message.replace(/:.*/, '');
    note(`${puller}: ${text}`, health, HEALTH_TONES[health]);
  }

  return {
    step(step) {
      note(stepText(step));
    },
    waiting(object, health, message) {
      const { name } = object.metadata;
      const isNew = waiting === undefined;
      waiting = { puller: name, health, message };
      const { numberReady = 0, currentNumberScheduled = 0 } = object.status ?? {};
      if (name === HOOK) sees = { ready: Number(numberReady), scheduled: Number(currentNumberScheduled) };
      if (health !== 'Progressing') end(waiting);
      else if (isNew) begin(waiting);
    },
    judged(puller, verdict) {
      const isFinal = puller === HOOK && (verdicts.get(puller)?.health ?? 'Progressing') !== 'Progressing';
      if (!isFinal) verdicts.set(puller, verdict);
      if (puller === waiting?.puller && !screen.isInteractive) tellProgress(verdict);
    },
    note,
    verdictOf: (puller) => verdicts.get(puller),
    awaiterSees: () => sees,
  };
}

/** For a log: what befalls a node once, the counts when they change, though not more often than can be read. */
function createTeller(note: Note, clock: Stage['clock']): (verdict: Verdict) => void {
  const told = new Set<string>();
  let last = { line: '', at: -Infinity };
  return ({ nodes, counts }) => {
    for (const { state, who, why } of remarksOn(nodes)) {
      const key = state === 'pulling' ? why : who;
      if (!told.has(key)) note(`${who} ${state}: ${why}`);
      told.add(key);
    }
    const line = headline(counts);
    if (line === last.line || clock.now() - last.at < LINE_EVERY) return;
    last = { line, at: clock.now() };
    const pulling = nodes.filter(({ state }) => state === 'pulling').map(({ node }) => node);
    note(pulling.length > 0 && pulling.length <= NAMED ? `${line}: still at work ${pulling.join(', ')}` : line);
  };
}

function stepText({ phase, wave, objects }: SyncStep): string {
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  if (phase === 'PreSync') return `PreSync, wave ${wave}: ${names.join(', ')}`;
  if (phase === 'Sync') return `Sync: the other ${names.length} objects, the hub with the new image among them`;
  return `Deleted again: ${names.join(', ')}`;
}
