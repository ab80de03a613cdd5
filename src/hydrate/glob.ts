/**
 * Globs in values files as Argo CD expands them (doublestar): `*`, `?`, `[…]`, `{…}` within a name, `**` over folders;
 * names in byte order, a folder's own files before what lies below it. The order decides which values win.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What makes a path a pattern; braces alone do not. */
export function isGlob(path: string): boolean {
  return /[*?[]/.test(path);
}

/** Paths below `folder` that match, in merge order; folders, links that lead nowhere included as they are. */
export async function expandGlob(folder: string, pattern: string): Promise<string[]> {
  const found = await walk(
    folder,
    pattern.split('/').filter((segment) => segment !== '' && segment !== '.'),
  );
  return [...new Set(found)];
}

async function walk(folder: string, [segment, ...rest]: string[]): Promise<string[]> {
  if (segment === undefined) return [];
  if (segment === '..') return walk(join(folder, '..'), rest);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  if (segment === '**') {
    const below = entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
    return [...(await walk(folder, rest.length === 0 ? ['*'] : rest)), ...(await walkAll(below, [segment, ...rest]))];
  }
  const pattern = segmentPattern(segment);
  const paths = entries.filter((entry) => pattern.test(entry.name)).map((entry) => join(folder, entry.name));
  return rest.length === 0 ? paths : walkAll(paths, rest);
}

async function walkAll(paths: readonly string[], segments: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) found.push(...(await walk(path, segments)));
  return found;
}

/** One name's pattern; what is no wildcard, class, choice or escape stands for itself. */
function segmentPattern(segment: string): RegExp {
  const tokens = segment.match(/\\.|\[[!^]?(?:\\.|[^\]])+\]|\{[^}]*\}|./gsu) ?? [];
  return new RegExp(`^${tokens.map(tokenPattern).join('')}$`, 'su');
}

function tokenPattern(token: string): string {
  if (token === '*') return '.*';
  if (token === '?') return '.';
  const inside = token.slice(1, -1);
  if (token.length > 2 && token.startsWith('[')) {
    return `[${inside.replace(/^[!^]/, '').length < inside.length ? '^' : ''}${inside.replace(/^[!^]/, '').replace(/[[\]^]/g, '\\$&')}]`;
  }
  if (token.length > 1 && token.startsWith('{')) return `(?:${inside.split(',').map(literal).join('|')})`;
  return literal(token.replace(/^\\(?=.)/su, ''));
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
