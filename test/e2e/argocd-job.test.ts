/** An Argo CD whose argocd-cm is not ours to change, and no controller: the job gate needs neither. */
import { ARGOCD } from '../testbed/argocd-install.ts';
import { apiOf } from './argocd-api.ts';
import { runAwaiters } from './argocd-awaiters.ts';
import { playHubs } from './argocd-stage.ts';
import { FOREIGN_PLAY } from './plays/argocd-foreign.ts';
import { JOBS } from './plays/argocd-job.ts';

const OURS = ['health', 'actions'].map((what) => `resource.customizations.${what}.apps_DaemonSet`);

playHubs('argocd-job', [...JOBS, FOREIGN_PLAY], {
  reconciler: false,
  async prepare(stage) {
    // Argo CD hears of new settings only where its server has made its key.
    await apiOf(stage);
    const client = stage.plane.clientFor('admin');
    const data = Object.fromEntries(OURS.map((key) => [key, null]));
    const settings = { resource: 'configmaps', namespace: ARGOCD, name: 'argocd-cm' };
    const left = await client.patch(settings, { data }, { type: 'merge-patch+json' });
    expect(Object.keys(left.data as object)).not.toEqual(expect.arrayContaining(OURS));
    return runAwaiters(stage);
  },
});
