/** Which objects `clean` may take away: only hooks with our label, and none that a running operation may still need. */
import { ROLE_LABEL } from '../../src/api/names.ts';
import { KubeError } from '../../src/watch/kube-api.ts';
import type { KubeClient } from '../../src/watch/kube-api.ts';
import { findLeftovers, removeLeftover } from '../../src/watch/leftovers.ts';

const never = new AbortController().signal;

interface Made {
  app?: string;
  hook?: boolean;
  status?: object;
}

function made(name: string, { app, hook = true, status }: Made = {}): object {
  const annotations = {
    ...(hook && { 'argocd.argoproj.io/hook': 'PreSync' }),
    ...(app !== undefined && { 'argocd.argoproj.io/tracking-id': `${app}:apps/DaemonSet:hub/${name}` }),
  };
  return {
    metadata: { namespace: 'hub', name, uid: `uid-${name}`, labels: { [ROLE_LABEL]: 'hook' }, annotations },
    status,
  };
}

function verdict(status: string): object {
  return { conditions: [{ type: 'argocd-prepuller.github.io/Pulled', status }] };
}

/** A cluster with some DaemonSets; `applications` undefined: none can be read. */
function cluster(daemonSets: object[], applications?: object[]): KubeClient {
  const items: Record<string, object[] | undefined> = { daemonsets: daemonSets, applications };
  return {
    list: (path: string) => {
      const collection = path.slice(path.lastIndexOf('/') + 1);
      if (collection === 'applications' && applications === undefined) return Promise.reject(new KubeError('no', 404));
      return Promise.resolve({ items: items[collection] ?? [], resourceVersion: '1', next: undefined });
    },
  } as unknown as KubeClient;
}

async function kept(client: KubeClient): Promise<string[]> {
  const { leftovers } = await findLeftovers(client, undefined, never);
  return leftovers.map(({ name, kept: why }) => `${name}: ${why === undefined ? 'goes' : 'stays'}`);
}

const application = (name: string, more: object): object => ({ metadata: { namespace: 'argocd', name }, ...more });

test.each<[string, KubeClient, string[]]>([
  ['no hook, however labelled', cluster([made('a', { hook: false })]), []],
  ['a hook with its verdict', cluster([made('a', { status: verdict('False') })]), ['a: goes']],
  ['a hook that is still judged', cluster([made('a', { status: verdict('Unknown') })]), ['a: stays']],
  ['a hook nobody has judged', cluster([made('a')]), ['a: stays']],
  [
    'what belongs to an application with such a hook',
    cluster([
      made('a', { app: 'lab' }),
      made('b', { app: 'lab', status: verdict('True') }),
      made('c', { app: 'other', status: verdict('True') }),
    ]),
    ['a: stays', 'b: stays', 'c: goes'],
  ],
  [
    'a hook without a verdict of an application that does nothing',
    cluster([made('a', { app: 'lab' })], [application('lab', { status: { operationState: { phase: 'Failed' } } })]),
    ['a: goes'],
  ],
  [
    'an application whose sync runs',
    cluster(
      [made('a', { app: 'lab', status: verdict('True') })],
      [application('lab', { status: { operationState: { phase: 'Running' } } })],
    ),
    ['a: stays'],
  ],
  [
    'an application in a namespace of its own, whose sync was just asked for',
    cluster(
      [made('a', { app: 'argocd_lab', status: verdict('True') })],
      [application('lab', { operation: { sync: {} } })],
    ),
    ['a: stays'],
  ],
])('%s', async (_what, client, expected) => {
  expect(await kept(client)).toEqual(expected);
});

test.each([
  [undefined, true],
  [404, false],
  [409, false],
] as const)('removing what answers %s', async (code, wasThere) => {
  const sent: unknown[] = [];
  const client = {
    remove: (...call: unknown[]) => {
      sent.push(...call.slice(0, 2));
      return code === undefined ? Promise.resolve() : Promise.reject(new KubeError('no', code));
    },
  } as unknown as KubeClient;
  const leftover = { collection: 'daemonsets', namespace: 'hub', name: 'a', uid: 'uid-a', app: '' } as const;
  expect(await removeLeftover(client, leftover, never)).toBe(wasThere);
  expect(sent[0]).toBe('/apis/apps/v1/namespaces/hub/daemonsets/a');
  expect(sent[1]).toMatchObject({ preconditions: { uid: 'uid-a' } });
});
