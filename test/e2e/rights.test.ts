/**
 * The rights in install/controller are enough as they are, and none is too much: for each verb taken away, a controller without it
 * fails a check by name. The list is printed.
 */
import type { Fields } from '../../simulator/store.ts';
import { kubeconfigOf, userOf } from '../testbed/accounts.ts';
import { createApplier } from '../testbed/apply.ts';
import type { AnyObject } from '../testbed/apply.ts';
import { installedRights, startReconciler } from '../testbed/reconciler.ts';
import { pause, until } from '../testbed/until.ts';
import { ENDLESS, GOOD, SLOW } from './images.ts';
import { playTogether } from './stage.ts';
import type { Play, Stage } from './stage.ts';
import type { Scene } from './scene.ts';

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}
type Rights = AnyObject & { rules?: Rule[]; subjects?: { namespace: string }[]; roleRef?: Fields };

const ACCOUNT = 'argocd-prepuller';
/** How long a check waits for what the right rights give within a few seconds. */
const WITHIN = 15_000;
const LEASE = 20_000;

async function judged(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ images: [GOOD] });
  expect(await scene.verdict(undefined, WITHIN)).toMatchObject({ status: 'True', reason: 'Pulled' });
}

/** Longer than a Lease lasts that was made and never renewed. */
async function laterJudged(scene: Scene): Promise<void> {
  await judged(scene);
  await pause(LEASE);
  await scene.puller({ name: 'later' });
  expect(await scene.verdict('later', WITHIN)).toMatchObject({ status: 'True' });
}

async function named(scene: Scene): Promise<void> {
  await scene.join('good');
  const sick = await scene.join('sick');
  await scene.nodes.say(sick, 'Ready', 'False');
  await until('the node is left out', async () => {
    const node = await scene.client.get({ resource: 'nodes', name: sick });
    return JSON.stringify(node.spec?.taints ?? []).includes('not-ready');
  });
  await scene.puller();
  expect((await scene.verdict(undefined, WITHIN)).message).toContain(sick);
}

async function lateLeft(scene: Scene): Promise<void> {
  await scene.join('first', { behaviour: { slow: 3 } });
  await scene.puller({ images: [SLOW] });
  await until('it is judged', async () => (await scene.stated()) !== undefined, { within: WITHIN });
  // Creation times are whole seconds: it must come in a later one than the first look.
  await pause(1_500);
  await scene.join('late', { behaviour: { slow: 1_000 } });
  expect(await scene.verdict(undefined, 25_000)).toMatchObject({ status: 'True' });
}

async function explained(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ pod: { priorityClassName: 'e2e-none' } });
  expect((await scene.verdict(undefined, WITHIN)).message).toContain('no PriorityClass');
}

async function told(scene: Scene): Promise<void> {
  await judged(scene);
  await until(
    'an event tells',
    async () => {
      const { items } = await scene.client.list('events', { namespace: scene.namespace });
      return items.some(({ reportingComponent }) => reportingComponent === 'argocd-prepuller');
    },
    { within: 5_000 },
  );
}

/** Everything at once, and not one request of the controller was refused. */
async function unrefused(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ images: [ENDLESS] });
  await until('it is judged', async () => (await scene.stated()) !== undefined, { within: WITHIN });
  const refused = stage.plane.requestsOf(userOf(scene.namespace, ACCOUNT)).filter(({ code }) => code === 403);
  expect(refused).toEqual([]);
}

const CHECKS = {
  'a puller is judged': judged,
  'a puller that comes later is judged': laterJudged,
  'a node that is not ready is named': named,
  'a late node is left to the continuous puller': lateLeft,
  'refused pods are explained': explained,
  'an event tells of a verdict': told,
  'nothing that is asked is refused': unrefused,
} as const;
type Check = keyof typeof CHECKS;

/** `verb resource` → the check that breaks without it. */
const BREAKS: Record<string, Check> = {
  'list daemonsets': 'a puller is judged',
  'watch daemonsets': 'a puller is judged',
  'patch daemonsets/status': 'a puller is judged',
  'list pods': 'a puller is judged',
  'watch pods': 'a puller is judged',
  'get nodes': 'a late node is left to the continuous puller',
  'list nodes': 'a node that is not ready is named',
  'create events': 'an event tells of a verdict',
  'list events': 'refused pods are explained',
  'watch events': 'nothing that is asked is refused',
  'create leases': 'a puller is judged',
  'get leases': 'a puller is judged',
  'update leases': 'a puller that comes later is judged',
};

let stage: Stage;

/** Every verb that install/ grants, as `verb resource`. */
function granted(): string[] {
  const rules = (installedRights() as Rights[]).flatMap(({ rules = [] }) => rules);
  return rules.flatMap(({ verbs, resources }) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
  );
}

/** Installs the rights without one verb for an account of the scene's own namespace, where its Lease lies too. */
async function grant({ namespace }: Scene, without: string): Promise<string> {
  const applier = createApplier(stage.plane.transportFor('admin'));
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace } };
  for (const object of [
    account,
    ...(installedRights() as Rights[]).map((right) => reduce(right, namespace, without)),
  ]) {
    const refusal = await applier.apply(object);
    if (refusal !== undefined) throw new Error(refusal);
  }
  return kubeconfigOf(stage.plane, namespace, ACCOUNT);
}

function reduce(
  { metadata, rules, subjects, roleRef, ...rest }: Rights,
  namespace: string,
  without: string,
): AnyObject {
  const isShared = rest.kind.startsWith('Cluster');
  const name = isShared ? `${metadata.name}-${namespace}` : metadata.name;
  const left = rules?.map((rule) => ({
    ...rule,
    verbs: rule.verbs.filter((verb) => !rule.resources.includes(without.replace(`${verb} `, ''))),
  }));
  return {
    ...rest,
    metadata: { name, ...(!isShared && { namespace }) },
    ...(left !== undefined && { rules: left.filter(({ verbs }) => verbs.length > 0) }),
    ...(roleRef !== undefined && { roleRef: { ...roleRef, name } }),
    ...(subjects !== undefined && { subjects: subjects.map((subject) => ({ ...subject, namespace })) }),
  };
}

/** Runs a check against a controller that lacks a verb; with an empty text it lacks none. */
async function checkWithout(scene: Scene, without: string, check: Check): Promise<unknown> {
  const { namespace } = scene;
  const kubeconfig = await grant(scene, without);
  const options = { kubeconfig, namespaces: [namespace], leaseNamespace: namespace, waits: false } as const;
  const controller = await startReconciler(stage.plane, options);
  try {
    await CHECKS[check](scene);
    return undefined;
  } catch (error) {
    if (!controller.isAlive()) throw new Error(`the controller ended:\n${controller.lastWords()}`, { cause: error });
    return error;
  } finally {
    await controller.kill();
  }
}

const enough: Play[] = (Object.keys(CHECKS) as Check[]).map((check) => ({
  name: `enough as it is: ${check}`,
  play: async (scene) => {
    expect(await checkWithout(scene, '', check)).toBeUndefined();
  },
}));

const needed: Play[] = granted().map((verb) => ({
  name: `without "${verb}" it breaks that ${BREAKS[verb] ?? 'a check that nobody named'}`,
  play: async (scene) => {
    const check = BREAKS[verb];
    if (check === undefined) throw new Error(`no check is named for "${verb}"`);
    expect(await checkWithout(scene, verb, check)).toBeInstanceOf(Error);
  },
}));

playTogether(
  'rights',
  [...enough, ...needed],
  (on) => {
    stage = on;
    return Promise.resolve(() => Promise.resolve());
  },
  { reconciler: false },
);

test('every right is on the list', () => {
  expect(granted().sort()).toEqual(Object.keys(BREAKS).sort());
  console.log(
    granted()
      .map((verb) => `${verb.padEnd(24)} ${BREAKS[verb] ?? ''}`)
      .join('\n'),
  );
});
