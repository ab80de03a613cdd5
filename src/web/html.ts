/** Text put together so that nothing from outside becomes markup: every value of the template is escaped, unless it is markup already. */

/** Made by `html` alone. */
export interface Markup {
  readonly markup: string;
}

type Value = Markup | string | number | undefined | readonly Markup[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** For values between tags and in quoted attributes. `undefined` is nothing, a list is its parts. */
export function html(texts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let markup = texts[0] ?? '';
  for (const [index, value] of values.entries()) markup += markupOf(value) + (texts[index + 1] ?? '');
  return { markup };
}

function markupOf(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '');
}
