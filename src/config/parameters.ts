/** The one parameter table. plugin.yaml, `prepuller parameters`, flags, `--help`, docs/parameters.md and all reading come from it. */
import { KUSTOMIZE_PARAMETERS } from './kustomize-parameters.ts';
import type { Parameter } from './parameter.ts';
import { POLICY_PARAMETERS } from './policy-parameters.ts';
import { PULL_PARAMETERS } from './pull-parameters.ts';
import { HELM_PARAMETERS, SOURCE_PARAMETERS } from './source-parameters.ts';

/** The tables a command may take, by topic, in the order they are shown. */
export const TOPICS = {
  pull: { title: 'What is pulled, and what waits for it', table: PULL_PARAMETERS },
  policy: { title: 'What is tolerated, and for how long', table: POLICY_PARAMETERS },
  source: { title: 'What is rendered', table: SOURCE_PARAMETERS },
  helm: { title: 'Helm', table: HELM_PARAMETERS },
  kustomize: { title: 'Kustomize', table: KUSTOMIZE_PARAMETERS },
} as const;

export type Topic = keyof typeof TOPICS;
export const ALL_TOPICS = Object.keys(TOPICS) as Topic[];

/** The rows of these topics, in order. */
export function parametersOf(topics: readonly Topic[]): Parameter<unknown>[] {
  return topics.flatMap((topic) => Object.values<Parameter<unknown>>(TOPICS[topic].table));
}
