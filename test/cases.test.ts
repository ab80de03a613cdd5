/** The image list and the hubs of real rendered charts, against what a careful reading of each found (EXPECT.json). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProblem, normaliseReference, parseReference } from '../src/image/reference.ts';
import { objectsIn } from '../src/manifest/edit.ts';
import { findHubs, type Hub } from '../src/manifest/hubs.ts';
import type { KubeObject } from '../src/manifest/manifest.ts';
import { readStream } from '../src/manifest/stream.ts';
import { wantedImages } from '../src/prepull/wanted-images.ts';

const folder = process.env.PREPULLER_CASES ?? join(import.meta.dirname, '..', '..', 'shared', 'cases');
const minimum = process.env.PREPULLER_CASES === undefined ? 38 : 1;
const isHere = existsSync(folder);
if (!isHere && process.env.CI !== undefined) throw new Error(`rendered cases are missing: ${folder}`);
const names = isHere ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'EXPECT.json'))) : ['none'];

interface ExpectedPuller {
  name: string;
  namespace: string | null;
  images: string[];
  containers: { kind: string; image: string }[];
}

interface Expected {
  hookDaemonSets: ExpectedPuller[];
  continuousDaemonSets: ExpectedPuller[];
  placeholderStatefulSets: { name: string }[];
  hookObjects: { kind: string; name: string }[];
  configSources: {
    from: string;
    usable: boolean;
    userPodImages?: string[] | null;
    templatedImages?: unknown;
    unboundedImageChoices?: string[] | null;
    provenance?: Record<string, string>;
    pullProfileListImages?: boolean | null;
  }[];
}

const OPTIONS = { images: [], profileImages: 'auto', mutableTags: ['latest'] } as const;

function readCase(name: string): { hubs: Hub[]; expected: Expected } {
  const objects = objectsIn(readStream(readFileSync(join(folder, name, 'rendered.yaml'))));
  const expected = JSON.parse(readFileSync(join(folder, name, 'EXPECT.json'), 'utf8')) as Expected;
  return { hubs: findHubs(objects), expected };
}

function identity(text: string): string {
  const parsed = parseReference(text);
  return isProblem(parsed) ? text : normaliseReference(parsed);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Images of the pullers, but for those that only a main container runs. */
function pulledImages(expected: Expected): string[] {
  const containers = [...expected.hookDaemonSets, ...expected.continuousDaemonSets].flatMap(
    (puller) => puller.containers,
  );
  return containers.filter(({ kind }) => kind === 'initContainers').map(({ image }) => image);
}

/** What only profiles name, in hubs that keep profiles out. */
function profileOnly(expected: Expected): Set<string> {
  const sources = expected.configSources.filter(({ pullProfileListImages }) => pullProfileListImages === false);
  const entries = sources.flatMap(({ provenance }) => Object.entries(provenance ?? {}));
  const named = (inProfile: boolean): string[] =>
    entries.filter(([path]) => path.startsWith('singleuser.profileList') === inProfile).map(([, image]) => image);
  const elsewhere = new Set([...named(false), ...pulledImages(expected)]);
  return new Set(named(true).filter((image) => !elsewhere.has(image)));
}

function titles(objects: readonly (KubeObject | undefined)[]): string[] {
  return objects
    .filter((object) => object !== undefined)
    .map(({ kind, metadata }) => `${kind}/${metadata.namespace ?? ''}/${metadata.name ?? ''}`)
    .sort();
}

function pullerTitles(pullers: readonly ExpectedPuller[]): string[] {
  return pullers.map(({ name, namespace }) => `DaemonSet/${namespace ?? ''}/${name}`).sort();
}

const suite = isHere ? describe : describe.skip;

suite(`rendered charts${isHere ? '' : ' (skipped: no folder of cases here)'}`, () => {
  afterAll(() => {
    console.log(`rendered cases: ${names.length}`);
  });

  test('all cases are here', () => {
    expect(names.length).toBeGreaterThanOrEqual(minimum);
  });

  test.each(names)('%s: the image list is complete and holds nothing else', (name) => {
    const { hubs, expected } = readCase(name);
    const wanted = hubs.map((hub) => wantedImages(hub, OPTIONS));
    const templated = new Set(expected.configSources.flatMap(({ templatedImages }) => textsIn(templatedImages)));
    const leftOut = profileOnly(expected);
    const needed = [
      ...pulledImages(expected),
      ...expected.configSources.flatMap((source) => source.userPodImages ?? []),
    ];
    const pullable = needed.filter((image) => !templated.has(image) && !leftOut.has(image));
    const references = wanted.flatMap(({ images }) => images.map(({ reference }) => reference));
    expect([...new Set(references)].sort()).toEqual([...new Set(pullable.map(identity))].sort());
    const skipped = wanted.flatMap((part) => part.skipped.map(({ reference }) => reference));
    expect(skipped).toEqual(expect.arrayContaining([...templated].filter((image) => needed.includes(image))));
  });

  test.each(names)('%s: the default image comes first, each image once', (name) => {
    for (const hub of readCase(name).hubs) {
      const { images } = wantedImages(hub, OPTIONS);
      expect(new Set(images.map(({ reference }) => reference)).size).toBe(images.length);
      if (images.some(({ sources }) => sources.some(({ path }) => path === 'singleuser.image')))
        expect(images[0]?.sources[0]?.path).toBe('singleuser.image');
    }
  });

  test.each(names)('%s: the pause image is known and no image for that alone', (name) => {
    const { hubs, expected } = readCase(name);
    const pause = hubs.map((hub) => wantedImages(hub, OPTIONS).pauseImage).filter((image) => image !== undefined);
    const mains = [...expected.hookDaemonSets, ...expected.continuousDaemonSets].flatMap(({ containers }) =>
      containers.filter(({ kind }) => kind === 'containers').map(({ image }) => image),
    );
    expect(new Set(pause)).toEqual(new Set(mains));
  });

  test.each(names)('%s: pullers, awaiters and placeholders are found, each in one hub', (name) => {
    const { hubs, expected } = readCase(name);
    expect(titles(hubs.map(({ hookPuller }) => hookPuller))).toEqual(pullerTitles(expected.hookDaemonSets));
    expect(titles(hubs.map(({ continuousPuller }) => continuousPuller))).toEqual(
      pullerTitles(expected.continuousDaemonSets),
    );
    const nameless = (list: string[]): string[] => list.map((title) => title.replace(/\/.*\//, '/')).sort();
    expect(nameless(titles(hubs.flatMap(({ awaiter }) => awaiter)))).toEqual(
      expected.hookObjects
        .filter((object) => object.name.includes('image-awaiter'))
        .map((object) => `${object.kind}/${object.name}`)
        .sort(),
    );
    expect(nameless(titles(hubs.map(({ placeholder }) => placeholder)))).toEqual(
      expected.placeholderStatefulSets.map((set) => `StatefulSet/${set.name}`).sort(),
    );
  });

  test.each(names)('%s: the configuration is found, and free choices are remarked on', (name) => {
    const { hubs, expected } = readCase(name);
    const found = hubs.flatMap(({ configuration }) => (configuration === undefined ? [] : [configuration.object]));
    expect(found.map(({ kind, metadata }) => `${kind}/${metadata.name ?? ''}`).sort()).toEqual(
      expected.configSources
        .filter(({ usable }) => usable)
        .map(({ from }) => from)
        .sort(),
    );
    const remarked = hubs.flatMap((hub) => wantedImages(hub, OPTIONS).warnings.map(({ fields }) => fields.path ?? ''));
    for (const path of expected.configSources.flatMap((source) => source.unboundedImageChoices ?? []))
      expect(remarked.some((remark) => remark === path || remark === `${path}.unlisted_choice`)).toBe(true);
  });
});
