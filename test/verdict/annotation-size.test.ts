/** The verdict annotation of the largest clusters. */
import { printAnnotation, readAnnotation } from '../../src/verdict/annotation.ts';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import { after, backOff, NOT_FOUND, pod, PREFIX, puller, unschedulable } from './cluster.ts';
import { lookAt, snapshotOf } from './look.ts';

test('at most 4 KiB at 15,000 nodes that all fail in their own way, and one error of each image is kept', () => {
  const images = Array.from(
    { length: 8 },
    (_, index) => `quay.io/example/a-rather-long-name-for-an-image-${index}:2026.01.${index}`,
  );
  const nodes = Array.from({ length: 15_000 }, (_, index) => `ip-10-0-${index}.eu-west-1.compute.internal`);
  const pods = nodes.map((name, index) => {
    if (index % 10 > 0) return unschedulable(name, 'full', 1, { images });
    return pod(name, { images, containers: images.map((image) => backOff(image, NOT_FOUND(image))) });
  });
  const all = [puller({ images, desired: 15_000 }), ...pods];
  const text = printAnnotation(lookAt(all, { now: 200 }), snapshotOf(all).daemonSet, after(200));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
  expect(Buffer.byteLength(text)).toBeGreaterThan(3000);
  const value = JSON.parse(text) as { nodes: unknown[]; more: number; errors: string[][] };
  expect(value.nodes.length).toBeGreaterThan(0);
  expect(value.nodes.length + value.more).toBe(15_000);
  const carrier = readDaemonSet(puller({ annotations: { [`${PREFIX}/verdict`]: text } }));
  expect(readAnnotation(carrier, after(200)).turnedAway.size).toBeGreaterThan(0);
  expect(readAnnotation(carrier, after(200)).errors.size).toBeGreaterThan(0);
});
