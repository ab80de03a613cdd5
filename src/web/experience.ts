/** What pulls took so far in this process: by image as kubelets say, by node as verdicts show. Bounded, and only for what comes next. */
import type { Event } from '../verdict/snapshot.ts';
import type { NodeState } from '../verdict/verdict.ts';
import type { Judged } from './pull.ts';
import { expectedEnd, readPulled, widen } from './remaining.ts';
import type { Expected, Range } from './remaining.ts';

export interface Experience {
  heard: (event: Event) => void;
  /** Nodes that were pulling and are done now. */
  learn: (told: Judged, before: readonly NodeState[], now: number) => void;
  expectedEnd: (told: Judged, now: number) => Expected | undefined;
  /** The DaemonSet of this UID is of no more interest. */
  forget: (uid: string) => void;
}

/** Images whose durations are kept; the oldest goes. */
const IMAGES = 500;

export function createExperience(): Experience {
  const pulls = new Map<string, Map<string, Range>>();
  const nodes = new Map<string, Range>();

  function ofNamespace(namespace: string): Map<string, Range> {
    const known = pulls.get(namespace) ?? new Map<string, Range>();
    pulls.set(namespace, known);
    return known;
  }

  return {
    heard({ namespace, message }) {
      const pulled = readPulled(message);
      if (pulled === undefined) return;
      const images = ofNamespace(namespace);
      images.set(pulled.image, widen(images.get(pulled.image), pulled.milliseconds));
      const [oldest] = images.keys();
      if (images.size > IMAGES && oldest !== undefined) images.delete(oldest);
    },
    learn({ daemonSet: { uid }, verdict }, before, now) {
      const startedAt = verdict.facts.pullers.get(uid)?.firstLook ?? now;
      const pulling = new Set(before.filter(({ state }) => state === 'pulling').map(({ node }) => node));
      if (pulling.size === 0) return;
      for (const { state, node } of verdict.nodes) {
        if (state === 'pulled' && pulling.has(node)) nodes.set(uid, widen(nodes.get(uid), now - startedAt));
      }
    },
    expectedEnd({ daemonSet: { uid, namespace }, verdict }, now) {
      const startedAt = verdict.facts.pullers.get(uid)?.firstLook ?? now;
      return expectedEnd(verdict, startedAt, { pulls: ofNamespace(namespace), nodes: nodes.get(uid) }, now);
    },
    forget(uid) {
      nodes.delete(uid);
    },
  };
}
