/**
 * What we emit against Kubernetes' own OpenAPI description (1.34), unknown fields refused: every golden example as a
 * whole, and of every real chart in ../shared/cases, in every gate and pull method, the objects that are not the chart's.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { GATES, PULL_METHODS } from '../src/api/choices.ts';
import { DEFAULT_POLICY } from '../src/api/policy.ts';
import type { Manifest } from '../src/manifest/manifest.ts';
import { readStream } from '../src/manifest/stream.ts';
import type { PrepullOptions } from '../src/prepull/options.ts';
import { transform } from '../src/prepull/transform.ts';
import { ROOT, exampleNames, readGolden, readObjects, type ReadObject } from './examples/argo-cd.ts';
import { findDescription, readDescription, type Check } from './openapi/schema.ts';

const description = findDescription();
const cases = process.env.PREPULLER_CASES ?? join(ROOT, '../shared/cases');
const caseNames = existsSync(cases)
  ? readdirSync(cases).filter((name) => existsSync(join(cases, name, 'rendered.yaml')))
  : [];

const whenDescribed = description === undefined ? describe.skip : describe;
const whenCases = caseNames.length === 0 && !process.env.CI ? describe.skip : describe;

let check: Check;
beforeAll(() => {
  if (description !== undefined) check = readDescription(description);
});

/** Objects of documents the chart did not render just so, byte for byte: what we made and what we changed. */
function added(before: readonly Manifest[], after: readonly Manifest[]): ReadObject[] {
  const text = ({ body }: Manifest) => Buffer.from(body).toString();
  const known = new Set(before.map(text));
  return after
    .map(text)
    .filter((document) => !known.has(document))
    .flatMap(readObjects);
}

function options(gate: PrepullOptions['gate'], pullMethod: PrepullOptions['pullMethod']): PrepullOptions {
  return {
    gate,
    pullMethod,
    image: 'registry.example.org/argocd-prepuller:1',
    images: [],
    profileImages: 'auto',
    mutableTags: ['latest'],
    continuous: true,
    continuousPriority: 'auto',
    emitPriorityClass: true,
    emitNodeRole: true,
    policy: DEFAULT_POLICY,
    app: { name: 'hub', namespace: 'hub' },
    revision: '0123456',
  };
}

whenDescribed(`against Kubernetes' OpenAPI description${description ? '' : ' (skipped: needs Go)'}`, () => {
  test('the check refuses what an API server would', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'a', imag: 'b' }] },
    };
    expect(check(pod)).toEqual([expect.stringContaining('additional')]);
    expect(check({ ...pod, kind: 'Pot' })).toEqual(['Kubernetes does not know v1/Pot']);
    expect(check({ ...pod, spec: { containers: [{ image: 'b' }] } })).toEqual([expect.stringContaining('name')]);
  });

  test.each(exampleNames().filter((name) => readGolden(name, 'expected.yaml') !== undefined))(
    'example %s fits',
    (name) => {
      const objects = readObjects(readGolden(name, 'expected.yaml')!);
      expect(objects.length).toBeGreaterThan(0);
      expect(objects.flatMap((object) => check(object))).toEqual([]);
    },
  );

  whenCases(`real charts (${String(caseNames.length)} cases)`, () => {
    test('all cases are here', () => {
      expect(caseNames.length).toBeGreaterThanOrEqual(process.env.PREPULLER_CASES === undefined ? 38 : 1);
    });

    test.each(caseNames)('%s fits in every gate, by every pull method', (name) => {
      const before = readStream(readFileSync(join(cases, name, 'rendered.yaml')));
      for (const gate of GATES) {
        for (const method of PULL_METHODS) {
          const ours = added(before, transform(before, options(gate, method)).manifests);
          expect([gate, method, ours.flatMap((object) => check(object))]).toEqual([gate, method, []]);
          expect([gate, method, ours.length > 0]).toEqual([gate, method, true]);
        }
      }
    });
  });
});
