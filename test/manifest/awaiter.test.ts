/** What belongs to the chart's awaiter alone, and what others use too. */
import { awaitedDaemonSet, awaiterObjects, isAwaiterJob } from '../../src/manifest/awaiter.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { awaiter, hubObject } from './hub-objects.ts';

const HOOK = { 'helm.sh/hook': 'pre-install,pre-upgrade' };

function job(options: { component?: string; annotations?: Record<string, string> }, container: object): KubeObject {
  return hubObject('Job', 'x', options, { spec: { template: { spec: { containers: [container] } } } });
}

describe('isAwaiterJob', () => {
  test.each([
    ['the component of charts up to 5', { component: 'image-puller', annotations: HOOK }, {}, true],
    ['a component of its own', { component: 'hook-image-awaiter', annotations: HOOK }, {}, true],
    ['the program, labels and hook taken away', {}, { command: ['/image-awaiter', '-namespace=x'] }, true],
    ['a Job of the puller component that is no hook', { component: 'image-puller' }, {}, false],
    ['a hook Job of another part of the app', { annotations: HOOK }, { command: ['sh'] }, false],
    ['another program', {}, { command: ['/image-awaiter.sh'] }, false],
  ])('%s', (_, options, container, expected) => {
    expect(isAwaiterJob(job(options, container))).toBe(expected);
  });

  test('the awaiter Job of ours is not the chart’s', () => {
    const ours = job({ component: 'image-puller', annotations: HOOK }, {});
    const labels = { ...ours.metadata.labels, 'argocd-prepuller.github.io/role': 'prerequisite' };
    expect(isAwaiterJob({ ...ours, metadata: { ...ours.metadata, labels } })).toBe(false);
  });
});

test.each([
  [['-daemonset=hook-image-puller'], 'hook-image-puller'],
  [['--daemonset=x'], 'x'],
  [['-namespace=x', 5, null], undefined],
])('awaitedDaemonSet %j', (args, expected) => {
  expect(awaitedDaemonSet(job({}, { command: ['/image-awaiter'], args }))).toBe(expected);
});

describe('R-14: awaiterObjects', () => {
  test('old charts: cluster-scoped rights of the awaiter are its own too', () => {
    const parts = awaiter({}, true);
    expect(new Set(awaiterObjects(parts[3]!, parts))).toEqual(new Set(parts));
  });

  test('what others use stays: a shared account, a shared role, a binding with another subject', () => {
    const [account, role, binding, job] = awaiter() as [KubeObject, KubeObject, KubeObject, KubeObject];
    const other = hubObject(
      'Deployment',
      'other',
      {},
      { spec: { template: { spec: { serviceAccountName: 'hook-image-awaiter' } } } },
    );
    expect(awaiterObjects(job, [account, role, binding, job, other])).toEqual([job]);
    const second = hubObject(
      'RoleBinding',
      'second',
      {},
      { subjects: [{ kind: 'User', name: 'a' }], roleRef: binding.roleRef },
    );
    expect(awaiterObjects(job, [account, role, binding, job, second])).toEqual([job, account, binding]);
    const shared = { ...binding, subjects: [...(binding.subjects as object[]), { kind: 'User', name: 'a' }] };
    expect(awaiterObjects(job, [account, role, shared, job])).toEqual([job, account]);
  });

  test('an awaiter under the default account is the Job alone', () => {
    const bare = job({ component: 'image-puller', annotations: HOOK }, {});
    expect(awaiterObjects(bare, [bare, ...awaiter().slice(0, 3)])).toEqual([bare]);
  });
});
