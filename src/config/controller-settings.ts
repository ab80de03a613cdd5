/** Settings of the commands that look into a cluster: a flag wins over the variable PREPULLER_NAME, that over the default. */
import { UsageError } from '../errors.ts';
import type { Environment } from './environment.ts';
import { CLUSTER_PARAMETERS, CONTROLLER_PARAMETERS } from './controller-parameters.ts';
import type { ClusterSettings, ControllerSettings } from './controller-parameters.ts';
import type { Parameter, ParameterTable, ParameterValue } from './parameter.ts';
import { fromFlag, inOneText, readTable } from './settings.ts';
import type { Flags } from './settings.ts';

/** Throws one UsageError with every mistake in it. */
export function readControllerSettings(flags: Flags, env: Environment): ControllerSettings & ClusterSettings {
  const settings = readAll({ ...CONTROLLER_PARAMETERS, ...CLUSTER_PARAMETERS }, flags, env);
  // Whoever sees only some pullers would mark nodes that lack the images of the others.
  if (settings.markNodes && settings.namespaces.length > 0)
    throw new UsageError('mark-nodes needs all namespaces: leave namespaces out');
  return settings;
}

/** Which cluster. */
export function readClusterSettings(flags: Flags, env: Environment): ClusterSettings {
  return readAll(CLUSTER_PARAMETERS, flags, env);
}

/** The variable of a parameter: `lease-name` → `PREPULLER_LEASE_NAME`. */
export function variableOf({ name }: Parameter<unknown>): string {
  return `PREPULLER_${name.replaceAll('-', '_').toUpperCase()}`;
}

function readAll<S>(table: ParameterTable<S>, flags: Flags, env: Environment): S {
  const problems: string[] = [];
  const settings = readTable(
    table,
    (parameter) => {
      const texts = flags[parameter.name];
      return texts === undefined ? fromVariable(parameter, env) : fromFlag(parameter, texts, problems);
    },
    problems,
  );
  if (problems.length > 0) throw new UsageError(inOneText(problems));
  return settings;
}

/** Lists are separated by commas. */
function fromVariable(parameter: Parameter<unknown>, env: Environment): ParameterValue | undefined {
  const given = env[variableOf(parameter)];
  if (given === undefined || parameter.type !== 'array') return given;
  const words = given.split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
}
