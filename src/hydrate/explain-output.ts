/** A template that renders to broken YAML: nearly always an empty value where the template puts text around it. */
import type { Found, HelmFailure } from './explain-helm.ts';
import { leaves, type ValuesTree } from './values-tree.ts';

export function explainOutput(found: Found, failure: HelmFailure): string {
  const reason = found('reason');
  const where = found('line') === '' ? found('template') : `${found('template')} line ${found('line')}`;
  const empty = reason.includes('mapping values are not allowed') ? emptyTag(failure) : undefined;
  if (empty !== undefined)
    return `${empty} is empty, and ${where} then renders to no valid YAML: write a tag, in quotes`;
  return (
    `${where} renders to no valid YAML: ${failure.redact(reason.replace(/[`'"].*?[`'"]/g, '…'))}; ` +
    `a value used there is empty or needs quoting`
  );
}

/** The last image tag that somebody set to nothing: in a file, inline, or by a parameter. */
function emptyTag({ values, source }: HelmFailure): string | undefined {
  const parameter = source.helm.parameters.findLast(
    ({ name, value }) => /(^|\.)tag$/.test(name) && value.trim() === '',
  );
  if (parameter !== undefined) return `parameters: ${parameter.name}`;
  for (const tree of values.toReversed()) {
    const key = emptyTagOf(tree);
    if (key !== undefined) return key;
  }
  return undefined;
}

function emptyTagOf(tree: ValuesTree): string | undefined {
  for (const { path, scalar } of leaves(tree.root)) {
    const isEmpty = scalar.text.trim() === '' || (scalar.plain && /^(~|null|Null|NULL)$/.test(scalar.text));
    if (path.at(-1) === 'tag' && isEmpty) return `${tree.shown} line ${String(scalar.line)}: ${path.join('.')}`;
  }
  return undefined;
}
