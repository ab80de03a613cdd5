/** Looks into parsed YAML whose types nobody has checked: a wrong type reads as absent. */

export type Mapping = Record<string, unknown>;

export function asMapping(value: unknown): Mapping | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mapping) : undefined;
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is not empty. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value at a path of mapping keys. */
export function valueAt(value: unknown, ...keys: string[]): unknown {
  return keys.reduce((parent: unknown, key) => {
    const mapping = asMapping(parent);
    return mapping !== undefined && Object.hasOwn(mapping, key) ? mapping[key] : undefined;
  }, value);
}
