/**
 * What one parameter is and how its text is read. The three collection types are those of Argo CD's
 * ParameterAnnouncement (reposerver/repository/repository.proto); inside them every value is text.
 */

export type ParameterValue = string | readonly string[] | Readonly<Record<string, string>>;
export type ParameterType = 'string' | 'array' | 'map';

export interface Parameter<T> {
  name: string;
  title: string;
  /** One or two sentences for Argo CD's UI, `--help` and the documentation. */
  tooltip: string;
  type: ParameterType;
  /** How Argo CD's UI shows a text: a tick box for booleans. */
  itemType?: 'boolean';
  /** As a user would write it; absent when leaving the parameter out means something of its own. */
  default?: ParameterValue;
  /** What it takes, as the end of "parameter NAME takes …". */
  takes: string;
  /** Where it takes one of a few words: the words, so that a typo is answered with the nearest. */
  choices?: readonly string[];
  /** Undefined for text it does not take. Gets only values of its own type. */
  read: (value: ParameterValue) => T | undefined;
}

/** One row for every setting of a topic, so that no setting can be without a parameter, nor a parameter without a setting. */
export type ParameterTable<S> = { readonly [K in keyof S]-?: Parameter<Exclude<S[K], undefined>> };

export interface Wording {
  name: string;
  title: string;
  tooltip: string;
}

/** One of a few words. */
export function choice<T extends string>(wording: Wording, choices: readonly T[], standard: T): Parameter<T> {
  return {
    ...wording,
    type: 'string',
    default: standard,
    takes: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1) ?? ''}`,
    choices,
    read: (value) => choices.find((word) => word === value),
  };
}

/** `true` or `false`; everything else, `yes` and `1` among it, is a mistake and not a silent default. */
export function toggle(wording: Wording, standard: boolean): Parameter<boolean> {
  return {
    ...wording,
    type: 'string',
    itemType: 'boolean',
    default: String(standard),
    takes: 'true or false',
    choices: ['true', 'false'],
    read: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  };
}

/** Free text. Whoever uses it knows its grammar and says what is wrong with it. */
export function text(wording: Wording, takes = 'text'): Parameter<string> {
  return { ...wording, type: 'string', takes, read: (value) => (typeof value === 'string' ? value : undefined) };
}

/** A list of texts, in the order given. */
export function list(wording: Wording, standard: readonly string[] = []): Parameter<readonly string[]> {
  return {
    ...wording,
    type: 'array',
    default: standard,
    takes: 'a list of texts',
    read: (value) => (Array.isArray(value) ? (value as readonly string[]) : undefined),
  };
}

/** Names and texts. */
export function map(wording: Wording): Parameter<Readonly<Record<string, string>>> {
  return {
    ...wording,
    type: 'map',
    default: {},
    takes: 'names with one text each',
    read: (value) =>
      typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, string>) : undefined,
  };
}
