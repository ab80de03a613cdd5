/** The health Argo CD gives an object: for pullers the rule of install/argocd/health.lua; what is not simulated beyond its object counts as well. */
import { OBSERVED_GENERATION_CONDITION, PULLED_CONDITION, ROLE_LABEL } from '../src/api/names.ts';
import type { Health } from '../src/api/reasons.ts';
import { conditionOf } from './pod-conditions.ts';
import type { ApiObject } from './store.ts';

const QUESTION = 'is the argocd-prepuller controller running in this cluster?';

export interface ObjectHealth {
  health: Health;
  message: string;
}

const DELETED: ObjectHealth = {
  health: 'Degraded',
  message: 'the puller was deleted before its images were judged: sync again',
};
const FINAL: Readonly<Record<string, Health | undefined>> = { True: 'Healthy', False: 'Degraded' };

export function healthOf(object: ApiObject): ObjectHealth {
  const role = object.metadata.labels?.[ROLE_LABEL];
  const isPuller = object.kind === 'DaemonSet' && role !== undefined;
  return isPuller ? relayed(object, role === 'hook') : { health: 'Healthy', message: '' };
}

function relayed(object: ApiObject, isHook: boolean): ObjectHealth {
  const { status = 'Unknown', message = '' } = conditionOf(object, PULLED_CONDITION) ?? {};
  const final = FINAL[status];
  if (isHook && final !== undefined) return { health: final, message };
  if (isHook && object.metadata.deletionTimestamp !== undefined) return DELETED;
  const missing = whatIsMissing(object);
  if (missing !== undefined) return { health: 'Progressing', message: `${missing} yet: ${QUESTION}` };
  return { health: final ?? 'Progressing', message };
}

function whatIsMissing(object: ApiObject): string | undefined {
  if (conditionOf(object, PULLED_CONDITION) === undefined) return 'no verdict';
  const generation = String(object.metadata.generation);
  const observed = conditionOf(object, OBSERVED_GENERATION_CONDITION)?.reason;
  return observed === `Generation${generation}` ? undefined : `no verdict on generation ${generation}`;
}
