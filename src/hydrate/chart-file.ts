/** What Chart.yaml (and requirements.yaml of old charts) says about the charts below. Read leniently: helm is the judge. */
import { join } from 'node:path';
import { load } from 'js-yaml';
import { readRegularFile } from './place.ts';

export interface Dependency {
  name: string;
  /** The key its values stand under: alias, else name. */
  key: string;
  repository: string;
  condition: string;
}

/** Dependencies in the order of the file; none when it is missing or broken. */
export async function readDependencies(folder: string): Promise<Dependency[]> {
  const files = ['Chart.yaml', 'requirements.yaml'];
  const lists = await Promise.all(files.map((name) => dependenciesOf(join(folder, name))));
  return lists.flat();
}

async function dependenciesOf(path: string): Promise<Dependency[]> {
  const chart = parse((await readRegularFile(path)) ?? '');
  if (!isFields(chart) || !Array.isArray(chart.dependencies)) return [];
  return chart.dependencies.filter(isFields).map((dependency) => ({
    name: textOf(dependency.name),
    key: textOf(dependency.alias) || textOf(dependency.name),
    repository: textOf(dependency.repository),
    condition: textOf(dependency.condition),
  }));
}

function parse(text: string): unknown {
  try {
    return load(text, { json: true });
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
