/**
 * Kubernetes' own OpenAPI description as a strict validator: fields it does not know are refused.
 * Read in place from the Go module of Kubernetes, which is too large to keep here.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';

const MODULE = 'k8s.io/kubernetes@v1.34.4';

type Schema = Record<string, unknown>;

/** Where JSON may hold more than the description says: it names only the form each is printed in. */
const LOOSE: Record<string, Schema> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['string', 'integer'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
};

/** Path of swagger.json, or undefined on a machine that cannot get it: PREPULLER_OPENAPI, else the Go module. */
export function findDescription(): string | undefined {
  if (process.env.PREPULLER_OPENAPI !== undefined) return process.env.PREPULLER_OPENAPI;
  try {
    const json = execFileSync('go', ['mod', 'download', '-json', MODULE], {
      cwd: tmpdir(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 300_000,
    });
    return join((JSON.parse(json) as { Dir: string }).Dir, 'api/openapi-spec/swagger.json');
  } catch (error) {
    if (process.env.CI) throw new Error(`no Go, or ${MODULE} cannot be had`, { cause: error });
    return undefined;
  }
}

export type Check = (object: unknown) => string[];

/** Errors of an object against the description of its apiVersion and kind, each with its path; none when it fits. */
export function readDescription(path: string): Check {
  const { definitions } = JSON.parse(readFileSync(path, 'utf8')) as { definitions: Record<string, Schema> };
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const closed = Object.entries(definitions).map(([name, schema]) => [name, LOOSE[name] ?? close(schema)]);
  ajv.addSchema({ $id: 'kubernetes', definitions: Object.fromEntries(closed) as Record<string, Schema> });
  const names = definitionNames(definitions);
  const compiled = new Map<string, ValidateFunction>();
  return (object) => {
    const name = names.get(kindOf(object));
    if (name === undefined) return [`Kubernetes does not know ${kindOf(object)}`];
    const validate = compiled.get(name) ?? ajv.compile({ $ref: `kubernetes#/definitions/${name}` });
    compiled.set(name, validate);
    validate(withoutNulls(object));
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${kindOf(object)} ${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
    );
  };
}

/** To the API server a field that is null is one that is not there; charts leave many such. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field)]));
}

function kindOf(object: unknown): string {
  const { apiVersion, kind } = object as { apiVersion?: string; kind?: string };
  return `${apiVersion ?? ''}/${kind ?? ''}`;
}

function close(schema: Schema): Schema {
  return 'properties' in schema ? { ...schema, additionalProperties: false } : schema;
}

/** `apps/v1/DaemonSet` → name of its definition. */
function definitionNames(definitions: Record<string, Schema>): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(definitions)) {
    const kinds = (schema['x-kubernetes-group-version-kind'] ?? []) as Record<'group' | 'version' | 'kind', string>[];
    // Options and events of watches are listed under every group: only objects stand under exactly one.
    const [only] = kinds;
    if (only === undefined || kinds.length > 1) continue;
    names.set([only.group, only.version, only.kind].filter((part) => part !== '').join('/'), name);
  }
  return names;
}
