/** Rendered charts of others as input of the plan. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gate } from '../../src/api/choices.ts';
import { DEFAULT_POLICY } from '../../src/api/policy.ts';
import type { PrepullOptions } from '../../src/prepull/options.ts';

interface Expectation {
  release?: string;
  namespace?: string;
}

export function caseOptions(folder: string, gate: Gate): PrepullOptions {
  const { release, namespace } = JSON.parse(readFileSync(join(folder, 'EXPECT.json'), 'utf8')) as Expectation;
  return {
    gate,
    image: 'registry.example.org/prepuller:1',
    images: [],
    pullMethod: 'containers',
    profileImages: 'auto',
    mutableTags: ['latest'],
    continuous: false,
    continuousPriority: 'auto',
    emitPriorityClass: true,
    emitNodeRole: true,
    policy: DEFAULT_POLICY,
    app: { name: release ?? 'app', namespace: namespace ?? 'default' },
    revision: '0123456',
  };
}
