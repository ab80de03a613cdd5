/**
 * The reconciler put together: picture, queue, Lease and writer, started and stopped as one. Everything that waits or asks takes its
 * time, chance and cluster from here.
 */
import { CONTRACT_ANNOTATION, CONTRACT_VERSION } from '../api/names.ts';
import { readPolicy } from '../api/policy.ts';
import type { DaemonSet, Event } from '../verdict/snapshot.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Clock } from './clock.ts';
import { createEventLookup } from './event-lookup.ts';
import { KeyQueue } from './key-queue.ts';
import { codeOf } from './kube-api.ts';
import type { KubeClient } from './kube-api.ts';
import { contend } from './lease.ts';
import type { Leadership } from './lease.ts';
import { createNodeLookup } from './node-lookup.ts';
import { createNodeMarks } from './node-marks.ts';
import type { NodeMarks } from './node-marks.ts';
import { keyOf } from './object-cache.ts';
import { permitting } from './permission.ts';
import type { Permitted } from './permission.ts';
import { createPicture } from './picture.ts';
import type { Picture } from './picture.ts';
import { createReconciler } from './reconcile.ts';
import { createStatusWriter } from './status-writer.ts';

/** Static messages; the data stands in the fields. */
export type Remark = (level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>) => void;

export interface ControllerOptions {
  client: KubeClient;
  clock: Clock;
  /** Numbers from 0 up to 1. */
  random: () => number;
  /** Undefined: all. */
  namespaces: readonly string[] | undefined;
  /** Only the puller of this name. */
  name?: string;
  /** Absent: verdicts are told and nothing is written. */
  writing?: { identity: string; leaseNamespace: string; leaseName: string; marksNodes?: boolean };
  judged: (daemonSet: DaemonSet, verdict: Verdict) => void;
  gone: (key: string) => void;
  /** A `Pulling` or `Pulled` event of a pod of ours came. */
  heard?: (event: Event) => void;
  /** A list became whole, or a watch broke. */
  changed?: () => void;
  remark: Remark;
}

export interface ControllerState {
  /** Milliseconds since every collection was heard of; undefined before all are known. */
  pictureAge: number | undefined;
  leading: boolean;
  /** The Lease can be read and written. */
  leaseKnown: boolean;
  /** Keys that run or wait. */
  queued: number;
  /** Milliseconds that the look under way longest has taken so far. */
  longestLook: number;
}

export interface Controller {
  state(): ControllerState;
  picture: Picture;
  /** Ends watches and timers, gives the Lease back; resolves when everything has ended. */
  stop(): Promise<void>;
}

export function startController(options: ControllerOptions): Controller {
  const { client, clock, random, remark } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const explaining = (what: string): Permitted => permitting({ client, clock, signal, failed: teller(remark, what) });
  const watching = { client, clock, random, signal, failed: teller(remark, 'watch') };
  const queue = new KeyQueue({
    clock,
    random,
    work: (key) => reconciler.reconcile(key),
    failed: (key, error) => {
      remark('warn', 'a look at a puller failed and is made again', { key, ...errorFields(error) });
    },
  });
  const touched = (key: string): void => {
    queue.add(key);
  };
  const { namespaces, name, changed = () => undefined } = options;
  const picture = createPicture({ namespaces, name, watching, touched, changed });
  const everyPuller = (namespace?: string): void => {
    const pullers = namespace === undefined ? picture.pullers() : picture.pullersIn(namespace);
    for (const puller of pullers) touched(keyOf(puller));
  };
  const isLeader = (): boolean => leadership.isLeader();
  const marksNodes = options.writing?.marksNodes === true;
  const marking = { ...watching, picture, isLeader, failed: teller(remark, 'marks') };
  const marks = marksNodes ? createNodeMarks(marking) : undefined;
  const leadership = lead(options, signal, (leading) => {
    remark('info', leading ? 'this replica writes verdicts now' : 'this replica writes no verdicts any more', {});
    if (leading) marks?.begin();
    reconciler.begin();
    everyPuller();
  });
  const reconciler = createReconciler({
    clock,
    picture,
    nodes: createNodeLookup(explaining('nodes')),
    events: createEventLookup({
      permitted: explaining('events'),
      watching: { ...watching, failed: teller(remark, 'events') },
      pulled: ({ uid }) => picture.hasPod(uid),
      heard: options.heard,
      changed: everyPuller,
    }),
    writer: options.writing && createStatusWriter(client, clock, signal),
    announcing: explaining('announcements'),
    isLeader,
    touched,
    ...withRemarks(options, marks),
  });
  return {
    picture,
    state: () => stateOf({ picture, leadership, queue, clock }),
    async stop() {
      queue.stop();
      stopping.abort();
      await Promise.all([picture.done, leadership.done]);
    },
  };
}

const ALONE: Leadership = { isLeader: () => true, failure: () => undefined, done: Promise.resolve() };

function lead(options: ControllerOptions, signal: AbortSignal, changed: (leading: boolean) => void): Leadership {
  const { client, clock, random, writing, remark } = options;
  if (writing === undefined) return ALONE;
  const { identity, leaseNamespace: namespace, leaseName: name } = writing;
  return contend({
    client,
    clock,
    random,
    namespace,
    name,
    identity,
    signal,
    changed,
    failed: teller(remark, 'lease'),
  });
}

/** Says, once for each generation, what in a puller's annotations is not understood; and lets nodes be marked. */
function withRemarks(
  { judged, gone, remark }: ControllerOptions,
  marks: NodeMarks | undefined,
): Pick<ControllerOptions, 'judged' | 'gone'> {
  const read = new Map<string, number>();
  return {
    judged(daemonSet, verdict) {
      if (read.get(keyOf(daemonSet)) !== daemonSet.generation) remarkOn(daemonSet, remark);
      read.set(keyOf(daemonSet), daemonSet.generation);
      judged(daemonSet, verdict);
      marks?.judged(daemonSet, verdict);
    },
    gone(key) {
      read.delete(key);
      marks?.gone(key);
      gone(key);
    },
  };
}

function remarkOn({ namespace, name, annotations }: DaemonSet, remark: Remark): void {
  const puller = `${namespace}/${name}`;
  for (const problem of readPolicy(Object.fromEntries(annotations)).problems) {
    remark('warn', 'a policy annotation is not understood; its default is used', { puller, problem });
  }
  const version = annotations.get(CONTRACT_ANNOTATION);
  if (version === undefined || version === CONTRACT_VERSION) return;
  remark('warn', 'the puller was written by another version; some of it may not be understood', { puller, version });
}

interface StateParts {
  picture: Picture;
  leadership: Leadership;
  queue: KeyQueue;
  clock: Clock;
}

function stateOf({ picture, leadership, queue, clock }: StateParts): ControllerState {
  return {
    pictureAge: picture.age(),
    leading: leadership.isLeader(),
    leaseKnown: leadership.failure() === undefined,
    queued: queue.size,
    longestLook: clock.now() - (queue.oldestRun ?? clock.now()),
  };
}

const LOST: Readonly<Record<string, string>> = {
  watch: 'a list or watch broke off and begins anew; nothing is judged meanwhile',
  lease: 'the Lease cannot be renewed',
  nodes: 'nodes cannot be read: verdicts cannot name nodes that are not ready, late or leaving',
  events: 'events cannot be read: verdicts may lack the cause of a failure',
  announcements: 'events cannot be written on pullers',
  marks: 'nodes cannot be marked; verdicts do not depend on it',
};

/** Equal failures in a row are told once. */
function teller(remark: Remark, what: string): (error: unknown) => void {
  let last = '';
  return (error) => {
    const fields = errorFields(error);
    const text = JSON.stringify(fields);
    if (text === last) return;
    last = text;
    remark('warn', LOST[what] ?? what, fields);
  };
}

function errorFields(error: unknown): Record<string, unknown> {
  const message = error instanceof Error ? error.message : 'unknown';
  return { error: message, ...(codeOf(error) !== undefined && { status: codeOf(error) }) };
}
