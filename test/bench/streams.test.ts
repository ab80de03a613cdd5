/** The benchmarks' streams are what they are called: read, planned, of the size and with the images asked for, the same each time. */
import { SERIES } from '../../bench/growth-streams.ts';
import { hubStream } from '../../bench/hub-stream.ts';
import { readSettings } from '../../src/config/settings.ts';
import { objectsIn } from '../../src/manifest/edit.ts';
import { readStream } from '../../src/manifest/stream.ts';
import { prepullOptions } from '../../src/options.ts';
import { transform } from '../../src/prepull/transform.ts';

function imagesIn(stream: Buffer): number {
  const { summary } = transform(readStream(stream), prepullOptions(readSettings({}, {})));
  return new Set(summary.apps.flatMap(({ images }) => images.map(({ reference }) => reference))).size;
}

test('a hub’s stream has the size and the images asked for', () => {
  const stream = hubStream({ bytes: 400_000, images: 30 });
  expect(stream.length).toBeGreaterThanOrEqual(400_000);
  expect(stream.length).toBeLessThan(450_000);
  expect(imagesIn(stream)).toBe(31); // the default image too
  expect(hubStream({ bytes: 400_000, images: 30 }).equals(stream)).toBe(true);
});

describe.each(SERIES)('$name', ({ smallest, stream }) => {
  test('is read and has something to pull', () => {
    expect(objectsIn(readStream(stream(smallest))).length).toBeGreaterThan(1);
    expect(imagesIn(stream(smallest))).toBeGreaterThan(0);
  });

  test('twice the count is a longer stream', () => {
    expect(stream(smallest * 2).length).toBeGreaterThan(1.4 * stream(smallest).length);
  });
});
