/**
 * Why helm refused a chart, in words of the user's files: place, cause and fix first. Each rule knows one of helm's
 * messages (3 and 4 word some differently) and returns its sentence or nothing; the first to speak wins.
 */
import { relative } from 'node:path';
import { UserError } from '../errors.ts';
import { explainOutput } from './explain-output.ts';
import { explainSchema } from './explain-schema.ts';
import { detail, redactor, shorten } from './redact.ts';
import type { SourceOptions } from './source.ts';
import type { ValuesTree } from './values-tree.ts';

export interface HelmFailure {
  /** As helm wrote it: only ever shown through `redact`. */
  stderr: string;
  source: SourceOptions;
  /** The chart's own values first, then what the user gave, in merge order. */
  values: readonly ValuesTree[];
  redact: (text: string) => string;
  /** Turns a path helm was given back into what the user wrote. */
  shown: (path: string) => string;
}

/** A pattern of helm's stderr and what its named groups mean; absent groups are empty. */
interface Rule {
  pattern: RegExp;
  say: (found: Found, failure: HelmFailure) => string | undefined;
}
export type Found = (group: string) => string;

const RULES: Rule[] = [
  {
    pattern: /^Error: .*?\bopen (?<path>[^\n]+?): permission denied/m,
    say: (found, { shown }) => `${shown(found('path'))} cannot be read: chmod a+r`,
  },
  {
    pattern: /^Error: (?:failed to parse|cannot load) (?<path>[^\n]+?): (?<reason>[^\n]*(?:yaml|JSON)[^\n]*)$/m,
    say: badYaml,
  },
  { pattern: /values don't meet the specifications of the schema(?<violations>[^]*)/, say: explainSchema },
  {
    pattern: /^Error: YAML parse error on (?<template>\S+): .*?yaml: (?:line (?<line>\d+): )?(?<reason>.*)$/m,
    say: explainOutput,
  },
  {
    pattern:
      /^Error: execution error at \((?<file>[^():]+):(?<line>\d+):\d+\): (?<reason>[^]*?)(?:\n\nUse --debug|$(?![^]))/m,
    say: (found, { redact }) => `${found('file')} line ${found('line')}: ${redact(found('reason'))}`,
  },
  {
    pattern: /^Error: parse error at \((?<file>[^():]+):(?<line>\d+)\): (?<reason>.*)$/m,
    say: (found, { redact }) =>
      `${found('file')} line ${found('line')} is no valid template: ${redact(found('reason'))}`,
  },
  {
    pattern:
      /^Error: (?:template: )?(?<file>\S+?):(?<line>\d+):\d+:?\s+executing "[^"]*" at <(?<at>[^]*?)>:\s*(?<reason>[^]*?)(?:\n\n|$(?![^]))/m,
    say: badExpression,
  },
  { pattern: /^Error: failed parsing (?<flag>--set(?:-string|-file)?) data/m, say: badParameter },
  {
    pattern: /^Error: (?:unable to detect chart|Chart\.yaml file is missing)/m,
    say: () => "the application's path has no Chart.yaml: set it to the chart's folder",
  },
  {
    pattern: /^Error: (?:chart metadata|validation): (?<reason>.*)$/m,
    say: (found, { redact }) => `Chart.yaml: ${redact(found('reason'))}`,
  },
  {
    pattern: /^Error: cannot load irregular file (?<path>.+) as it has/m,
    say: (found, { shown }) =>
      `${shown(found('path'))} is a FIFO, device or socket, not a file: take it out of the chart`,
  },
  {
    pattern: /^Error: error evaluating symlink (?<path>.+?): /m,
    say: (found, { shown }) => `${shown(found('path'))} is a link that leads nowhere: take it out of the chart`,
  },
  {
    pattern: /^Error: error unpacking (?:subchart )?(?<archive>\S+) in /m,
    say: (found) => `charts/${found('archive')} is no readable chart archive: fetch it again and commit it`,
  },
  {
    pattern: /^Error: (?<own>chart requires kubeVersion: .*)$/m,
    say: (found, { source }) => `${found('own')} (${versionFrom(source)})`,
  },
  {
    pattern: /^Error: (?:Get "(?<url>[^"]*)": |failed to fetch (?<fetched>\S+?) : )(?<reason>.*)$/m,
    say: (found, { redact }) =>
      `values file ${redact((found('url') || found('fetched')).replace(/\?.*$/, ''))} could not be fetched: ${redact(found('reason'))}`,
  },
  { pattern: /^Error: (?<reason>[^]*)/m, say: (found, { redact }) => `helm: ${redact(found('reason'))}` },
];

/** The error to throw for a failed `helm template`: one line that says it all, helm's own (redacted) words below. */
export function explainHelm(failure: HelmFailure): UserError {
  const first = RULES.map((rule) => speak(rule, failure)).find((sentence) => sentence !== undefined);
  // helm may quote from values that cannot be read, where nothing says what is to be hidden.
  const readable = failure.values.every((tree) => tree.problem === undefined);
  const own = readable ? detail(failure.redact(failure.stderr)) : [];
  return new UserError([shorten(first ?? 'helm failed without a word'), ...own].join('\n'));
}

function speak({ pattern, say }: Rule, failure: HelmFailure): string | undefined {
  const match = pattern.exec(failure.stderr);
  return match === null ? undefined : say((group) => match.groups?.[group] ?? '', failure);
}

/** Hides all values of one render that the user gave, parameters included. */
export function redactorFor(source: SourceOptions, values: readonly ValuesTree[]): (text: string) => string {
  const parameters = source.helm.parameters.map((parameter) => parameter.value);
  return redactor(values, [...parameters, ...parameters.flatMap((value) => value.split(','))]);
}

/** A file that is no YAML, or no mapping. helm's reason may quote the text, the parser's does not. */
function badYaml(found: Found, { values, shown }: HelmFailure): string {
  const file = shown(found('path'));
  const problem = values.find((tree) => tree.shown === file)?.problem;
  if (problem !== undefined) return `${file} line ${String(problem.line)} is no valid YAML: ${problem.reason}`;
  const [, line, reason] = /yaml: (?:line (\d+): )?(.*)$/.exec(found('reason')) ?? [];
  if (reason === undefined) return `${file} is no mapping of keys to values: write "key: value" lines`;
  return `${file}${line === undefined ? '' : ` line ${line}`} is no valid YAML: ${reason.replace(/['"`].*['"`]/g, '…')}`;
}

/** What a template could not do, and the value it stumbled over. */
function badExpression(found: Found, { redact }: HelmFailure): string {
  const place = `${found('file')} line ${found('line')}`;
  const reason = found('reason').trim();
  const key = /^[.$]*Values\.([\w.]+)$/.exec(found('at'))?.[1];
  const field = /(?:nil pointer evaluating .*\.(\w+)$|can't evaluate field (\w+) in type)/.exec(reason);
  if (key === undefined || field === null) return `${place}: ${redact(`${found('at')}: ${reason}`)}`;
  const parts = key.split('.');
  const parent = parts.slice(0, Math.max(1, parts.lastIndexOf(field[1] ?? field[2] ?? ''))).join('.');
  return field[1] === undefined
    ? `${place}: the value ${parent} must be a mapping`
    : `${place}: the value ${parent} is not set`;
}

function badParameter(found: Found, { source }: HelmFailure): string {
  const names = source.helm.parameters.map((parameter) => parameter.name);
  const odd = names.find((name) => !/^[\w./-]+(?:\[\d+\]|\\.|[\w./-])*$/.test(name));
  const what = found('flag') === '--set-file' ? 'file-parameters' : 'parameters';
  const where = odd === undefined ? 'a value' : `the name ${JSON.stringify(odd)}`;
  return `${what}: ${where} cannot be read: a name is a path such as list[0].key, a list is {a,b}, a comma in a value \\,`;
}

function versionFrom({ kubeVersion }: SourceOptions): string {
  return (kubeVersion ?? '') === ''
    ? 'no kube-version is set, helm guessed: set it'
    : 'as Argo CD or kube-version says';
}

/** A path below the app's folder, or its private copy, as the user would write it. */
export function below(folders: readonly string[], path: string): string {
  const folder = folders.find((one) => path.startsWith(`${one}/`));
  return folder === undefined ? path : relative(folder, path);
}
