/** A hub synced through an Argo CD that is installed as docs/install.md says: its settings, its sidecar, its controller. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ARGOCD } from '../testbed/argocd-install.ts';
import type { Running } from '../testbed/processes.ts';
import { startReconciler } from '../testbed/reconciler.ts';
import { until } from '../testbed/until.ts';
import { writeKubeconfig } from '../testbed/users.ts';
import { hookSaid, pulledFirst } from './argocd-checks.ts';
import { hookIsGone } from './argocd-hygiene.ts';
import { installedSidecar, shell, startInstalled } from './argocd-installed.ts';
import type { ArgoStage } from './argocd-stage.ts';
import { startArgoStage } from './argocd-stage.ts';
import { missingForPod } from './as-pod.ts';

const HOME = 'argocd-prepuller';

const rootless = missingForPod();
if (rootless.length > 0 && process.env.CI !== undefined) throw new Error('the suite needs root');
const installed = rootless.length === 0 ? describe : describe.skip;

installed('as docs/install.md says it (needs root)', () => {
  let stage: ArgoStage;
  let controller: Running;

  beforeAll(async () => {
    stage = await startArgoStage('argocd-install', { reconciler: false, argo: startInstalled });
    const { plane } = stage;
    const token = (await shell(plane, `kubectl -n ${HOME} create token argocd-prepuller`)).trim();
    const kubeconfig = writeKubeconfig(plane.folder, 'installed', { server: plane.server, token });
    controller = await startReconciler(plane, { kubeconfig });
    // It makes the project `default`.
    await stage.argo.startServer();
    await until('there is a project', () => shell(plane, `kubectl -n ${ARGOCD} get appproject default -o name`));
  });
  afterAll(async () => {
    await controller.kill();
    await stage.stop();
  });

  test('the sidecar listens where the page says, as its user', async () => {
    const { command, securityContext } = await installedSidecar(stage.plane);
    expect(command).toEqual(['/var/run/argocd/argocd-cmp-server']);
    expect(securityContext).toMatchObject({ runAsUser: 999, readOnlyRootFilesystem: true });
    const log = readFileSync(join(stage.plane.folder, 'argocd-cmp-server.log'), 'utf8');
    expect(log).toContain('serving on /home/argocd/cmp-server/plugins/argocd-prepuller.sock');
  });

  test('a first sync and a tag bump go through', async () => {
    const scene = await stage.scene('campus');
    try {
      const good = await scene.join('good');
      const full = await scene.joinFull('full');
      await scene.commit('1', { scheduling: { podPriority: { enabled: true } } });
      await scene.apply();
      const first = await scene.sync();
      expect(first).toMatchObject({ phase: 'Succeeded' });
      pulledFirst(scene, [good]);
      expect(hookSaid(scene, first)).toMatch(/^1\/2 nodes pulled, 1 tolerated: /);
      expect(hookSaid(scene, first)).toContain(full);
      await hookIsGone(scene);
      const before = await scene.now();
      await scene.commit('2', { scheduling: { podPriority: { enabled: true } } });
      expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
      pulledFirst(scene, [good], before);
    } catch (error) {
      stage.keep(scene);
      throw error;
    }
  });
});
