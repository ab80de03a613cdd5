/**
 * A person's word on one puller, written with the caller's own rights: the annotations of install/argocd/actions, under the rules of
 * their discovery.lua. What would change nothing is refused, with what to do instead.
 */
import type { Command } from 'commander';
import {
  OBSERVED_GENERATION_CONDITION,
  OVERRIDE_ANNOTATION,
  OVERRIDE_GENERATION_ANNOTATION,
  PULLED_CONDITION,
  RETRY_AT_ANNOTATION,
  ROLE_LABEL,
} from './api/names.ts';
import { addVerboseFlag } from './command.ts';
import type { Call, Result } from './command.ts';
import { CLUSTER_PARAMETERS } from './config/controller-parameters.ts';
import { readClusterSettings } from './config/controller-settings.ts';
import { UserError } from './errors.ts';
import { addParameterFlags } from './parameter-flags.ts';
import { readDaemonSet } from './verdict/read-daemonset.ts';
import type { DaemonSet } from './verdict/snapshot.ts';
import { timeText } from './verdict/text.ts';
import { codeOf, pathOf } from './watch/kube-api.ts';
import { connect } from './watch/kube-client.ts';

export type Word = 'let-through' | 'give-up' | 'retry';

interface Standing {
  health: 'Healthy' | 'Degraded' | undefined;
  /** The verdict of a hook stands for good. */
  final: boolean;
  /** A person has spoken on this generation. */
  overridden: boolean;
}

/** What happens next; `puller` is `namespace/name`. */
const NEXT: Readonly<Record<Word, (puller: string, generation: number) => string>> = {
  'let-through': (puller, generation) =>
    `${puller} is let through: the sync goes on without the images that are missing, and who starts where one is missing ` +
    `waits for it. This holds for generation ${generation}; the next change of the images is judged again.`,
  'give-up': (puller, generation) =>
    `${puller} is given up: the sync fails, and nothing behind the puller is changed. This holds for generation ` +
    `${generation}; the next change of the images is judged again.`,
  retry: (puller) =>
    `${puller} is judged afresh: errors, waits and deadlines from before now are forgotten. Kubelets go on trying by themselves.`,
};

export function configureIntervention(command: Command, word: Word, does: string): void {
  addVerboseFlag(command);
  command
    .argument('<name>', 'the DaemonSet')
    .option('--namespace <name>', 'its namespace; without it that of the kubeconfig, or of the pod');
  addParameterFlags(command, Object.values(CLUSTER_PARAMETERS));
  const example = `  prepuller ${word} --namespace hub hook-image-puller\n`;
  const rights = 'Needs the right to get and patch DaemonSets. Exits 1 when it would change nothing.';
  command.addHelpText('after', `\n${does}\n${rights} Example:\n${example}`);
}

export async function intervene(call: Call, word: Word): Promise<Result> {
  const { client, namespace: home } = connect(readClusterSettings(call.flags, call.env));
  const namespace = typeof call.options.namespace === 'string' ? call.options.namespace : home;
  const [name = ''] = call.args;
  const puller = `${namespace}/${name}`;
  const path = `${pathOf('daemonsets', namespace)}/${encodeURIComponent(name)}`;
  call.log.doing(`reading DaemonSet ${puller}`);
  const daemonSet = await unlessAbsent(client.get(path, call.signal));
  if (daemonSet === undefined)
    throw new UserError(`there is no DaemonSet ${puller}: prepuller explain lists the pullers`);
  const refusal = refuse(word, daemonSet);
  if (refusal !== undefined) throw new UserError(`${puller} ${refusal}`);
  call.log.doing(`writing the annotations of DaemonSet ${puller}`);
  const { uid } = daemonSet;
  await client.patch(path, { metadata: { uid, annotations: annotationsOf(word, daemonSet) } }, call.signal);
  const look = `prepuller explain --namespace ${namespace} ${name}`;
  return { stdout: `${NEXT[word](puller, daemonSet.generation)}\nThe controller takes it up at once: ${look}\n` };
}

async function unlessAbsent(object: Promise<unknown>): Promise<DaemonSet | undefined> {
  try {
    return readDaemonSet(await object);
  } catch (error) {
    if (codeOf(error) === 404) return undefined;
    throw error;
  }
}

/** Why nothing is written, as what follows the puller's name; undefined when something is. */
export function refuse(word: Word, daemonSet: DaemonSet): string | undefined {
  const { role } = daemonSet;
  if (role !== 'hook' && role !== 'continuous') return `is no puller: it has no label ${ROLE_LABEL} of ours`;
  const { health, final, overridden } = standingOf(daemonSet);
  if (final) return `has its verdict, ${String(health)}, and a hook keeps it: sync the application again`;
  if (word === 'retry' && overridden)
    return "has a person's word for this generation, which a retry does not take back: use let-through or give-up";
  const unchanged = word === 'give-up' ? 'Degraded' : 'Healthy';
  return health === unchanged ? `is ${unchanged} already: there is nothing to ${word.replace('-', ' ')}` : undefined;
}

function standingOf({ role, generation, conditions, annotations }: DaemonSet): Standing {
  const find = (type: string): DaemonSet['conditions'][number] | undefined =>
    conditions.find((condition) => condition.type === type);
  const isCurrent = find(OBSERVED_GENERATION_CONDITION)?.reason === `Generation${generation}`;
  const status = find(PULLED_CONDITION)?.status;
  const decided = status === 'True' ? 'Healthy' : status === 'False' ? 'Degraded' : undefined;
  return {
    health: isCurrent || role === 'hook' ? decided : undefined,
    final: role === 'hook' && decided !== undefined,
    overridden:
      annotations.has(OVERRIDE_ANNOTATION) && annotations.get(OVERRIDE_GENERATION_ANNOTATION) === String(generation),
  };
}

function annotationsOf(word: Word, { generation }: DaemonSet): Record<string, string> {
  if (word === 'retry') return { [RETRY_AT_ANNOTATION]: timeText(Date.now()) };
  return { [OVERRIDE_ANNOTATION]: word, [OVERRIDE_GENERATION_ANNOTATION]: String(generation) };
}
