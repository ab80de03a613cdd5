/** The forms in which charts from 0.6 on hand their values to the hub. */
import { findHubConfigurations } from '../../src/manifest/hub-configuration.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { configurationSecret, hubObject } from './hub-objects.ts';

const VALUES = 'singleuser: {image: {name: a, tag: "1.10"}}';
const PARSED = { singleuser: { image: { name: 'a', tag: '1.10' } } };

describe('findHubConfigurations', () => {
  test.each<[string, KubeObject]>([
    ['a Secret with base64 data', configurationSecret(VALUES)],
    ['a Secret of any name and without labels', { ...configurationSecret(VALUES), metadata: { name: 'x' } }],
    ['a Secret with stringData', hubObject('Secret', 'hub', {}, { stringData: { 'values.yaml': VALUES } })],
    [
      'stringData before data',
      { ...configurationSecret('singleuser: {image: {name: old}}'), stringData: { 'values.yaml': VALUES } },
    ],
    ['a ConfigMap (charts 0.8 and 0.9)', hubObject('ConfigMap', 'hub-config', {}, { data: { 'values.yaml': VALUES } })],
    [
      'keys of their own (charts before 0.8)',
      hubObject(
        'ConfigMap',
        'hub-config',
        {},
        { data: { 'singleuser.image.name': 'a', 'singleuser.image.tag': '1.10' } },
      ),
    ],
  ])('%s', (_, object) => {
    expect(findHubConfigurations([object])).toEqual([{ object, values: PARSED, warnings: [] }]);
    expect(findHubConfigurations([object])[0]?.object).toBe(object);
  });

  test('keys of their own: dashes become camel case, lists and mappings are read, numbers stay text', () => {
    const data = {
      'singleuser.network-tools.image.name': 'tools',
      'singleuser.network-tools.image.tag': '20240101',
      'singleuser.init-containers': '[{"name": "x", "image": "y"}]',
      'singleuser.cloud-metadata': 'enabled: false\nip: 169.254.169.254\n',
      'singleuser.cmd': '',
      'singleuser.image-pull-policy': '*unreadable',
      'proxy.token': 'secret',
    };
    expect(findHubConfigurations([hubObject('ConfigMap', 'hub-config', {}, { data })])[0]?.values).toEqual({
      singleuser: {
        networkTools: { image: { name: 'tools', tag: '20240101' } },
        initContainers: [{ name: 'x', image: 'y' }],
        cloudMetadata: { enabled: false, ip: '169.254.169.254' },
        cmd: '',
        imagePullPolicy: '*unreadable',
      },
    });
  });

  test.each<[string, KubeObject]>([
    ['the Secret part of charts 0.8, without singleuser', configurationSecret('auth: {}\nhub: {services: {}}')],
    ['a ConfigMap of another part', hubObject('ConfigMap', 'user-scheduler', {}, { data: { 'config.yaml': VALUES } })],
    ['singleuser that is no mapping', configurationSecret('singleuser: text')],
    ['values that are a list', configurationSecret('[1, 2]')],
    ['another API group', { ...configurationSecret(VALUES), apiVersion: 'bitnami.com/v1alpha1' }],
    ['a Secret without data', hubObject('Secret', 'hub', { component: 'hub' })],
    [
      'data of wrong types',
      hubObject('Secret', 'hub', { component: 'hub' }, { data: { 'values.yaml': 5 }, stringData: 'x' }),
    ],
    ['unreadable values of who knows whom', configurationSecret('a: "unclosed', { component: 'web' })],
  ])('not %s', (_, object) => {
    expect(findHubConfigurations([object])).toEqual([]);
  });

  test('values that cannot be read are one warning, without a line of theirs', () => {
    const [found] = findHubConfigurations([configurationSecret('hub:\n  password: "hunter2\n')]);
    expect(found?.values).toEqual({});
    expect(found?.warnings).toHaveLength(1);
    expect(found?.warnings[0]?.fields).toMatchObject({ object: 'Secret/hub', key: 'values.yaml' });
    expect(JSON.stringify(found?.warnings)).not.toContain('hunter2');
  });
});
