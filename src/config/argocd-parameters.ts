/**
 * Reads ARGOCD_APP_PARAMETERS, the JSON list that Argo CD makes of `spec.source.plugin.parameters`
 * (pkg/apis/application/v1alpha1/types.go, ApplicationSourcePluginParameters.Environ). The PARAM_… variables beside it are
 * not used: they lose case and punctuation, and cannot tell a list from texts with numbers in their names.
 */
import type { ParameterType, ParameterValue } from './parameter.ts';

/** What was given for one parameter; `type` is undefined for a flag that may be repeated or not. */
export interface Given {
  type: ParameterType;
  value: ParameterValue;
}

const NOT_A_LIST = 'ARGOCD_APP_PARAMETERS is not the JSON list that Argo CD makes of spec.source.plugin.parameters';

/** Name → what was given. Every mistake goes to `problems`, without a value: it may be a secret. */
export function readArgoParameters(json: string | undefined, problems: string[]): Map<string, Given> {
  const given = new Map<string, Given>();
  for (const [index, entry] of entriesOf(json, problems).entries()) {
    const name = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined;
    if (typeof name !== 'string' || name === '') {
      problems.push(`entry ${index + 1} of spec.source.plugin.parameters has no name`);
      continue;
    }
    const shown = showName(name);
    const one = valueOf(entry as Record<string, unknown>);
    if (typeof one === 'string') problems.push(`parameter ${shown} ${one}`);
    else if (given.has(name)) problems.push(`parameter ${shown} is given twice; keep one`);
    else given.set(name, one);
  }
  return given;
}

/** The name as it may be shown: a name that looks like none may be a secret in the wrong place. */
export function showName(name: string): string {
  return /^[\w.-]{1,63}$/.test(name) ? name : '(a name with other characters than letters, digits, - and .)';
}

function entriesOf(json: string | undefined, problems: string[]): unknown[] {
  // Go prints a list that was never made as null: an Application with a plugin and no parameters.
  if (json === undefined || json.trim() === '' || json.trim() === 'null') return [];
  try {
    const parsed: unknown = JSON.parse(json);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // The parser's message quotes the text, which may hold a secret: only that it is no JSON is said.
  }
  problems.push(NOT_A_LIST);
  return [];
}

/** The one value of an entry, or what is wrong with it. */
function valueOf(entry: Record<string, unknown>): Given | string {
  const types = (['string', 'array', 'map'] as const).filter(
    (type) => entry[type] !== undefined && entry[type] !== null,
  );
  const [type] = types;
  if (type === undefined) return 'has no value; give it string, array or map';
  if (types.length > 1) return `has ${types.join(' and ')}; keep one`;
  const value = entry[type];
  if (!holdsText(type, value)) return `has something else than text in its ${type}; put numbers and booleans in quotes`;
  return { type, value: value as ParameterValue };
}

function holdsText(type: ParameterType, value: unknown): boolean {
  if (type === 'string') return typeof value === 'string';
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (type === 'array')) return false;
  return Object.values(value).every((item) => typeof item === 'string');
}
