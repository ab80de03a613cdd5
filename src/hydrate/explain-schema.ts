/** Values that the chart's own schema refuses: which file and line holds the key, and what to write instead. */
import type { Found, HelmFailure } from './explain-helm.ts';
import { findKey, type ValuesTree } from './values-tree.ts';

/** The first violation becomes the sentence; helm lists them all below it. */
export function explainSchema(found: Found, failure: HelmFailure): string {
  const [, pointer, reason] = /^- at '([^']*)': (.*)$/m.exec(found('violations')) ?? [];
  if (pointer === undefined || reason === undefined) return 'values do not fit the schema of the chart';
  const path = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const unknown = /^additional propert(?:y|ies) '([^']*)'/.exec(reason)?.[1];
  if (unknown !== undefined) {
    return `${where(failure.values, [...path, unknown])} is a key the chart does not know: check its spelling and nesting`;
  }
  const missing = /^missing propert(?:y|ies) '([^']*)'/.exec(reason)?.[1];
  if (missing !== undefined)
    return `${where(failure.values, [...path, missing])} is missing: the chart's schema wants it`;
  return `${where(failure.values, path)}: ${failure.redact(withoutValue(reason))}${fixFor(reason)}`;
}

/** jsonschema opens some reasons with the value itself. */
function withoutValue(reason: string): string {
  return reason.replace(/^(['"]).*\1 (?=does not match|is not valid|is not)/s, 'the value ');
}

function fixFor(reason: string): string {
  if (/want (?:null or )?string/.test(reason)) return ': put the value in quotes';
  const wanted = /want ((?:null or )?(?:boolean|number|integer|object|array))/.exec(reason)?.[1];
  if (wanted === undefined) return '';
  return reason.startsWith('got string') ? `: write it without quotes, as ${wanted}` : '';
}

/** `values.yaml line 3: singleuser.image.tag`, from the last file that has the key, under whatever key of an umbrella. */
function where(values: readonly ValuesTree[], path: readonly string[]): string {
  const key = path.join('.');
  for (const tree of values.toReversed()) {
    const own = findKey(tree.root, path);
    if (own !== undefined) return `${tree.shown} line ${String(own.line)}: ${key}`;
    for (const parent of topLevelKeys(tree)) {
      const nested = findKey(tree.root, [parent, ...path]);
      if (nested !== undefined) return `${tree.shown} line ${String(nested.line)}: ${parent}.${key}`;
    }
  }
  return `values: ${key}`;
}

function topLevelKeys({ root }: ValuesTree): string[] {
  return root?.kind === 'map' ? root.entries.map((entry) => entry.key) : [];
}
