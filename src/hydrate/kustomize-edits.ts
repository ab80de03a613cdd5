/** Argo CD's kustomize options as `kustomize edit` commands, in its order and with its substitutions. Run on a private copy. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { UsageError, UserError } from '../errors.ts';
import { expand } from './expand.ts';
import { readKustomization } from './kustomization.ts';
import { quote, type Place } from './place.ts';
import type { Env, KustomizeOptions } from './source.ts';

/** Argument lists for kustomize before patches are added; empty when nothing is set. */
export function editsBeforePatches(options: KustomizeOptions, env: Env): string[][] {
  const labels = mapValues(options.commonLabels, (value) => expand(value, env));
  const annotations = mapValues(options.commonAnnotations, (value) =>
    options.commonAnnotationsEnvsubst ? expand(value, env) : value,
  );
  return [
    ...oneEdit(['set', 'nameprefix', '--'], [options.namePrefix ?? '']),
    ...oneEdit(['set', 'namesuffix', '--'], [options.nameSuffix ?? '']),
    ...oneEdit(['set', 'image'], options.images.map((image) => expand(image, env)).map(noFlag('images'))),
    ...oneEdit(['set', 'replicas'], options.replicas.map(replica).map(noFlag('replicas'))),
    ...oneEdit(['add', 'label', ...labelFlags(options)], pairs(labels).map(noFlag('common-labels'))),
    ...oneEdit(
      ['add', 'annotation', ...(options.forceCommonAnnotations ? ['--force'] : [])],
      pairs(annotations).map(noFlag('common-annotations')),
    ),
    ...oneEdit(['set', 'namespace', '--'], [options.namespace ?? '']),
  ];
}

/** Components come last, after patches. */
export function componentEdits(components: readonly string[]): string[][] {
  return oneEdit(['add', 'component'], components.map(noFlag('components')));
}

/** There is no edit command for patches: they are appended to the file, as Argo CD does. */
export async function appendPatches(built: Place, patches: KustomizeOptions['patches']): Promise<void> {
  const kustomization = await readKustomization(built.folder, built);
  if (patches.length === 0 || kustomization === undefined) return;
  const before = kustomization.fields.patches ?? [];
  if (!Array.isArray(before)) throw new UserError(`${kustomization.file}: patches is no list`);
  const fields = { ...kustomization.fields, patches: [...(before as unknown[]), ...patches] };
  await writeFile(join(built.folder, kustomization.file), dump(fields, { lineWidth: -1 }));
}

function oneEdit(command: readonly string[], values: readonly string[]): string[][] {
  const set = values.filter((value) => value !== '');
  return set.length === 0 ? [] : [['edit', ...command, ...set]];
}

function labelFlags(options: KustomizeOptions): string[] {
  return [
    ...(options.forceCommonLabels ? ['--force'] : []),
    ...(options.labelWithoutSelector ? ['--without-selector'] : []),
    ...(options.labelIncludeTemplates ? ['--include-templates'] : []),
  ];
}

function replica({ name, count }: KustomizeOptions['replicas'][number]): string {
  if (!/^\d+$/.test(String(count))) throw new UsageError(`replicas: ${quote(name)} needs a whole number`);
  return `${name}=${String(count)}`;
}

function pairs(map: Readonly<Record<string, string>>): string[] {
  return Object.entries(map).map(([name, value]) => `${name}:${value}`);
}

function mapValues(map: Readonly<Record<string, string>>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}

function noFlag(what: string): (value: string) => string {
  return (value) => {
    if (value.startsWith('-') || value.includes('\0'))
      throw new UsageError(`${what}: ${quote(value)} reads like a flag`);
    return value;
  };
}
