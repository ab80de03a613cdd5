/** Where the plugin and Argo CD 3.2's own rendering differ on purpose, and why. */
import { IMAGES_DIGEST_ANNOTATION } from '../../src/api/names.ts';
import { GLOB } from './argocd-sources.ts';

/** The rows whose objects are those of no setting; all others show that their option does something. */
export const CHANGE_NOTHING = ['nothing set', 'release name of an app called namespace_name'];

/** Options that Argo CD 3.2 refuses by itself; the plugin takes them. */
export const REFUSED: [string, (valueFiles: readonly string[]) => boolean, string][] = [
  ['globs: newer releases know them', (files) => files.some((path) => GLOB.test(path)), 'no such file or directory'],
  ['a comma in the name: Helm splits there', (files) => files.some((path) => path.includes(',')), 'no such file or'],
];

/** What Argo CD does by itself with an example of a mistake that the plugin refuses, and why that is not enough. */
export const MISTAKES: Readonly<Record<string, [string, number | 'refused']>> = {
  'empty-tag': ['refused by both; the plugin names file, line and fix', 'refused'],
  'job-without-image': ['a parameter of ours', 17],
  'number-like-tag': ['the tag would be 2.0260301e+07', 17],
  'unknown-parameter': ['a parameter of ours', 17],
  'values-from-second-source': ['refused by both: Argo CD hands no other source to a plugin', 'refused'],
  'values-leave-repository': ['refused by both', 'refused'],
  'values-not-nested': ['values that no chart reads', 17],
  'zero-documents': ['with prune, an empty answer deletes the hub', 0],
};

export interface Purpose {
  why: string;
  /** Of which of the two the annotations are taken away before both are compared, where the other has none. */
  of: 'native' | 'ours';
  annotations: string[];
  examples: string[];
}

export const ON_PURPOSE: Purpose[] = [
  {
    why: 'a commit that changes only the hook makes the app OutOfSync',
    of: 'ours',
    annotations: [IMAGES_DIGEST_ANNOTATION],
    examples: ['hooks-off', 'labelled-workload'],
  },
  {
    why: 'the puller that is the gate needs them before it',
    of: 'ours',
    annotations: ['argocd.argoproj.io/sync-wave'],
    examples: ['wave'],
  },
  {
    why: 'a hook would be deleted at each sync, and the hub needs its pull Secret',
    of: 'native',
    annotations: ['helm.sh/hook', 'helm.sh/hook-delete-policy', 'helm.sh/hook-weight'],
    examples: ['profiles'],
  },
];
