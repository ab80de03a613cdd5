/** Saved lists that operators can compare their own with: each is judged and must come out as its golden files say. */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLES, explain } from './calls.ts';

const MINIMUM = 12;
const names = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const read = (name: string, file: string): string => readFileSync(join(EXAMPLES, name, file), 'utf8');

/** What the example's own command line says after the program's and the command's name. */
function argvOf(name: string): string[] {
  return read(name, 'command.txt').trim().split(' ').slice(2);
}

/** A mismatch leaves what came out beside the golden file, as got.txt or got.json. */
function compare(name: string, form: 'txt' | 'json', found: string): void {
  const got = join(EXAMPLES, name, `got.${form}`);
  rmSync(got, { force: true });
  const golden = join(EXAMPLES, name, `expected.${form}`);
  if (process.env.UPDATE_GOLDENS === 'explain') writeFileSync(golden, found);
  if (readFileSync(golden, 'utf8') !== found) writeFileSync(got, found);
  expect(found).toBe(readFileSync(golden, 'utf8'));
}

test(`${names.length} examples, at least ${MINIMUM}, all of them in the README`, () => {
  console.log(`explained examples: ${names.length}`);
  expect(names.length).toBeGreaterThanOrEqual(MINIMUM);
  const readme = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
  expect([...readme.matchAll(/^\| \[([\w-]+)\]/gm)].map(([, name]) => name)).toEqual(names);
});

test.each(names)('%s', async (name) => {
  const text = await explain(argvOf(name), join(EXAMPLES, name));
  compare(name, 'txt', String(text.stdout));
  const json = await explain([...argvOf(name), '-o', 'json'], join(EXAMPLES, name));
  compare(name, 'json', String(json.stdout));
});

test.each(names)('%s keeps the promised shape of the JSON', (name) => {
  for (const puller of JSON.parse(read(name, 'expected.json')) as Record<string, unknown>[]) {
    expect(Object.keys(puller)).toEqual(['namespace', 'name', 'health', 'reason', 'message', 'counts', 'nodes']);
    expect(Object.keys(puller.counts as object)).toEqual(['eligible', 'pulled', 'pulling', 'tolerated', 'failed']);
    for (const node of puller.nodes as object[])
      expect(Object.keys(node)).toEqual(['node', 'state', 'reason', 'image', 'message']);
  }
});
