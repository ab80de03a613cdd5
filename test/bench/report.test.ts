/** What the benchmarks write: a budget met or not, the README's table between its markers, plots that show every line. */
import type { Check } from '../../bench/budgets.ts';
import { drawPlot } from '../../bench/plot.ts';
import { isMet, printCheck, withTable, type Report } from '../../bench/report.ts';

const CHECK: Check = { what: 'generate', how: 'p95', value: 200, limit: 210, unit: 'ms' };
const REPORT: Report = {
  machine: {
    cpu: 'A processor',
    cores: 2,
    memory: '8 GiB',
    system: 'Linux 6.1',
    node: '24.0.0',
    helm: '4.1.4',
    'js-yaml': '5.5.0',
    prepuller: '0.1.0',
  },
  load: [0, 0],
  checks: [CHECK],
  growth: [],
  samples: {},
};

test.each([
  [210, true],
  [210.1, false],
])('%d of at most 210 meets the budget: %s', (value, met) => {
  expect(isMet({ ...CHECK, value })).toBe(met);
  expect(printCheck({ ...CHECK, value }).startsWith(met ? 'ok' : 'OVER')).toBe(true);
});

test('the table goes between the markers, however often', () => {
  const once = withTable('before\n<!-- bench -->\nold\n<!-- bench -->\nafter', REPORT);
  expect(once).toContain('| generate | p95 | 200 ms | 210 ms |');
  expect(once).toContain('Node 24.0.0, helm 4.1.4');
  expect(once).not.toContain('old');
  expect(once?.startsWith('before\n')).toBe(true);
  expect(once?.endsWith('\nafter')).toBe(true);
  expect(withTable(once ?? '', REPORT)).toBe(once);
});

test('a README without markers is left alone', () => {
  expect(withTable('nothing here', REPORT)).toBeUndefined();
});

test('a plot names and draws every line', () => {
  const points = [1, 2, 4].map((x) => ({ x, y: 10 * x }));
  const lines = ['one & two', 'three'].map((name) => ({ name, points }));
  const svg = drawPlot({ title: 'Title', x: 'MB', y: 'ms', lines });
  expect(svg).toContain('>one &amp; two</text>');
  expect(svg).toContain('>three</text>');
  expect(svg.match(/<circle /g)).toHaveLength(6);
  expect(svg).not.toContain('NaN');
});
