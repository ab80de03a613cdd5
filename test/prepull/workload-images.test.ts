/** The images of pullers of ours and of labelled workloads. */
import { findHubs, type Hub } from '../../src/manifest/hubs.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { labelledImages, wantedImages, type ImageOptions } from '../../src/prepull/wanted-images.ts';
import { hubObject, puller } from '../manifest/hub-objects.ts';

const OPTIONS: ImageOptions = { images: [], profileImages: 'auto', mutableTags: ['latest'] };

function hubOf(object: KubeObject): Hub {
  return findHubs([object])[0]!;
}

describe('pullers of ours', () => {
  function ours(spec: object, sources: unknown): KubeObject {
    const made = puller('hook', []);
    return {
      ...made,
      metadata: {
        ...made.metadata,
        labels: { ...made.metadata.labels, 'argocd-prepuller.github.io/role': 'hook' },
        annotations: { 'argocd-prepuller.github.io/sources': JSON.stringify(sources) },
      },
      spec: { template: { spec } },
    };
  }

  test('regular containers pull where the annotation says so; the other one is the pause image', () => {
    const containers = [
      { name: 'pull-1', image: 'a:1' },
      { name: 'pull-2', image: 'b:1', imagePullPolicy: 'Always' },
      { name: 'pause', image: 'pause:1' },
    ];
    const wanted = wantedImages(hubOf(ours({ containers }, { 'pull-1': 'x', 'pull-2': 'y' })), OPTIONS);
    expect(wanted.images.map((image) => [image.written, image.always])).toEqual([
      ['a:1', false],
      ['b:1', true],
    ]);
    expect(wanted.pauseImage).toBe('pause:1');
  });

  test('image volumes pull; the containers that hold them rest', () => {
    const spec = {
      containers: [{ name: 'pull-0-a', image: 'pause:1', volumeMounts: [{ name: 'pull-0-a', mountPath: '/image' }] }],
      volumes: [
        { name: 'pull-0-a', image: { reference: 'a:1' } },
        { name: 'w', emptyDir: {} },
      ],
    };
    const wanted = wantedImages(hubOf(ours(spec, { 'pull-0-a': 'x' })), OPTIONS);
    expect(wanted.images.map((image) => image.written)).toEqual(['a:1']);
    expect(wanted.pauseImage).toBe('pause:1');
  });

  test('an annotation that is no JSON counts as absent', () => {
    const broken = ours({ containers: [{ name: 'a', image: 'a:1' }] }, {});
    broken.metadata.annotations = { 'argocd-prepuller.github.io/sources': '{' };
    expect(wantedImages(hubOf(broken), OPTIONS).images).toEqual([]);
  });
});

describe('K-06: labelledImages', () => {
  const workload = (label: unknown): KubeObject => {
    const object = hubObject(
      'Deployment',
      'app',
      {},
      {
        spec: {
          template: {
            spec: {
              initContainers: [{ name: 'i', image: 'init:1' }],
              containers: [{ name: 'c', image: 'main', imagePullPolicy: 'Always' }],
            },
          },
        },
      },
    );
    return {
      ...object,
      metadata: { ...object.metadata, labels: { 'argocd-prepuller.github.io/pull': label as string } },
    };
  };

  test('every image of a labelled workload, from any chart', () => {
    const { images, warnings } = labelledImages([workload('true')], OPTIONS);
    expect(images.map((image) => [image.written, image.sources, image.always])).toEqual([
      ['init:1', [{ object: 'Deployment/app', path: 'spec.template.spec.initContainers[0].image' }], false],
      ['main', [{ object: 'Deployment/app', path: 'spec.template.spec.containers[0].image' }], true],
    ]);
    expect(warnings).toHaveLength(1);
  });

  test.each([['false'], [true], [undefined], ['']])('not with label %j', (label) => {
    expect(labelledImages([workload(label)], OPTIONS).images).toEqual([]);
  });

  test('the label may stand on the pod template, where a chart lets users label pods only', () => {
    const object = workload('false');
    const template = {
      metadata: { labels: { 'argocd-prepuller.github.io/pull': 'true' } },
      spec: { containers: [{ name: 'c', image: 'a:1' }] },
    };
    expect(labelledImages([{ ...object, spec: { template } }], OPTIONS).images.map(({ written }) => written)).toEqual([
      'a:1',
    ]);
  });

  test('a label on what makes no pods does nothing', () => {
    const service = { ...workload('true'), kind: 'Service', apiVersion: 'v1' };
    expect(labelledImages([service], OPTIONS).images).toEqual([]);
  });
});
