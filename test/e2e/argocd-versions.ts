/**
 * The version before this one and the one after, as far as the parts of the product see each other: another contract, an annotation or
 * a remembered fact less or more. Made from the built program and from health.lua, for nothing older or newer is there.
 */
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAM } from '../testbed/reconciler.ts';

export const VERSIONS = ['older', 'this', 'newer'] as const;
export type Version = (typeof VERSIONS)[number];

export interface Built {
  /** The path of `prepuller`. */
  program: string;
  /** health.lua; it names its version at the end of each message. */
  lua: string;
}

type Change = readonly [text: string, replacement: string];

const CONTRACT = 'var CONTRACT_VERSION = "1";';
const WITH_SOURCES = '[SOURCES_ANNOTATION]: sourcesText(design.images)';
const REMEMBERED = '...head, turnedAway, errors, nodes: shown,';

const CHANGES: Readonly<Record<Exclude<Version, 'this'>, readonly Change[]>> = {
  older: [
    [CONTRACT, 'var CONTRACT_VERSION = "0";'],
    [WITH_SOURCES, ''],
    [REMEMBERED, '...head, nodes: shown,'],
  ],
  newer: [
    [CONTRACT, 'var CONTRACT_VERSION = "2";'],
    [WITH_SOURCES, `${WITH_SOURCES}, "argocd-prepuller.github.io/quorum": "5"`],
    [
      REMEMBERED,
      '...head, trend: { rising: true }, turnedAway: turnedAway.map((one) => [...one, "why"]), errors: [...errors, ["c q", "a-kind-to-come", "text", 1, 2, 3]], nodes: shown,',
    ],
  ],
};

const HEALTH = join(import.meta.dirname, '../../install/argocd/health.lua');
const ANSWER = 'message = message }';

function buildOf(version: Version, folder: string): Built {
  const health = readFileSync(HEALTH, 'utf8');
  if (!health.includes(ANSWER)) throw new Error(`health.lua has no ${ANSWER}`);
  const lua = health.replace(ANSWER, `message = message .. " [Lua: ${version}]" }`);
  if (version === 'this') return { program: PROGRAM, lua };
  const copy = join(folder, version);
  mkdirSync(copy, { recursive: true });
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(dirname(PROGRAM), '..', part), join(copy, part), { recursive: true });
  for (const change of CHANGES[version]) replaceIn(join(copy, 'dist'), change);
  return { program: join(copy, 'bin/prepuller.mjs'), lua };
}

function replaceIn(folder: string, [text, replacement]: Change): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const concerned = names.filter((name) => readFileSync(join(folder, name), 'utf8').includes(text));
  if (concerned.length === 0) throw new Error(`the program has no ${text}`);
  for (const name of concerned) {
    const path = join(folder, name);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replaceAll(text, () => replacement),
    );
  }
}

export function makeVersions(folder: string): Record<Version, Built> {
  const built = VERSIONS.map((version) => [version, buildOf(version, folder)]);
  return Object.fromEntries(built) as Record<Version, Built>;
}
