/** Which of flag, parameter and default wins, and what Argo CD's environment says. */
import { readSettings } from '../../src/config/settings.ts';

interface Entry {
  name?: unknown;
  string?: unknown;
  array?: unknown;
  map?: unknown;
}

function env(...entries: Entry[]): Record<string, string> {
  return { ARGOCD_APP_PARAMETERS: JSON.stringify(entries) };
}

test('nothing given: every default, and nothing that has none', () => {
  const { pull, policy, source, helm, kustomize, application, operator } = readSettings({}, {});
  expect(pull).toEqual({
    gate: 'presync',
    images: [],
    pullMethod: 'containers',
    profileImages: 'auto',
    mutableTags: ['latest'],
    continuous: false,
    continuousPriority: 'auto',
    emitPriorityClass: true,
    emitNodeRole: false,
  });
  expect(policy).toEqual({
    strict: false,
    schedulingGrace: 60_000,
    rejectionGrace: 30_000,
    networkGrace: 300_000,
    missingImageWindow: 120_000,
    deadline: 3_600_000,
    onDeadline: 'fail',
    minPulled: { nodes: 0 },
    judge: 'reconciler',
  });
  expect(source).toEqual({ kind: 'auto', apiVersions: [] });
  expect(Object.keys(helm)).not.toContain('values');
  expect(Object.keys(kustomize)).not.toContain('namespace');
  expect(application).toEqual({ instance: '', name: '', apiVersions: [] });
  expect(operator).toEqual({ timeLimitMs: 80_000, valueFileSchemes: [] });
});

test('a flag wins over a parameter, a parameter over its default', () => {
  const environment = env({ name: 'gate', string: 'wave' }, { name: 'deadline', string: '5m' });
  const { pull, policy } = readSettings({ gate: ['none'] }, environment);
  expect([pull.gate, policy.deadline]).toEqual(['none', 300_000]);
});

test('a list that is given replaces the default, an empty one too', () => {
  expect(readSettings({}, env({ name: 'mutable-tags', array: [] })).pull.mutableTags).toEqual([]);
  expect(readSettings({ images: ['a', 'b'] }, env({ name: 'images', array: ['c'] })).pull.images).toEqual(['a', 'b']);
});

test('maps keep text as it is, from flags cut at the first =', () => {
  const map = { __proto__: 'x', 'a.b': '1=2' };
  expect(readSettings({ parameters: ['a.b=1=2', 'c='] }, {}).helm.parameters).toEqual({ 'a.b': '1=2', c: '' });
  expect(readSettings({}, env({ name: 'parameters', map })).helm.parameters).toEqual(map);
});

test.each([undefined, '', 'null', '[]', ' [] '])('no parameters as %j', (text) => {
  expect(readSettings({}, { ARGOCD_APP_PARAMETERS: text }).pull.gate).toBe('presync');
});

test('an empty text counts as not given', () => {
  const { pull, policy, source } = readSettings(
    {},
    env({ name: 'gate', string: '' }, { name: 'deadline', string: '' }, { name: 'release-name', string: '' }),
  );
  expect([pull.gate, policy.deadline, 'releaseName' in source]).toEqual(['presync', 3_600_000, false]);
});

test('PARAM_… variables are not read', () => {
  expect(readSettings({}, { PARAM_GATE: 'wave' }).pull.gate).toBe('presync');
});

test.each([
  ['jupyterhub', 'jupyterhub'],
  ['team-a_jupyterhub', 'jupyterhub'],
  ['team-a_b_c', 'b_c'],
])('the app %s is called %s', (instance, name) => {
  expect(readSettings({}, { ARGOCD_APP_NAME: instance }).application).toMatchObject({ instance, name });
});

test('what Argo CD says of the app and its cluster', () => {
  const environment = {
    ARGOCD_APP_NAMESPACE: 'hub',
    ARGOCD_APP_REVISION: 'abc',
    ARGOCD_APP_SOURCE_REPO_URL: 'git@git.example:lab/hub.git',
    KUBE_VERSION: '1.34',
    KUBE_API_VERSIONS: 'v1,apps/v1,,apps/v1/DaemonSet',
    PREPULLER_TIME_LIMIT: '2m',
    PREPULLER_VALUE_FILE_SCHEMES: 'https, s3',
  };
  const { application, operator } = readSettings({}, environment);
  expect(application).toMatchObject({ namespace: 'hub', revision: 'abc', kubeVersion: '1.34' });
  expect(application.repository).toBe('https://git.example/lab/hub');
  expect(application.apiVersions).toEqual(['v1', 'apps/v1', 'apps/v1/DaemonSet']);
  expect(operator).toEqual({ timeLimitMs: 120_000, valueFileSchemes: ['https', 's3'] });
});
