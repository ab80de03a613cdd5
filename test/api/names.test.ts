/** The names both halves and people's scripts rely on: valid for Kubernetes, distinct, unchanged. */
import * as names from '../../src/api/names.ts';
import { POLICY_SETTINGS } from '../../src/api/policy.ts';

const qualified = Object.entries<unknown>(names).flatMap(([constant, name]): [string, string][] =>
  typeof name === 'string' && name.includes('/') ? [[constant, name]] : [],
);

/** apimachinery's validation of qualified names: a DNS subdomain, a slash, at most 63 characters of a name. */
const QUALIFIED =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

test.each(qualified)('%s is a name Kubernetes takes, behind our prefix', (_constant, name) => {
  expect(name).toMatch(QUALIFIED);
  expect(name.startsWith(`${names.PREFIX}/`)).toBe(true);
});

test('no two names are the same, settings of the policy among them', () => {
  const all = [
    ...qualified.map(([, name]) => name),
    ...Object.values(POLICY_SETTINGS).map(({ name }) => `${names.PREFIX}/${name}`),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(qualified.length).toBeGreaterThanOrEqual(14);
});

test('the names others rely on stay as they are', () => {
  expect({
    role: names.ROLE_LABEL,
    images: names.IMAGES_LABEL,
    pull: names.PULL_LABEL,
    condition: names.PULLED_CONDITION,
    observed: names.OBSERVED_GENERATION_CONDITION,
    roles: names.ROLES,
    contract: names.CONTRACT_VERSION,
  }).toEqual({
    role: 'argocd-prepuller.github.io/role',
    images: 'argocd-prepuller.github.io/images',
    pull: 'argocd-prepuller.github.io/pull',
    condition: 'argocd-prepuller.github.io/Pulled',
    observed: 'argocd-prepuller.github.io/ObservedGeneration',
    roles: ['hook', 'continuous', 'prerequisite'],
    contract: '1',
  });
});
