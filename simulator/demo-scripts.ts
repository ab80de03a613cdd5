/** The clusters of `prepuller demo`: what each scenario's registry answers, and what befalls which node when. */
import type { Cluster } from './cluster.ts';
import type { PullOutcome, PullRequest, Registry } from './node-images.ts';
import type { NodeSpec } from './node-object.ts';

export interface Script {
  registry: Registry;
  /** Before anything of the hub is there. */
  before?: (cluster: Cluster, namespace: string) => Promise<void>;
  /** `at`: milliseconds since the sync began. */
  during?: readonly { at: number; does: (cluster: Cluster) => Promise<void> | void }[];
}

/** When the sync begins. */
export const START = Date.parse('2026-04-01T09:00:00Z');

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NODES = 20;
/** Pods a node of the demo may hold. */
const CAP = 12;

export const FLEET: readonly NodeSpec[] = Array.from({ length: NODES }, (_, index) => ({
  name: nodeName(index + 1),
  pods: CAP,
}));

export function nodeName(number: number): string {
  return `user-${String(number).padStart(2, '0')}`;
}

/** The script of this name. A bug when there is none. */
export function scriptOf(name: string): Script {
  const script = SCRIPTS[name];
  if (script === undefined) throw new Error(`no script is called ${name}`);
  return script;
}

const TROUBLED: Pick<Script, 'before' | 'during'> = {
  before: (cluster, namespace) => fill(cluster, namespace, nodeName(4)),
  during: [
    {
      at: 0,
      does: ({ nodes }) => {
        nodes.behave(nodeName(13), { slow: 2.5 });
      },
    },
    {
      at: 0,
      async does({ nodes }) {
        nodes.behave(nodeName(9), {
          cannotStart: 'plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory',
        });
        await nodes.cordon(nodeName(9));
      },
    },
    {
      at: 100 * SECOND,
      does: ({ nodes }) => {
        nodes.kill(nodeName(16));
      },
    },
  ],
};

const SCRIPTS: Readonly<Record<string, Script>> = {
  tour: { registry: answer, ...TROUBLED },
  strict: { registry: answer, ...TROUBLED },
  'missing-image': { registry: thirtyDays },
  'rate-limit': { registry: limited },
  'late-node': {
    registry: answer,
    during: [{ at: 150 * SECOND, does: ({ nodes }) => nodes.add({ name: nodeName(21), pods: CAP }) }],
  },
  'no-controller': { registry: answer },
};

/** A user image takes two and a half to four minutes, by node; a helper some seconds. */
function answer(request: PullRequest): PullOutcome {
  const number = Number(request.node.replace(/\D/g, ''));
  if (!isBig(request)) return { takes: 4 * SECOND, bytes: 45_000_000 };
  return { takes: 2.5 * MINUTE + ((number * 7) % NODES) * 4.5 * SECOND, bytes: 8_300_000_000 };
}

/** The commit names a day that April does not have. */
function thirtyDays(request: PullRequest): PullOutcome {
  return request.image.endsWith('-04-31') ? { takes: SECOND, error: 'missing' } : answer(request);
}

/** Two minutes long only the first nodes get through. */
function limited(request: PullRequest): PullOutcome {
  const since = request.now - START;
  const spared = request.node <= nodeName(6);
  return isBig(request) && since >= 0 && since < 2 * MINUTE && !spared
    ? { takes: SECOND, error: 'rateLimited' }
    : answer(request);
}

/** Users of the old image hold every place. */
async function fill({ client }: Cluster, namespace: string, node: string): Promise<void> {
  for (let user = 1; user <= CAP; user += 1) {
    await client.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `jupyter-user-${String(user)}`, namespace },
      spec: {
        nodeName: node,
        containers: [{ name: 'notebook', image: 'quay.io/example/datascience-notebook:2026-03-01' }],
      },
    });
  }
}

function isBig({ image }: PullRequest): boolean {
  return image.includes('notebook');
}
