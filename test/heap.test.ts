/** The tight heap is in force: a child that keeps much and throws away more stays closer to what it keeps than V8 alone would. */
import { execFileSync } from 'node:child_process';

const HEAP = JSON.stringify(new URL('../src/heap.ts', import.meta.url).href);

/** Keeps some 40 MB, replaces them again and again, and tells how large the generations became: the young while it fills, the old as a share of what lives. */
function churn(tight: boolean): { young: number; old: number } {
  const code = `
    const { keepHeapTight } = await import(${HEAP});
    if (${String(tight)}) keepHeapTight();
    const { getHeapSpaceStatistics } = await import('node:v8');
    const used = (name) => getHeapSpaceStatistics().find((space) => space.space_name === name);
    const kept = Array.from({ length: 300_000 }, (_, index) => ({ index, text: 'kept ' + index }));
    const young = used('new_space').space_size;
    gc();
    const left = used('old_space').space_used_size;
    let old = 0;
    for (let round = 0; round < 1_500; round += 1) {
      for (let count = 0; count < 2_000; count += 1) {
        const index = (round * 2_000 + count) % kept.length;
        kept[index] = { index, text: 'new ' + round + index };
      }
      await new Promise(setImmediate);
      old = Math.max(old, used('old_space').space_used_size);
    }
    process.stdout.write(JSON.stringify({ young, old: old / left }));
  `;
  const args = ['--expose-gc', '--input-type=module', '--eval', code];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as { young: number; old: number };
}

test('neither generation runs far ahead of what lives', () => {
  const [alone, tight] = [churn(false), churn(true)];
  expect(tight.young).toBeLessThan(20e6);
  expect(alone.young).toBeGreaterThan(20e6);
  // Some is made while a collection is under way: what counts is that it is far less than V8 alone.
  expect(tight.old).toBeLessThan(alone.old / 1.5);
}, 30_000);
