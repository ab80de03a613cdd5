/** Real rendered charts through every gate: nothing but ours changes, a second run changes nothing, the same input gives the same bytes. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GATES, type Gate } from '../src/api/choices.ts';
import { ROLE_LABEL } from '../src/api/names.ts';
import { DEFAULT_POLICY } from '../src/api/policy.ts';
import { objectsIn } from '../src/manifest/edit.ts';
import type { KubeObject, Manifest } from '../src/manifest/manifest.ts';
import { podSpecOf } from '../src/manifest/pod-spec.ts';
import { printStream, readStream } from '../src/manifest/stream.ts';
import type { PrepullOptions } from '../src/prepull/options.ts';
import { transform, type Transformed } from '../src/prepull/transform.ts';

const folder = process.env.PREPULLER_CASES ?? join(import.meta.dirname, '..', '..', 'shared', 'cases');
const minimum = process.env.PREPULLER_CASES === undefined ? 38 : 1;
const isHere = existsSync(folder);
if (!isHere && process.env.CI !== undefined) throw new Error(`rendered cases are missing: ${folder}`);
const names = isHere ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'EXPECT.json'))) : [];
const describeCases = isHere ? describe : describe.skip;

/** Cases that are run a hundred times; the others twice. */
const OFTEN = 4;
const RUNS = 100;

interface Case {
  release?: string;
  namespace?: string;
}

function optionsFor(name: string, gate: Gate): PrepullOptions {
  const { release, namespace } = JSON.parse(readFileSync(join(folder, name, 'EXPECT.json'), 'utf8')) as Case;
  return {
    gate,
    image: 'registry.example.org/prepuller:1',
    images: [],
    pullMethod: 'containers',
    profileImages: 'auto',
    mutableTags: ['latest'],
    continuous: false,
    continuousPriority: 'auto',
    emitPriorityClass: true,
    emitNodeRole: true,
    policy: DEFAULT_POLICY,
    app: { name: release ?? 'app', namespace: namespace ?? 'default' },
    revision: '0123456',
  };
}

function render(name: string): Buffer {
  return readFileSync(join(folder, name, 'rendered.yaml'));
}

function once(bytes: Uint8Array, options: PrepullOptions): Transformed & { bytes: Buffer } {
  const transformed = transform(readStream(bytes), options);
  return { ...transformed, bytes: Buffer.from(printStream(transformed.manifests)) };
}

/** `Kind/namespace/name`. */
function keyOf({ kind, metadata }: KubeObject): string {
  return [kind, metadata.namespace ?? '', metadata.name ?? ''].join('/');
}

/** Bodies of the documents that hold none of these objects. */
function bodiesWithout(manifests: readonly Manifest[], keys: ReadonlySet<string>): string[] {
  return manifests
    .filter((manifest) => !objectsIn([manifest]).some((object) => keys.has(keyOf(object))))
    .map(({ body }) => Buffer.from(body).toString('latin1').trimEnd())
    .filter((body) => body !== '');
}

/** What the design lets a plan change or drop: pullers, what only they need, the awaiter's, and the one that carries the digest. */
function mayChange(objects: readonly KubeObject[], { summary }: Transformed): Set<string> {
  const titled = new Set([
    ...summary.apps.flatMap(({ pullers, dropped, changed }) => [
      ...pullers.map(({ object }) => object),
      ...dropped,
      ...changed.map(({ object }) => object),
    ]),
    ...(summary.digest === undefined ? [] : [summary.digest.object]),
  ]);
  return new Set(objects.filter(({ kind, metadata }) => titled.has(`${kind}/${metadata.name ?? '?'}`)).map(keyOf));
}

const ALLOWED =
  /^(DaemonSet\/.*image-puller|(Job|ServiceAccount|(Cluster)?Role(Binding)?)\/.*image-(awaiter|puller)|PriorityClass\/|Secret\/.*pull|Secret\/.*\/image-credentials|Deployment\/.*hub)/;

describeCases.each(GATES)(`gate %s over the rendered cases${isHere ? '' : ' (PREPULLER_CASES not found)'}`, (gate) => {
  test.each(names)('%s', (name) => {
    const options = optionsFor(name, gate);
    const before = readStream(render(name));
    const first = once(render(name), options);
    const changeable = mayChange(objectsIn(before), first);
    expect([...changeable].filter((key) => !ALLOWED.test(key))).toEqual([]);
    const ours = new Set(objectsIn(first.manifests).filter(isOurs).map(keyOf));
    const untouched = bodiesWithout(before, changeable);
    expect(bodiesWithout(first.manifests, new Set([...ours, ...changeable]))).toEqual(untouched);

    expect(once(first.bytes, options).bytes.equals(first.bytes)).toBe(true);
    expect(once(render(name), options).bytes.equals(first.bytes)).toBe(true);
    expectWhole(objectsIn(readStream(first.bytes)), gate);
  });
});

function isOurs({ metadata }: KubeObject): boolean {
  return metadata.labels?.[ROLE_LABEL] !== undefined;
}

/** Holds for every output: no awaiter of the chart, no dangling class, pullers that one full node cannot hold up. */
function expectWhole(objects: readonly KubeObject[], gate: Gate): void {
  const keys = objects.map(keyOf);
  expect(keys.filter((key) => key.includes('image-awaiter'))).toEqual([]);
  expect(keys.length).toBe(new Set(keys).size);
  for (const object of objects.filter(isOurs)) {
    expect(object.metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
    if (object.kind !== 'DaemonSet') continue;
    const { priorityClassName, terminationGracePeriodSeconds } = podSpecOf(object)!.spec;
    expect(terminationGracePeriodSeconds).toBe(0);
    if (priorityClassName !== undefined) expect(keys).toContain(`PriorityClass//${priorityClassName}`);
  }
  const hooks = objects.filter(
    (object) => object.kind === 'DaemonSet' && object.metadata.labels?.[ROLE_LABEL] === 'hook',
  );
  expect(hooks.length > 0).toBe(gate === 'presync' || gate === 'job');
}

describeCases('the same input', () => {
  test.each(names.slice(0, OFTEN))(`%s gives one hash over ${RUNS} runs`, (name) => {
    const hashes = new Set<string>();
    for (let index = 0; index < RUNS; index++) {
      const { bytes } = once(render(name), optionsFor(name, GATES[index % GATES.length]!));
      hashes.add(createHash('sha256').update(bytes).digest('hex'));
    }
    expect(hashes.size).toBe(GATES.length);
  });
});

test(`there are at least ${minimum} cases`, () => {
  console.log(`rendered cases through ${GATES.length} gates: ${names.length}`);
  if (isHere) expect(names.length).toBeGreaterThanOrEqual(minimum);
});
