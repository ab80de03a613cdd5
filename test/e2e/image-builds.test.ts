/** The other builds of the Dockerfile: for arm64, cross compiled, and with Helm 3. Only stages that work: what they give is looked at. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { BUILD_MINUTES, buildImage, canBuildImages, forgetImages, prepareStandIns, unpackImage } from './image-build.ts'; // prettier-ignore
import { kindOf } from './image-contents.ts';

const { whenPossible, lacking } = canBuildImages();

whenPossible(`a build${lacking}`, () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'prepuller-builds-'));
    await prepareStandIns();
  }, BUILD_MINUTES * 60_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await forgetImages('arm64-tools', 'arm64-git', 'helm-3');
  });

  test('for arm64, by cross compiling: helm, kustomize, git and its libraries are all of that kind', async () => {
      const kinds: string[] = [];
      for (const target of ['tools', 'git']) {
        // As BuildKit sets it; buildah's --platform would look for stand-ins of that platform too.
        await buildImage(`arm64-${target}`, { target, args: { TARGETARCH: 'arm64' } });
        const built = await unpackImage(`arm64-${target}`);
        for (const path of globSync(['out/bin/*', 'out/usr/lib/git-core/git-remote-https', 'out/usr/lib/*/*.so.*'], { cwd: built.root })) // prettier-ignore
          kinds.push(`${basename(path)} ${kindOf(join(built.root, path))}`);
        await built.remove();
      }
      expect(kinds.length).toBeGreaterThan(10);
      expect(kinds.filter((kind) => !kind.endsWith(' arm64'))).toEqual([]);
      expect(kinds).toEqual(expect.arrayContaining(['helm arm64', 'kustomize arm64', 'git-remote-https arm64']));
    }, BUILD_MINUTES * 60_000); // prettier-ignore

  test('with Helm 3, the default version of Kubernetes stamped as in its releases', async () => {
      await buildImage('helm-3', { target: 'tools', args: { HELM: 'helm-3' } });
      const built = await unpackImage('helm-3');
      const helm = join(built.root, 'out/bin/helm');
      expect(execFileSync(helm, ['version', '--short'], { encoding: 'utf8' })).toMatch(/^v3\.19\.5/);
      mkdirSync(join(folder, 'tiny/templates'), { recursive: true });
      writeFileSync(join(folder, 'tiny/Chart.yaml'), 'apiVersion: v2\nname: tiny\nversion: 1.0.0\n');
      writeFileSync(join(folder, 'tiny/templates/a.yaml'), 'version: {{ .Capabilities.KubeVersion }}\n');
      const rendered = execFileSync(helm, ['template', join(folder, 'tiny')], { encoding: 'utf8' });
      expect(rendered).toMatch(/^version: v1\.3\d\./m);
      await built.remove();
    }, BUILD_MINUTES * 60_000); // prettier-ignore
});
