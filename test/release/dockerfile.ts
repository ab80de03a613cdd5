/** A Dockerfile, read: stages with their instructions, continued lines joined. Enough for rules; building it is the e2e suite `image`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../commands/prepuller.ts';

export interface Instruction {
  keyword: string;
  /** Flags such as `--from=git`, without the dashes. */
  flags: Record<string, string>;
  text: string;
}

export interface Stage {
  name: string | undefined;
  base: string;
  flags: Record<string, string>;
  instructions: Instruction[];
}

export interface Dockerfile {
  /** ARGs before the first stage, with their defaults. */
  args: Record<string, string>;
  stages: Stage[];
}

export function readDockerfile(): Dockerfile {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const joined = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  const file: Dockerfile = { args: {}, stages: [] };
  for (const line of joined.split('\n').filter((one) => one.trim() !== '')) add(file, parse(line));
  return file;
}

function parse(line: string): Instruction {
  const [, keyword = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
  if (keyword === '') throw new Error(`no instruction: ${line}`);
  const flags: Record<string, string> = {};
  let text = rest;
  for (let flag = /^--([\w-]+)=(\S+)\s+/.exec(text); flag !== null; flag = /^--([\w-]+)=(\S+)\s+/.exec(text)) {
    flags[flag[1]!] = flag[2]!;
    text = text.slice(flag[0].length);
  }
  return { keyword, flags, text };
}

function add(file: Dockerfile, instruction: Instruction): void {
  const { keyword, text, flags } = instruction;
  if (keyword === 'FROM') {
    const [base = '', , name] = text.split(/\s+/);
    file.stages.push({ name, base, flags, instructions: [] });
    return;
  }
  const stage = file.stages.at(-1);
  if (stage !== undefined) stage.instructions.push(instruction);
  else {
    const [name = '', value = ''] = text.split('=');
    file.args[name] = value;
  }
}
