/** What the API server answers when it refuses: the codes, reasons and words of k8s.io/apimachinery/pkg/api/errors. */
import type { Resource } from './resources.ts';
import { qualified } from './resources.ts';

/** An answer of the API server that is not 2xx, as its Status object says it. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: number;
  readonly reason: string;
  readonly details: Record<string, unknown>;

  constructor(code: number, reason: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}

function detailsOf(resource: Resource, name: string, kind = resource.plural): Record<string, unknown> {
  return { name, ...(resource.group === '' ? {} : { group: resource.group }), kind };
}

export function notFound(resource: Resource, name: string): ApiError {
  const text = `${qualified(resource.plural, resource)} "${name}" not found`;
  return new ApiError(404, 'NotFound', text, detailsOf(resource, name));
}

export function alreadyExists(resource: Resource, name: string): ApiError {
  const text = `${qualified(resource.plural, resource)} "${name}" already exists`;
  return new ApiError(409, 'AlreadyExists', text, detailsOf(resource, name));
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

export function conflict(resource: Resource, name: string, why: string = MODIFIED): ApiError {
  const text = `Operation cannot be fulfilled on ${qualified(resource.plural, resource)} "${name}": ${why}`;
  return new ApiError(409, 'Conflict', text, detailsOf(resource, name));
}

/** A field that validation does not take; `why` as field.Error prints it behind the field's path. */
export function invalid(resource: Resource, name: string, field: string, why: string): ApiError {
  const text = `${qualified(resource.kind, resource)} "${name}" is invalid: ${field}: ${why}`;
  const causes = [{ reason: 'FieldValueInvalid', message: why, field }];
  return new ApiError(422, 'Invalid', text, { ...detailsOf(resource, name, resource.kind), causes });
}

/** Refused by admission or by RBAC. */
export function forbidden(resource: Resource, name: string, why: string): ApiError {
  const text = `${qualified(resource.plural, resource)} "${name}" is forbidden: ${why}`;
  return new ApiError(403, 'Forbidden', text, detailsOf(resource, name));
}

export function badRequest(text: string): ApiError {
  return new ApiError(400, 'BadRequest', text);
}

/** A list page or a watch that starts where the history no longer reaches. */
export function expired(text: string): ApiError {
  return new ApiError(410, 'Expired', text);
}

/** The Status object of an error, as the body of an answer or in an ERROR event. */
export function statusOf(error: ApiError): Record<string, unknown> {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: error.message,
    reason: error.reason,
    ...(Object.keys(error.details).length === 0 ? {} : { details: error.details }),
    code: error.code,
  };
}
