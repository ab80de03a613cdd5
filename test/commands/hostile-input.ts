/** What people, tools and attackers may hand to `generate`, and how each ends: exit code and first line. */
import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { times } from '../long-mode.ts';
import type { Ground, Run } from './observed.ts';

const OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const CHART = 'apiVersion: v2\nname: a\nversion: 1.0.0\n';
const chart = (template: string) => ({ 'a/Chart.yaml': CHART, 'a/templates/a.yaml': template });
const plain = (manifest: string) => ({ 'a/a.yaml': manifest });
const values = (text: string) => ({ 'hub/v.yaml': text });
const WITH_VALUES: Run = { args: ['--value-files', 'v.yaml'] };

function bomb(before = ''): string {
  const levels = Array.from({ length: 30 }, (_, level) => {
    const below =
      level === 0
        ? 'x'
        : Array(9)
            .fill(`*a${String(level - 1)}`)
            .join(',');
    return `a${String(level)}: &a${String(level)} [${below}]`;
  });
  return [before + levels[0]!, ...levels.slice(1), ''].join('\n');
}

const FILES = times(2000, 10_000);

export interface Hostile {
  /** Files below the repository. */
  files?: () => Record<string, string | Uint8Array>;
  /** What files cannot say: links, FIFOs, holes. */
  prepare?: (ground: Ground) => void;
  /** A shell script that stands in for helm. */
  helm?: string;
  run: Run;
  exitCode: 0 | 1 | 2 | 3;
  /** The first line of stderr. */
  first: RegExp;
}

export const HOSTILE: Record<string, Hostile> = {
  'an alias bomb in values': {
    files: () => values(bomb()),
    run: WITH_VALUES,
    exitCode: 1,
    first: /^prepuller: v\.yaml is no valid YAML: document contains excessive aliasing/,
  },
  'an alias bomb in a manifest': {
    files: () => plain(`${OBJECT}${bomb()}`),
    run: { app: 'a' },
    exitCode: 1,
    first: /^prepuller: document 1, line \d+ \(from a\.yaml\): .*alias/,
  },
  'a document of 100 MB in git': {
    files: () => plain(OBJECT),
    prepare: ({ repository }) => {
      truncateSync(join(repository, 'a/a.yaml'), 100 * 1024 * 1024); // most of it a hole
    },
    run: { app: 'a' },
    exitCode: 1,
    first: /^prepuller: manifest "\/a\/a\.yaml" has 100 MiB: more than 10 MiB is refused/,
  },
  'values of 100 MB': {
    files: () => values('x: 1\n'),
    prepare: ({ repository }) => {
      truncateSync(join(repository, 'hub/v.yaml'), 100 * 1024 * 1024); // most of it a hole
    },
    run: WITH_VALUES,
    exitCode: 1,
    first: /^prepuller: values file "v\.yaml" has 100 MiB: more than 10 MiB is refused/,
  },
  'a document of 20 MB out of a chart': {
    files: () => chart(`${OBJECT}data:\n  x: {{ repeat 20000000 "y" }}\n`),
    run: { app: 'a' },
    exitCode: 1,
    first:
      /^prepuller: document \d, line \d+ \(from a\/templates\/a\.yaml\): the document has 19 MiB; at most 16 MiB are read/,
  },
  'a helm that writes 110 MB and is content': {
    helm: 'yes "a: b" | head -c 110000000',
    run: {},
    exitCode: 3,
    first: /^prepuller: helm wrote without end to stdout and was stopped/,
  },
  '10,000 documents': {
    files: () => plain(Array.from({ length: 10_000 }, (_, n) => OBJECT.replace('a}', `a${String(n)}}`)).join('---\n')),
    run: { app: 'a' },
    exitCode: 0,
    first: /^warning: nothing to pull/,
  },
  [`${String(FILES)} manifest files`]: {
    files: () => Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`a/${String(n)}.yaml`, OBJECT])),
    run: { app: 'a' },
    exitCode: 0,
    first: /^warning: nothing to pull/,
  },
  'deep nesting in a manifest': {
    files: () => plain(`${OBJECT}x: ${'['.repeat(200_000)}${']'.repeat(200_000)}\n`),
    run: { app: 'a' },
    exitCode: 1,
    first: /^prepuller: document 1, line \d+ \(from a\.yaml\): nesting/,
  },
  'deep nesting in values': {
    files: () => values(`x: ${'['.repeat(200_000)}${']'.repeat(200_000)}\n`),
    run: WITH_VALUES,
    exitCode: 1,
    first: /^prepuller: v\.yaml (line 1 )?is no valid YAML: /,
  },
  'deep nesting in parameters': {
    run: { env: { ARGOCD_APP_PARAMETERS: '['.repeat(100_000) } },
    exitCode: 2,
    first: /^prepuller: .*ARGOCD_APP_PARAMETERS/,
  },
  'a folder that links to itself': {
    prepare: ({ repository }) => {
      symlinkSync('.', join(repository, 'hub/templates/again'));
    },
    run: {},
    exitCode: 1,
    first: /^prepuller: .*again/,
  },
  'a values file that reads like a flag': {
    run: { env: { ARGOCD_APP_PARAMETERS: '[{"name":"value-files","array":["--post-renderer=/bin/sh"]}]' } },
    exitCode: 1,
    first: /^prepuller: values file "--post-renderer=\/bin\/sh" reads like a flag/,
  },
  'a release name that reads like a flag': {
    run: { args: ['--release-name=--post-renderer'] },
    exitCode: 2,
    first: /^prepuller: release name "--post-renderer" is not one Helm takes/,
  },
  'a namespace with YAML in it': {
    run: { args: ['--namespace', 'a\nkind: Secret'] },
    exitCode: 2,
    first: /^prepuller: namespace "a\\nkind: Secret" is no DNS label/,
  },
  'an app name with YAML in it': {
    run: { env: { ARGOCD_APP_NAME: 'a\n---\nkind: Secret' } },
    exitCode: 2,
    first: /^prepuller: release name "a\\n---\\nkind: Secret" is not one Helm takes/,
  },
  'a values file with a line break in its name': {
    run: { args: ['--value-files', 'a\nprepuller: fine'] },
    exitCode: 1,
    first: /^prepuller: values file "a\\nprepuller: fine" does not exist/,
  },
  'a FIFO for values': {
    prepare: ({ repository }) => {
      execFileSync('mkfifo', [join(repository, 'hub/v.yaml')]);
    },
    run: WITH_VALUES,
    exitCode: 1,
    first: /^prepuller: values file "v\.yaml" is a FIFO, not a file/,
  },
  'a FIFO for a template': {
    prepare: ({ repository }) => {
      execFileSync('mkfifo', [join(repository, 'hub/templates/pipe.yaml')]);
    },
    run: {},
    exitCode: 1,
    first: /^prepuller: "hub\/templates\/pipe\.yaml" is a FIFO, device or socket/,
  },
  'a FIFO for Chart.yaml': {
    prepare: ({ repository }) => {
      execFileSync('rm', [join(repository, 'hub/Chart.yaml')]);
      execFileSync('mkfifo', [join(repository, 'hub/Chart.yaml')]);
    },
    run: {},
    exitCode: 1,
    first: /^prepuller: "hub\/Chart\.yaml" is a FIFO, device or socket/,
  },
  'a FIFO for .argocd-source.yaml': {
    prepare: ({ repository }) => {
      execFileSync('mkfifo', [join(repository, 'hub/.argocd-source.yaml')]);
    },
    run: {},
    exitCode: 1,
    first: /^prepuller: override file "\.\/\.argocd-source\.yaml" is a FIFO, not a file/,
  },
  'a FIFO for a kustomization': {
    files: () => ({ 'a/x.yaml': OBJECT }),
    prepare: ({ repository }) => {
      execFileSync('mkfifo', [join(repository, 'a/kustomization.yaml')]);
    },
    run: { app: 'a' },
    exitCode: 1,
    first: /^prepuller: "a\/kustomization\.yaml" is /,
  },
  'a device for values': {
    prepare: ({ repository }) => {
      symlinkSync('/dev/zero', join(repository, 'hub/v.yaml'));
    },
    run: WITH_VALUES,
    exitCode: 1,
    first: /^prepuller: values file "v\.yaml" is a link that leaves the repository/,
  },
  'a link out of the repository for values': {
    prepare: ({ repository }) => {
      symlinkSync('/etc/hostname', join(repository, 'hub/v.yaml'));
    },
    run: WITH_VALUES,
    exitCode: 1,
    first: /^prepuller: values file "v\.yaml" is a link that leaves the repository/,
  },
  'a helm that floods stderr': {
    helm: 'exec yes "$(printf %01000d 1)" >&2',
    run: {},
    exitCode: 3,
    first: /^prepuller: helm wrote without end to stderr and was stopped/,
  },
  'a helm that floods stdout': {
    helm: 'exec yes "$(printf %01000d 1)"',
    run: {},
    exitCode: 3,
    first: /^prepuller: helm wrote without end to stdout and was stopped/,
  },
  'a helm that never ends': {
    helm: 'sleep 600 & exec sleep 600',
    run: { env: { PREPULLER_TIME_LIMIT: '1s' } },
    exitCode: 3,
    first: /^prepuller: rendering did not end within 1 s and was stopped \(it was in helm template\)/,
  },
  'a helm that answers with what is no manifest': {
    helm: 'echo "Pulled: registry.example.org/chart"; echo "Digest: sha256:0"',
    run: {},
    exitCode: 1,
    first: /^prepuller: document 1, line 1: .*(kind|apiVersion) is missing/,
  },
};
