/** Short words for what the tests of rows and rungs tell again and again. */
import { backOff, event, failedPull, NOT_FOUND, pod, PREFIX, puller, type Raw } from './cluster.ts';
import { lookAt, nodeState, type Look } from './look.ts';

export const IMAGE = 'quay.io/a/nb:1';
export const OTHER = 'quay.io/a/other:1';
export const REFUSED =
  'failed to do request: Head "https://quay.io/v2/": dial tcp 10.0.0.1:443: connect: connection refused';
export const NO_SHELL = {
  terminated: { exitCode: 128, reason: 'StartError', message: 'exec: "/bin/sh": no such file or directory' },
};

/** State, reason and row of node n1 in one line. */
export function n1(objects: Raw[], look: Look): string {
  const { state, reason, row } = nodeState(lookAt(objects, look), 'n1');
  return `${state} ${reason} ${row}`;
}

export const one = (container: Raw, more: Raw[] = [], options = {}): Raw[] => [
  puller(),
  pod('n1', { containers: [container], ...options }),
  ...more,
];

export const told = (objects: Raw[], look: Look): string => {
  const { health, reason } = lookAt(objects, look);
  return `${health} ${reason}`;
};
export const written = (status: string, reason: string, generation = 1): Raw => ({
  observedGeneration: generation,
  desiredNumberScheduled: 1,
  currentNumberScheduled: 1,
  conditions: [
    { type: `${PREFIX}/Pulled`, status, reason, message: 'as said before' },
    { type: `${PREFIX}/ObservedGeneration`, status: 'True', reason: `Generation${generation}` },
  ],
});
export const missing = (name = 'n1'): Raw[] => {
  const stuck = pod(name, { containers: [backOff('quay.io/a/nb:1', NOT_FOUND())] });
  return [stuck, failedPull(stuck, NOT_FOUND(), 5, 155)];
};
export const refused = (
  daemonSet: Raw,
  first: number,
  last: number,
  message = 'no PriorityClass with name x was found',
): Raw => event(daemonSet, 'FailedCreate', `Error creating: pods "x" is forbidden: ${message}`, first, last);

export const NO_MATCH = `rpc error: code = NotFound desc = failed to pull and unpack image "${IMAGE}": no match for platform in manifest: not found`;
