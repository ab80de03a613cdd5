/**
 * One writer at a time: a Lease that its holder renews and others take when it has not been renewed for its duration, measured by
 * their own clock, as client-go's leader election does. The holder stops to write well before others may begin.
 */
import { isStopped, pause } from './clock.ts';
import type { Clock } from './clock.ts';
import { codeOf, pathOf } from './kube-api.ts';
import type { KubeClient } from './kube-api.ts';

/** Milliseconds: how long others wait, how long the holder trusts its last renewal, how often it renews. */
const DURATION = 15_000;
const TRUST = 10_000;
const PERIOD = 3_000;

/** Milliseconds that giving it back may take. */
const RELEASE = 2_000;

export interface LeaseOptions {
  client: KubeClient;
  clock: Clock;
  random: () => number;
  namespace: string;
  name: string;
  /** Who we are; no two processes may share it. */
  identity: string;
  signal: AbortSignal;
  /** We are, or are no longer, the one that writes. */
  changed: (leading: boolean) => void;
  failed: (error: unknown) => void;
}

export interface Leadership {
  isLeader(): boolean;
  /** The last failure to read or write the Lease, while it lasts. */
  failure(): unknown;
  /** Resolves after the signal, when the Lease is given back. */
  readonly done: Promise<void>;
}

interface Lease {
  metadata: { name: string; namespace: string; resourceVersion?: string };
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

interface State {
  /** Until when we lead, by our clock. */
  until: number;
  leading: boolean;
  failure: unknown;
  /** The other holder's last renewal as we saw it, and when we first saw it. */
  seen: { version: string; at: number } | undefined;
}

export function contend(options: LeaseOptions): Leadership {
  const { clock } = options;
  const state: State = { until: 0, leading: false, failure: undefined, seen: undefined };
  return {
    isLeader: () => clock.now() < state.until,
    failure: () => state.failure,
    done: follow(options, state),
  };
}

async function follow(options: LeaseOptions, state: State): Promise<void> {
  const { clock, random, signal, failed } = options;
  let cancel = (): void => undefined;
  while (!isStopped(signal)) {
    const asked = clock.now();
    try {
      const held = await claim(options, state);
      state.failure = undefined;
      state.until = held ? asked + TRUST : 0;
    } catch (error) {
      if (isStopped(signal)) break;
      state.failure = error;
      failed(error);
    }
    cancel();
    tell(options, state);
    cancel = clock.after(Math.max(0, state.until - clock.now()), () => {
      tell(options, state);
    });
    await pause(clock, PERIOD * (1 + random() * 0.2), signal);
  }
  cancel();
  const wasLeader = clock.now() < state.until;
  state.until = 0;
  tell(options, state);
  if (wasLeader) await release(options);
}

function tell({ clock, changed }: LeaseOptions, state: State): void {
  const leading = clock.now() < state.until;
  if (leading === state.leading) return;
  state.leading = leading;
  changed(leading);
}

/** Whether we hold the Lease now. */
async function claim(options: LeaseOptions, state: State): Promise<boolean> {
  const { client, clock, identity, signal } = options;
  const lease = await read(options);
  if (lease === undefined) {
    const fresh = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...held(options, undefined) };
    return won(client.create(pathOf('leases', options.namespace), fresh, signal));
  }
  const holder = lease.spec?.holderIdentity ?? '';
  if (holder !== '' && holder !== identity) {
    const version = lease.metadata.resourceVersion ?? '';
    if (state.seen?.version !== version) state.seen = { version, at: clock.now() };
    if (clock.now() - state.seen.at < DURATION) return false;
  }
  return won(client.update(pathTo(options), { ...lease, ...held(options, lease) }, signal));
}

/** Somebody else was quicker: not ours, and no failure. */
async function won(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (codeOf(error) === 409) return false;
    throw error;
  }
}

async function read(options: LeaseOptions): Promise<Lease | undefined> {
  try {
    return (await options.client.get(pathTo(options), options.signal)) as Lease;
  } catch (error) {
    if (codeOf(error) === 404) return undefined;
    throw error;
  }
}

function pathTo({ namespace, name }: LeaseOptions): string {
  return `${pathOf('leases', namespace)}/${name}`;
}

function held({ identity, namespace, name, clock }: LeaseOptions, before: Lease | undefined): Lease {
  const now = microTime(clock.now());
  const spec = before?.spec ?? {};
  const mine = spec.holderIdentity === identity;
  return {
    metadata: before?.metadata ?? { name, namespace },
    spec: {
      holderIdentity: identity,
      leaseDurationSeconds: DURATION / 1000,
      acquireTime: mine ? (spec.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: (spec.leaseTransitions ?? 0) + (mine || before === undefined ? 0 : 1),
    },
  };
}

/** So that the next one need not wait. Nothing depends on it. */
async function release(options: LeaseOptions): Promise<void> {
  const late = new AbortController();
  const { signal } = late;
  const cancel = options.clock.after(RELEASE, () => {
    late.abort();
  });
  try {
    const lease = await read({ ...options, signal });
    if (lease?.spec?.holderIdentity !== options.identity) return;
    const spec = { ...lease.spec, holderIdentity: '', renewTime: microTime(options.clock.now()) };
    await options.client.update(pathTo(options), { ...lease, spec }, signal);
  } catch {
    // It runs out by itself.
  } finally {
    cancel();
  }
}

/** metav1.MicroTime. */
function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
