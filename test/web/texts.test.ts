/** What clusters and registries say is hostile in each field, in HTML, events and JSON; and the texts that are worked out: what remains, spans. */
import { html } from '../../src/web/html.ts';
import { differences } from '../../src/web/differences.ts';
import { expectedEnd, readPulled } from '../../src/web/remaining.ts';
import type { Range } from '../../src/web/remaining.ts';
import { remainingText, spanText } from '../../src/web/words.ts';
import type { Pull } from '../../src/web/pull.ts';
import { daemonSet, IMAGE, MISSING, node, pulling, startSite, verdict } from './site.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</textarea><svg onload=alert(1)>',
  'javascript:alert(1)',
  '\u001b[2J\u001b]0;owned\u0007',
  'left\u202eright\u2066\u200f',
  '${alert(1)}{{7*7}}',
];

test.each(HOSTILE)('%j in each field stays text', async (text) => {
  const site = await startSite();
  const annotations = {
    'argocd-prepuller.github.io/revision': text,
    'argocd-prepuller.github.io/commit': `12345678 ${text}`,
    'argocd-prepuller.github.io/repository': `https://github.com/${text}`,
    'argocd.argoproj.io/tracking-id': text,
  };
  const state = node(text, { ...MISSING, image: text, message: text, fix: text });
  const told = { ...verdict([state], { message: text }), images: [{ image: text, nodes: 0 }] };
  site.pulls.judged({ ...daemonSet({ annotations, name: text }), namespace: text }, told);
  const one = `/pulls/${encodeURIComponent(text)}/${encodeURIComponent(text)}`;
  for (const path of ['/', `${one}?node=${encodeURIComponent(text)}`, `/nothing?x=${encodeURIComponent(text)}`]) {
    const page = await (await site.get(path)).text();
    expect(page).not.toMatch(/<script(?! type="module" src="\/assets\/live-\w+\.js")|<img|<svg|<textarea/);
    // Without what stands in quotes only the page's own attributes are left in its tags.
    expect(page.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[a-z][^>]*\son\w+=/i);
    expect(page).not.toMatch(/href="(?!\/|https:\/\/github\.com\/)/);
    expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200f]/);
  }
  const json = await (await site.get('/api/v1/pulls')).text();
  expect(json).not.toMatch(/[\u0000-\u001f\u202e\u2066\u200f]/);
  expect(() => JSON.parse(json) as unknown).not.toThrow();
  await site.stop();
});

test('markup is made by the template alone', () => {
  const inner = html`<b>${'<i>'}</b>`;
  expect(html`<p title="${'"'}">${[inner, inner]}${undefined}${7}</p>`.markup).toBe(
    '<p title="&quot;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b>7</p>',
  );
});

test.each([
  ['Successfully pulled image "x" in 1m2.5s (1m5s including waiting). Image size: 5 bytes.', 'x', 65_000],
  ['Successfully pulled image "x" in 250ms', 'x', 250],
  ['Successfully pulled image "x" in 2h3m4s (2h3m4s including waiting)', 'x', 7_384_000],
])('%s', (message, image, milliseconds) => {
  expect(readPulled(message)).toEqual({ image, milliseconds });
});

test.each([
  'Container image "x" already present on machine',
  'Pulling image "x"',
  'Successfully pulled image "x" in a while',
])('%s says no time', (message) => {
  expect(readPulled(message)).toBeUndefined();
});

const NOW = Date.parse('2026-04-01T09:00:00Z');
const range = (shortest: number, longest: number): Range => ({
  shortest: shortest * 1e3,
  longest: longest * 1e3,
  count: 4,
});
const end = (seconds: number): string => new Date(NOW + seconds * 1e3).toISOString().replace('.000', '');
const behind = {
  ...verdict([pulling('a', NOW - 60_000)]),
  images: [
    { image: IMAGE, nodes: 0 },
    { image: 'next', nodes: 0 },
  ],
};

test.each([
  [
    'by pulls of the same images',
    behind,
    { [IMAGE]: range(90, 200), next: range(5, 10) },
    undefined,
    { earliest: end(35), latest: end(150), basis: 4 },
  ],
  [
    'slower than all before',
    behind,
    { [IMAGE]: range(10, 50), next: range(5, 10) },
    undefined,
    { earliest: end(5), basis: 4 },
  ],
  [
    'by whole nodes where an image was never pulled',
    behind,
    { [IMAGE]: range(90, 200) },
    range(100, 400),
    { earliest: end(40), latest: end(340), basis: 4 },
  ],
  ['nothing without a basis', behind, {}, undefined, undefined],
  [
    'nothing while something is wrong',
    verdict([node('a', { ...pulling('a'), reason: 'Retrying' })]),
    {},
    range(1, 2),
    undefined,
  ],
  [
    'nothing while pods are missing',
    { ...behind, counts: { ...behind.counts, pulling: 2 } },
    {},
    range(1, 2),
    undefined,
  ],
  ['nothing when it is over', verdict([node('a')]), {}, range(1, 2), undefined],
])('remaining: %s', (...[, judged, pulls, nodes, expected]) => {
  const experience = { pulls: new Map(Object.entries(pulls as Record<string, Range>)), nodes };
  expect(expectedEnd(judged, NOW - 60_000, experience, NOW)).toEqual(expected);
});

test.each([
  [{ earliest: end(60), latest: end(600), basis: 12 }, '60 s to 10 min, as 12 pulls before'],
  [{ earliest: end(0), latest: end(60), basis: 1 }, 'at most 60 s, as 1 pull before'],
  [{ earliest: end(60), latest: end(60), basis: 2 }, '60 s, as 2 pulls before'],
  [{ earliest: end(60), basis: 2 }, 'longer than any pull before'],
  [{ earliest: end(-60), latest: end(-1), basis: 2 }, 'longer than any pull before'],
])('%j in words', (expected, text) => {
  expect(remainingText({ expected, health: 'Progressing' } as Pull, NOW)).toBe(text);
});

test.each([
  [0, '0 s'],
  [89_000, '89 s'],
  [90_000, '2 min'],
  [5_400_000, '1 h 30 min'],
  [200_000_000, '2 d 7 h'],
  [-5, '0 s'],
])('%d ms is %s', (milliseconds, text) => {
  expect(spanText(milliseconds)).toBe(text);
});

test('differences: new, otherwise, gone', () => {
  const [a, b, d] = [node('a'), node('b'), node('d')];
  const after = [node('a'), node('b', MISSING), node('c')];
  expect(differences([a, b, d], after)).toEqual({ changed: after.slice(1), removed: ['d'] });
  expect(differences([], after)).toEqual({ changed: after, removed: [] });
  expect(differences(after, [])).toEqual({ changed: [], removed: ['a', 'b', 'c'] });
});
