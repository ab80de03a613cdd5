/** Settings as hydrate/ and prepull/ get them: what the app sets wins over what Argo CD says of the cluster. */
import { readSettings } from '../../src/config/settings.ts';
import { prepullOptions, sourceOptions } from '../../src/options.ts';

const ARGO_CD = {
  ARGOCD_APP_NAME: 'team_hub',
  ARGOCD_APP_NAMESPACE: 'jhub',
  ARGOCD_APP_REVISION: 'abc',
  KUBE_VERSION: '1.34',
  KUBE_API_VERSIONS: 'v1,apps/v1',
};

test('as Argo CD says', () => {
  const settings = readSettings({}, ARGO_CD);
  expect(sourceOptions(settings)).toMatchObject({
    appName: 'team_hub',
    namespace: 'jhub',
    kubeVersion: '1.34',
    apiVersions: ['v1', 'apps/v1'],
  });
  expect(prepullOptions(settings)).toMatchObject({ app: { name: 'hub', namespace: 'jhub' }, revision: 'abc' });
});

test('as the app says; its objects still go where Argo CD puts them', () => {
  const flags = { namespace: ['other'], 'kube-version': ['1.33'], 'api-versions': ['v2'], 'release-name': ['named'] };
  const settings = readSettings(flags, ARGO_CD);
  const { namespace, kubeVersion, apiVersions, helm } = sourceOptions(settings);
  expect([namespace, kubeVersion, apiVersions, helm.releaseName]).toEqual(['other', '1.33', ['v2'], 'named']);
  expect(prepullOptions(settings).app).toEqual({ name: 'hub', namespace: 'jhub' });
});

test('outside Argo CD: the release names the app', () => {
  expect(prepullOptions(readSettings({ 'release-name': ['lab'], namespace: ['ns'] }, {})).app).toEqual({
    name: 'lab',
    namespace: 'ns',
  });
  expect(prepullOptions(readSettings({}, {}))).not.toHaveProperty('revision');
});

test('parameters and text parameters are one list, the texts marked', () => {
  const flags = {
    parameters: ['a=1'],
    'string-parameters': ['b=2'],
    'file-parameters': ['c=d.txt'],
    'kustomize-replicas': ['hub=2'],
  };
  const { helm, kustomize } = sourceOptions(readSettings(flags, {}));
  expect(helm.parameters).toEqual([
    { name: 'a', value: '1' },
    { name: 'b', value: '2', forceString: true },
  ]);
  expect(helm.fileParameters).toEqual([{ name: 'c', path: 'd.txt' }]);
  expect(kustomize.replicas).toEqual([{ name: 'hub', count: '2' }]);
});

test('what may be fetched is said by whoever runs the sidecar, never by an app', () => {
  const app = { ARGOCD_ENV_PREPULLER_VALUE_FILE_SCHEMES: 'https', PARAM_VALUE_FILE_SCHEMES: 'https' };
  expect(sourceOptions(readSettings({}, app)).helm.valueFileSchemes).toEqual([]);
  const operator = { PREPULLER_VALUE_FILE_SCHEMES: 'https' };
  expect(sourceOptions(readSettings({}, operator)).helm.valueFileSchemes).toEqual(['https']);
});
