/** Tests that a page names as proof: links whose text is a test's title and whose target is the file it stands in. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../commands/prepuller.ts';

export interface NamedTest {
  title: string;
  /** From the project's root. */
  path: string;
}

/** Every such link in a part of a page; `page` is where it stands, from the project's root. */
export function namedTests(text: string, page: string): NamedTest[] {
  const links = [
    ...text.matchAll(/\[((?:[^[\]]|\[[^[\]]*\])+)\]\(((?:\.\.\/)?(?:test|install|examples)\/[^)\s#]+)\)/g),
  ];
  return links.map(([, title = '', target = '']) => ({ title, path: join(dirname(page), target) }));
}

/** Whether the title stands in the file as text of a test; of a golden file, whether it is the name of its folder. */
export function isThere({ title, path }: NamedTest): boolean {
  const file = join(ROOT, path);
  if (!existsSync(file)) return false;
  if (path.startsWith('examples/')) return dirname(path).endsWith(`/${title}`);
  const source = readFileSync(file, 'utf8');
  return path.endsWith('.ts') ? [`'${title}'`, `\`${title}`].some((quoted) => source.includes(quoted)) : source.includes(title); // prettier-ignore
}
