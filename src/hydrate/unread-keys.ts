/**
 * Values of an umbrella chart that stand beside the key of the chart they are for: helm hands a chart below nothing but
 * its own part, so they are dropped without a word and the hub runs with the defaults.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Warning } from '../api/warning.ts';
import { UserError } from '../errors.ts';
import { readDependencies, type Dependency } from './chart-file.ts';
import { readRegularFile } from './place.ts';
import type { ValuesTree } from './values-tree.ts';

/** Top-level keys of JupyterHub's chart: nobody writes them for another. */
const HUB_KEYS = ['hub', 'proxy', 'singleuser', 'scheduling', 'prePuller', 'cull'];

/** A warning a file; throws UserError when the keys are a hub's and a hub chart is among the dependencies. */
export async function checkUnreadKeys(folder: string, values: readonly ValuesTree[]): Promise<Warning[]> {
  const dependencies = await readDependencies(folder);
  if (dependencies.length === 0) return [];
  const templates = await readTemplates(join(folder, 'templates'));
  const warnings: Warning[] = [];
  for (const tree of values) {
    const unread = unreadKeys(tree, dependencies, templates);
    if (unread.length === 0) continue;
    refuseHubKeys(tree, unread, dependencies);
    warnings.push({
      message: 'values that no chart reads: a chart below reads only what stands under its own key',
      fields: {
        file: tree.shown,
        keys: unread
          .slice(0, 5)
          .map((one) => one.key)
          .join(', '),
        charts: dependencies.map((one) => one.key).join(', '),
      },
    });
  }
  return warnings;
}

interface UnreadKey {
  key: string;
  line: number;
}

function unreadKeys({ root }: ValuesTree, dependencies: readonly Dependency[], templates: string): UnreadKey[] {
  if (root?.kind !== 'map' || /\bValues\b(?!\.\w)/.test(templates)) return [];
  const read = new Set(['global', 'tags', ...dependencies.flatMap((one) => [one.key, ...conditionRoots(one)])]);
  return root.entries.filter(
    ({ key, value }) =>
      !read.has(key) &&
      value.kind !== 'alias' &&
      !key.startsWith('x-') &&
      !new RegExp(`\\bValues\\.${escape(key)}\\b`).test(templates),
  );
}

function conditionRoots({ condition }: Dependency): string[] {
  return condition.split(',').map((path) => path.trim().split('.')[0] ?? '');
}

function refuseHubKeys(tree: ValuesTree, unread: readonly UnreadKey[], dependencies: readonly Dependency[]): void {
  const hub = dependencies.find((one) => /hub/i.test(one.name));
  const lost = unread.find((one) => HUB_KEYS.includes(one.key));
  if (hub === undefined || lost === undefined) return;
  throw new UserError(
    `${tree.shown} line ${String(lost.line)}: ${lost.key} stands beside ${hub.key}, where no chart reads it: ` +
      `indent it below ${hub.key}: (as ${hub.key}.${lost.key})`,
  );
}

/** All templates of the chart itself, as one text to search. */
async function readTemplates(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const texts = names.filter((name) => /\.(ya?ml|tpl|txt|json)$/.test(name));
  return (await Promise.all(texts.map((name) => readRegularFile(join(folder, name))))).join('\n');
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
