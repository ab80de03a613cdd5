/** docs/install.md as something to run: its shell blocks, and the files its YAML blocks name in their first line. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { INSTALL } from '../install/kustomize.ts';

const PAGE = join(INSTALL, '../docs/install.md');

/** The text between a heading of level two and the next. */
function section(heading: string): string {
  const found = readFileSync(PAGE, 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`docs/install.md has no section ${heading}`);
  return found;
}

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
}

/** The first shell block of a section. */
export function commandsOf(heading: string): string {
  const [first] = blocks(section(heading), 'sh');
  if (first === undefined) throw new Error(`section ${heading} of docs/install.md has no commands`);
  return first;
}

/** Path → text, of all blocks that begin with a path. */
export function filesOnPage(): Map<string, string> {
  const named = blocks(readFileSync(PAGE, 'utf8'), 'yaml').map((block) => [/^# (\S+\.yaml)\n/.exec(block)?.[1], block]);
  return new Map(named.filter((pair): pair is [string, string] => pair[0] !== undefined));
}

/** A repository as the page says it, with install/ in it; `change` may alter the texts. Gives its folder and takes it away again. */
export function writeRepository(change: (text: string) => string): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'campus-'));
  cpSync(INSTALL, join(folder, 'install'), { recursive: true });
  for (const [path, text] of filesOnPage()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), change(text));
  }
  return {
    folder,
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}
