/** What people get wrong in image references, each with what to do; the first rule that speaks wins. */

/** `template`: text not yet expanded; `unpullable`: a placeholder tag that no registry holds; `invalid`: a mistake to fix. */
export type ProblemKind = 'template' | 'unpullable' | 'invalid';

export interface ReferenceProblem {
  /** As written in the chart. */
  readonly text: string;
  readonly kind: ProblemKind;
  /** What is wrong and what to do, without the text itself: `the tag is empty; set it`. */
  readonly problem: string;
}

interface Parts {
  readonly registry?: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

interface Rule {
  kind: ProblemKind;
  problem: string;
  applies: (text: string, parts: Parts) => boolean;
}

/** What chartpress writes into charts before they are packaged. */
const CHARTPRESS_TAG = 'set-by-chartpress';
/** What Go prints for a large float. */
const FLOAT_TAG = /^[0-9](?:\.[0-9]+)?e\+[0-9]{2,}$/;
const TEMPLATE = /\{[^}]*\}|\$\(|\$\{|\$[A-Za-z_]|<no value>|%!/;

/** Spoken even where the grammar allows the text. */
const ALWAYS: readonly Rule[] = [
  { kind: 'invalid', problem: 'the image is empty; set its name and tag', applies: (text) => text.trim() === '' },
  {
    kind: 'template',
    problem: 'the text still holds a template; only what is known before the user starts can be pulled',
    applies: (text) => TEMPLATE.test(text),
  },
  {
    kind: 'unpullable',
    problem: `the tag ${CHARTPRESS_TAG} is a placeholder of a chart that was not packaged; no registry holds it; use a released chart or set the tag`,
    applies: (_text, { tag, digest }) => tag === CHARTPRESS_TAG && digest === undefined,
  },
  {
    kind: 'invalid',
    problem: 'the tag is a number that Helm rewrote as a float; quote the tag in the values: tag: "20240101"',
    applies: (_text, { tag }) => tag !== undefined && FLOAT_TAG.test(tag),
  },
];

/** Why the grammar refuses the text. */
const INVALID: readonly Omit<Rule, 'kind'>[] = [
  { problem: 'it holds a space or a line break; remove it', applies: (text) => /\s/.test(text) },
  {
    problem: 'it begins with a scheme such as https://; an image reference has none',
    applies: (text) => text.includes('://'),
  },
  { problem: 'the tag is empty; set the tag, or leave out the colon', applies: (_text, { tag }) => tag === '' },
  {
    problem: 'the digest is not of the form sha256: and 64 lower-case hexadecimal digits',
    applies: (_text, { digest }) => digest !== undefined,
  },
  {
    problem: 'the tag holds +, which tags cannot hold; Helm users write _ instead',
    applies: (_text, { tag }) => tag?.includes('+') === true,
  },
  {
    problem: 'the tag is longer than 128 characters',
    applies: (_text, { tag }) => tag !== undefined && tag.length > 128,
  },
  {
    problem: 'the tag may hold letters, digits, _, . and - only, and begin with a letter, a digit or _',
    applies: (_text, { tag }) => tag !== undefined && !/^\w[\w.-]*$/.test(tag),
  },
  {
    problem: 'the repository holds an upper-case letter; repositories are lower-case',
    applies: (_text, { repository }) => /[A-Z]/.test(repository),
  },
  { problem: 'the name is empty; set the image name', applies: (_text, { repository }) => repository === '' },
  {
    problem: 'the name is longer than 255 characters',
    applies: (_text, { registry = '', repository }) => registry.length + repository.length > 254,
  },
  {
    problem: 'the repository is 64 hexadecimal digits, which is the form of an image id',
    applies: (_text, { repository }) => /^[a-f0-9]{64}$/.test(repository),
  },
  { problem: 'it is no image reference of the form registry/repository:tag', applies: () => true },
];

/** undefined for a reference that a runtime can pull. */
export function findReferenceProblem(text: string, parts: Parts, isValid: boolean): ReferenceProblem | undefined {
  const spoken = ALWAYS.find((rule) => rule.applies(text, parts));
  if (spoken !== undefined) return { text, kind: spoken.kind, problem: spoken.problem };
  const broken = isValid ? undefined : INVALID.find((rule) => rule.applies(text, parts));
  return broken === undefined ? undefined : { text, kind: 'invalid', problem: broken.problem };
}
