/** Why a chart's dependencies could not be fetched: which one, from where, and that vendoring them needs no network. */
import { UserError } from '../errors.ts';
import type { Dependency } from './chart-file.ts';
import { detail, shorten, withoutCredentials } from './redact.ts';

const VENDOR = 'or run helm dependency build and commit charts/';

/** The error to throw for a failed `helm dependency build`; `output` is all it wrote: what it could not reach is on stdout. */
export function explainDependencies(output: string, dependencies: readonly Dependency[]): UserError {
  const text = withoutCredentials(output);
  return new UserError([shorten(sentence(text, dependencies)), ...detail(text)].join('\n'));
}

function sentence(text: string, dependencies: readonly Dependency[]): string {
  const reason = reasonOf(text);
  if (/lock file .*out of sync/.test(text)) {
    return 'Chart.lock does not fit Chart.yaml: run helm dependency update and commit both';
  }
  const version = /can't get a valid version for (?:repositories|dependency|\d+ subchart\(s\)):? "?([^"\s.,]+)/.exec(
    text,
  )?.[1];
  if (version !== undefined) return `Chart.yaml: dependency ${version} has no such version in its repository`;
  const lost = dependencies.find((one) => one.repository !== '' && text.includes(withoutCredentials(one.repository)));
  const [only] = dependencies;
  const one = lost ?? (dependencies.length === 1 ? only : undefined);
  const what = one === undefined ? 'dependencies' : `dependency ${one.name} from ${withoutCredentials(one.repository)}`;
  const fix = /\b(401|403|unauthorized|denied|forbidden)\b/i.test(reason)
    ? 'mount credentials (HELM_REGISTRY_CONFIG, HELM_REPOSITORY_CONFIG)'
    : 'make it reachable';
  return `Chart.yaml: ${what} could not be fetched (${shorten(reason).slice(0, 120)}): ${fix}, ${VENDOR}`;
}

/** Of a repository that did not answer helm first says why, then ends for want of its index. */
function reasonOf(text: string): string {
  const unreachable = /Unable to get an update from [^\n]*:\s*\n?\s*([^\n]+)/.exec(text)?.[1];
  if (unreachable !== undefined) return unreachable;
  const line = text.split('\n').findLast((one) => one.startsWith('Error: ')) ?? text.trim().split('\n').at(-1) ?? '';
  return line.replace(/^Error: /, '');
}
