/**
 * The container image, built from the Dockerfile on stand-ins for its base images, and run as Kubernetes runs it: beside Argo CD as user 999,
 * as controller as a user of no name, its root read-only. Nothing of the machine but kernel, network and mounted files is in reach.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testbedProgram } from '../testbed/build.mjs';
import { startControlPlane } from '../testbed/control-plane.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { startTestbedFleet } from '../testbed/fleet.ts';
import type { TestbedFleet } from '../testbed/fleet.ts';
import { installRights } from '../testbed/reconciler.ts';
import { until } from '../testbed/until.ts';
import { buildEnvironment, EXAMPLES, readApplication, readGolden, ROOT } from '../examples/argo-cd.ts';
import { BASE, BUILD_MINUTES, buildImage, canBuildImages, forgetImages, prepareStandIns, unpackImage } from './image-build.ts'; // prettier-ignore
import type { Unpacked } from './image-build.ts';
import { sizesIn, startTimes } from './image-contents.ts';
import type { Figures } from './image-contents.ts';
import { startController } from './image-controller.ts';
import { GOOD, MISSING, registry } from './images.ts';
import { checkout, runInImage, startInImage } from './in-image.ts';
import type { Container } from './in-image.ts';
import { setScene } from './scene.ts';

const { whenPossible, lacking } = canBuildImages();

/** Argo CD's, and one as OpenShift picks it. */
const USERS = [999, 1_000_650_000];

/** What of scripts/image is linked into what, by the folder its licences are in. */
const MODULES = [
  ['helm-4', 'helm.sh/helm/v4'],
  ['kustomize', 'sigs.k8s.io/kustomize/kustomize/v5'],
] as const;

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

whenPossible(`the image${lacking}`, () => {
  const figures: Figures = { bytes: {}, milliseconds: {} };
  let image: Unpacked;
  let base: Unpacked;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'prepuller-image-'));
    await prepareStandIns();
    await buildImage('argocd-prepuller', {
      args: { REVISION: 'abc123', SOURCE: 'https://git.example.org/prepuller' },
    });
    image = await unpackImage('argocd-prepuller');
    base = await unpackImage(BASE);
  }, BUILD_MINUTES * 60_000);
  afterAll(async () => {
    for (const one of [image, base]) await one.remove();
    await forgetImages();
    rmSync(folder, { recursive: true });
    writeFileSync(join(ROOT, 'reports/image.json'), JSON.stringify(figures));
  });

  const run = (container: Container, ...command: string[]) => runInImage(image, container, command);

  describe('what it is', () => {
    test('its user, program and labels', () => {
      const { User, Entrypoint, WorkingDir, Labels } = image.config;
      expect({ User, Entrypoint, WorkingDir }).toEqual({
        User: '999:0',
        Entrypoint: ['prepuller'],
        WorkingDir: '/tmp',
      });
      expect(Labels).toMatchObject({
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.revision': 'abc123',
        'org.opencontainers.image.source': 'https://git.example.org/prepuller',
        'org.opencontainers.image.licenses': 'Apache-2.0',
      });
    });

    test('150 MB beside the base at most', () => {
      figures.bytes = sizesIn(image.root, base.root);
      expect(figures.bytes.all).toBeLessThanOrEqual(150e6);
    });

    test('what npm publishes and plugin.yaml, and nothing of the sources', () => {
      const inside = join(image.root, 'usr/local/lib/argocd-prepuller');
      expect(readFileSync(join(image.root, 'home/argocd/cmp-server/config/plugin.yaml'))).toEqual(
        readFileSync(join(ROOT, 'plugin.yaml')),
      );
      const top = new Set(globSync('**/*', { cwd: inside }).map((path) => path.split('/')[0]));
      expect([...top].sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'examples', 'package.json', 'plugin.yaml']); // prettier-ignore
      for (const part of ['src', 'node_modules', 'test']) expect(existsSync(join(inside, part))).toBe(false);
    });

    test('everybody can read it, nobody but root can write to it, nothing is set-uid that the base has not', () => {
      const find = (root: string, ...what: string[]) =>
        execFileSync('find', [root, '-xdev', ...what, '-printf', '%P\n'], { encoding: 'utf8' }).split('\n').filter(Boolean); // prettier-ignore
      const ours = ['usr/local', 'home/argocd', 'usr/lib/git-core'].map((path) => join(image.root, path));
      for (const path of ours) expect(find(path, '!', '-type', 'l', '!', '-perm', '-o=r')).toEqual([]);
      for (const path of ours) expect(find(path, '!', '-type', 'l', '-perm', '/g=w,o=w')).toEqual([]);
      for (const path of ours) expect(find(path, '!', '-user', 'root')).toEqual([]);
      expect(find(image.root, '-perm', '/6000')).toEqual(find(base.root, '-perm', '/6000'));
    });

    test('licences of all that is linked into helm and kustomize', () => {
      for (const [name, module] of MODULES) {
        const program = join(image.root, 'usr/local/bin', name.replace(/-\d$/, ''));
        const parts = execFileSync('go', ['version', '-m', program], { encoding: 'utf8' });
        const linked = parts.matchAll(/^\t(?:mod|dep)\t(\S+)\t(v\S+)/gm);
        const papers = readFileSync(join(image.root, 'usr/local/share/doc', name, 'copyright'), 'utf8');
        const modules = [...linked].map(([, path = '', at = '']) => `${path} ${at}: `);
        expect(modules).toContainEqual(expect.stringMatching(new RegExp(`^${module} `)));
        expect(modules.filter((one) => !papers.includes(one))).toEqual([]);
      }
    });
  });

  describe.each(USERS)('as user %i', (uid) => {
    test('the root is read-only, /tmp is not, and there are no rights to lose', () => {
      const script =
        'id -u; id -g; grep CapEff /proc/self/status; touch /tmp/a && echo wrote; touch /usr/local/bin/a || echo refused';
      const { stdout, stderr } = run({ uid }, 'sh', '-c', script);
      expect(stdout.split('\n')).toEqual([String(uid), '0', 'CapEff:\t0000000000000000', 'wrote', 'refused', '']);
      expect(stderr).toContain('Read-only file system');
    });

    test('prepuller, helm, kustomize and git start', () => {
      expect(run({ uid }, ...image.config.Entrypoint, '--version').stdout).toBe(`${version}\n`);
      figures.milliseconds.version = startTimes(image, { uid }, 'prepuller --version');
      expect(run({ uid }, 'helm', 'version', '--short').stdout).toMatch(/^v4\.1\.4/);
      expect(run({ uid }, 'kustomize', 'version').stdout).toBe('v5.8.1\n');
      expect(run({ uid }, 'git', '--version').stdout).toMatch(/^git version 2\./);
      const libraries = run({ uid }, 'ldd', '/usr/lib/git-core/git-remote-https');
      expect(libraries.stdout).toContain('libcurl');
      expect(libraries.stdout).not.toContain('not found');
    });

    test('generate gives what examples/hub expects, with the commit that touched it', () => {
      const application = readApplication('hub');
      const path = application.spec.source.path ?? '';
      const mounts = checkout(folder, `hub-${uid}`, (repository) => {
        cpSync(EXAMPLES, repository, { recursive: true });
      });
      const container = { uid, mounts, folder: `/tmp/hub-${uid}/${path}`, env: buildEnvironment(application) };
      const { status, stdout, stderr } = run(container, 'prepuller', 'generate');
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/argocd-prepuller\.github\.io\/commit: .*[0-9a-f]{8} Newer-notebooks/);
      const golden = readGolden('hub', 'expected.yaml');
      figures.milliseconds.generate = startTimes(image, container, 'prepuller generate');
      expect(stdout.replaceAll(/^.*argocd-prepuller\.github\.io\/commit: .*\n/gm, '')).toBe(golden);
    });

    test('generate of a kustomization', () => {
      const mounts = checkout(folder, `kustomized-${uid}`, (repository) => {
        cpSync(join(EXAMPLES, 'labelled-workload/manifests'), repository, { recursive: true });
        const resources = globSync('*.yaml', { cwd: repository });
        writeFileSync(join(repository, 'kustomization.yaml'), JSON.stringify({ namePrefix: 'our-', resources }));
      });
      const env = { ARGOCD_APP_NAME: 'dashboard', ARGOCD_APP_NAMESPACE: 'hub' };
      const { status, stdout } = run({ uid, mounts, folder: `/tmp/kustomized-${uid}`, env }, 'prepuller', 'generate');
      expect(status).toBe(0);
      expect(stdout).toContain('name: our-');
      expect(stdout).toContain('argocd-prepuller.github.io/role: hook');
    });

    test('a mistake is said in one line, as Argo CD shows it', () => {
      const { status, stdout, stderr } = run(
        { uid, env: { ARGOCD_APP_NAME: 'a' } },
        'prepuller',
        'generate',
        '--gate',
        'x',
      );
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^prepuller: .*gate/);
    });

    test('the demo plays', () => {
      const { status, stdout } = run({ uid }, 'prepuller', 'demo', '--scenario', 'missing-image');
      expect(status).toBe(0);
      expect(stdout).toMatch(/^The sync failed\. /m);
    });

    test('Argo CD’s plugin server finds plugin.yaml and serves it', async () => {
      const program = await testbedProgram('argocd');
      const server = join(folder, 'argocd-cmp-server');
      if (!existsSync(server)) copyFileSync(program, server);
      const log = join(folder, `cmp-server-${uid}.log`);
      const container = { uid, mounts: { [server]: 'run/argocd/argocd-cmp-server' } };
      // The testbed's program is all of Argo CD in one, as Argo CD's own is; that one goes by its name, this one by its first argument.
      const command = ['/var/run/argocd/argocd-cmp-server', 'argocd-cmp-server'];
      const running = startInImage(image, container, { name: 'cmp-server', command, log });
      try {
        const said = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
        const socket = '/home/argocd/cmp-server/plugins/argocd-prepuller.sock';
        await until('it serves', () => !running.isAlive() || said().includes(socket));
        expect(said()).toContain(socket);
      } finally {
        await running.kill();
      }
    });
  });

  describe('as controller on a real API server', () => {
    let plane: ControlPlane;
    let fleet: TestbedFleet;
    beforeAll(async () => {
      plane = await startControlPlane('image');
      fleet = startTestbedFleet(plane, { registry });
      await installRights(plane);
    });
    afterAll(async () => {
      fleet.stop();
      await plane.stop();
    });

    test.each(USERS)(
      'as user %i: ready, and right about a good and a missing image; await and explain agree',
      async (uid) => {
        const { container, controller, log, took } = await startController(image, plane, uid);
        const scene = await setScene(`image-${uid}`, plane.transportFor('admin'), fleet.nodes);
        try {
          await scene.join('a');
          await scene.puller({ images: [GOOD] });
          await scene.puller({ name: 'bad', images: [MISSING] });
          expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'Pulled' });
          expect(await scene.verdict('bad')).toMatchObject({ status: 'False', reason: 'ImageMissing' });
          const good = run(container, 'prepuller', 'await', '--namespace', scene.namespace, 'hook-image-puller');
          expect(good.status).toBe(0);
          const explained = run(container, 'prepuller', 'explain', '--namespace', scene.namespace, '-o', 'json');
          expect(JSON.parse(explained.stdout)).toMatchObject([
            { name: 'bad', health: 'Degraded' },
            { health: 'Healthy' },
          ]);
        } finally {
          await controller.terminate();
          await scene.tidy();
        }
        expect(readFileSync(log, 'utf8')).toContain('"stopping"');
        figures.milliseconds.controller = [took];
      },
    );
  });
});
