/** From flags, Argo CD's parameters and environment to typed settings: a flag wins over a parameter, a parameter over its default. */
import { closestMatch } from 'leven';
import type { Policy } from '../api/policy.ts';
import { UsageError } from '../errors.ts';
import { readArgoParameters, showName } from './argocd-parameters.ts';
import type { Given } from './argocd-parameters.ts';
import { readApplication, readOperatorSettings } from './environment.ts';
import type { ArgoApplication, Environment, OperatorSettings } from './environment.ts';
import type { KustomizeSettings } from './kustomize-parameters.ts';
import type { Parameter, ParameterTable, ParameterType, ParameterValue } from './parameter.ts';
import { ALL_TOPICS, parametersOf, TOPICS } from './parameters.ts';
import type { PullSettings } from './pull-parameters.ts';
import type { HelmSettings, SourceSettings } from './source-parameters.ts';

export interface Settings {
  pull: PullSettings;
  policy: Policy;
  source: SourceSettings;
  helm: HelmSettings;
  kustomize: KustomizeSettings;
  application: ArgoApplication;
  operator: OperatorSettings;
}

/** Parameter name → the texts its flag was given, in order. */
export type Flags = Readonly<Record<string, readonly string[]>>;

/** Throws one UsageError with every mistake in it. No message holds a value: `values` and `parameters` may carry secrets. */
export function readSettings(flags: Flags, env: Environment): Settings {
  const problems: string[] = [];
  const given = readArgoParameters(env.ARGOCD_APP_PARAMETERS, problems);
  problems.push(...unknownNames([...given.keys()]));
  const find = (parameter: Parameter<unknown>): ParameterValue | undefined => {
    const texts = flags[parameter.name];
    if (texts !== undefined) return fromFlag(parameter, texts, problems);
    return fromArgo(parameter, given.get(parameter.name), problems);
  };
  const settings = {
    pull: readTable(TOPICS.pull.table, find, problems),
    policy: readTable(TOPICS.policy.table, find, problems),
    source: readTable(TOPICS.source.table, find, problems),
    helm: readTable(TOPICS.helm.table, find, problems),
    kustomize: readTable(TOPICS.kustomize.table, find, problems),
    application: readApplication(env),
    operator: readOperatorSettings(env, problems),
  };
  if (settings.pull.gate === 'job' && settings.pull.image === undefined) {
    problems.push('gate job needs parameter image, the container image with the prepuller program');
  }
  if (problems.length > 0) throw new UsageError(inOneText(problems));
  return settings;
}

/** What was given for a parameter, wherever it was looked for. */
export type Find = (parameter: Parameter<unknown>) => ParameterValue | undefined;

/** Every row of a table read; mistakes are added to `problems`. */
export function readTable<S>(table: ParameterTable<S>, find: Find, problems: string[]): S {
  const rows = Object.entries<Parameter<unknown>>(table);
  const values = rows.map(([key, parameter]) => [key, readParameter(parameter, find(parameter), problems)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as S;
}

/** Empty text counts as not given: that is what Argo CD's UI leaves of a field somebody cleared. */
function readParameter(parameter: Parameter<unknown>, given: ParameterValue | undefined, problems: string[]): unknown {
  const value = given === undefined || given === '' ? parameter.default : given;
  if (value === undefined) return undefined;
  if (textsOf(value).some((text) => text.includes('\0'))) {
    problems.push(`parameter ${parameter.name} holds a NUL character`);
    return undefined;
  }
  const read = parameter.read(value);
  if (read === undefined)
    problems.push(`parameter ${parameter.name} takes ${parameter.takes}${nearestChoice(parameter, value)}`);
  return read;
}

function textsOf(value: ParameterValue): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? (value as string[]) : Object.entries(value).flat();
}

function nearestChoice({ choices = [] }: Parameter<unknown>, value: ParameterValue): string {
  if (typeof value !== 'string') return '';
  const nearest = closestMatch(value.toLowerCase(), choices, {
    maxDistance: Math.min(2, Math.floor(value.length / 2)),
  });
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

const FIELDS: Record<ParameterType, string> = {
  string: 'a text (string: …)',
  array: 'a list (array: [])',
  map: 'a map (map: {})',
};

function fromArgo(
  parameter: Parameter<unknown>,
  given: Given | undefined,
  problems: string[],
): ParameterValue | undefined {
  if (given === undefined || given.type === parameter.type) return given?.value;
  problems.push(`parameter ${parameter.name} is ${FIELDS[parameter.type]}, not ${FIELDS[given.type]}`);
  return undefined;
}

/** A flag's texts as a value of the parameter's type. */
export function fromFlag(
  parameter: Parameter<unknown>,
  texts: readonly string[],
  problems: string[],
): ParameterValue | undefined {
  if (parameter.type === 'array') return texts;
  if (parameter.type === 'string') {
    if (texts.length > 1) problems.push(`flag --${parameter.name} is given twice; keep one`);
    return texts[0];
  }
  const pairs = texts.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const);
  if (texts.some((text) => text.indexOf('=') < 1)) problems.push(`flag --${parameter.name} takes NAME=TEXT`);
  return Object.fromEntries(pairs);
}

function unknownNames(names: readonly string[]): string[] {
  const known = parametersOf(ALL_TOPICS).map(({ name }) => name);
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(/[_\s]/g, '-');
      const nearest = closestMatch(kebab, known, { maxDistance: Math.ceil(kebab.length / 3) });
      return `there is no parameter ${showName(name)}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
    });
}

/** The first line is the whole story as far as it fits: it is what Argo CD's UI shows. */
export function inOneText(problems: readonly string[]): string {
  if (problems.length === 1) return problems[0] ?? '';
  return [`${problems.length} mistakes: ${problems.join('; ')}`, ...problems.map((problem) => `- ${problem}`)].join(
    '\n',
  );
}
