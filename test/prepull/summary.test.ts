/** The plan as people read it. */
import { printSummary } from '../../src/prepull/summary.ts';
import { hubRender, run } from './hub-objects.ts';
import { hubObject } from '../manifest/hub-objects.ts';

const HASH = /-[0-9a-f]{8}\b/g;

function summary(...args: Parameters<typeof run>): string[] {
  return printSummary(run(...args).plan)
    .replace(HASH, '-#')
    .replace(/[0-9a-f]{32}/, '#')
    .split('\n');
}

test('a full hub', () => {
  expect(
    summary(hubRender({ podPriority: true, placeholders: 0, pullSecret: true, pullSecrets: ['by-hand'] })),
  ).toEqual([
    'gate presync: Argo CD waits for the hook puller before it changes anything',
    'hub jupyterhub hub',
    '  pullers',
    '    DaemonSet/hook-image-puller: hook, from the chart, PreSync wave -10, pull method containers, priority science-jhub-priority-minus-5-#',
    '    DaemonSet/continuous-image-puller: continuous, from the chart, Sync wave 0, pull method init, priority hub-user-placeholder-priority',
    '  images',
    '    1. quay.io/team/notebook:1: Secret/hub singleuser.image, DaemonSet/hook-image-puller spec.template.spec.initContainers[0].image, 1 more',
    '    2. quay.io/jupyterhub/tools:4: Secret/hub singleuser.networkTools.image, DaemonSet/hook-image-puller spec.template.spec.initContainers[1].image, 1 more',
    '    3. quay.io/team/gpu:latest (pulled each time): Secret/hub singleuser.profileList[0].kubespawner_override.image, DaemonSet/hook-image-puller spec.template.spec.initContainers[2].image, 1 more',
    '  copied for the hook',
    '    PriorityClass/hub-image-puller-priority as PriorityClass/science-jhub-priority-minus-5-#',
    '    Secret/image-pull-secret as Secret/image-pull-secret-prepull-#',
    '    ServiceAccount/hook-image-puller as ServiceAccount/hook-image-puller-prepull-#',
    '  changed',
    '    Secret/image-pull-secret: no hook any more, so that it is never deleted',
    '  dropped',
    '    Job/hook-image-awaiter',
    '    ServiceAccount/hook-image-awaiter',
    '    Role/hook-image-awaiter',
    '    RoleBinding/hook-image-awaiter',
    '    ServiceAccount/hook-image-puller',
    '  must exist in the cluster before the sync',
    '    Secret/by-hand',
    'image digest # on DaemonSet/continuous-image-puller',
    '',
  ]);
});

test('what is not pulled, and what an earlier run made', () => {
  const skipped = summary(hubRender({ configuration: false, namespace: 'n' }), {
    gate: 'none',
    images: ['a/b:set-by-chartpress'],
  });
  expect(skipped.slice(0, 2)).toEqual(['gate none: Argo CD waits for nothing', 'hub jupyterhub hub in namespace n']);
  expect(skipped[skipped.indexOf('  not pulled') + 1]).toMatch(/^ {4}a\/b:set-by-chartpress: /);
  expect(summary(run(hubRender({ continuous: false })).bytes)).toContain(
    '    DaemonSet/hook-image-puller: hook, from an earlier run, PreSync wave -10',
  );
});

test('an app with nothing to pull says so', () => {
  expect(summary([hubObject('Service', 'web')], { gate: 'wave' })).toEqual([
    'gate wave: Argo CD waits for the continuous puller in an early sync wave, on self-heal too; not in a sync that leaves the puller out',
    'nothing to pull: no hub, no labelled workload, no images',
    '',
  ]);
});
