/** The page alone says, in each scenario, which node holds which image back and what to do: read as it is sent, without a script. */
import { once } from 'node:events';
import { startPrepuller } from '../commands/prepuller.ts';
import { until } from '../watch/kubeconfig.ts';

const IMAGE = 'quay.io/example/datascience-notebook:2026-04-01';
const TAG = 'quay.io/example/datascience-notebook:2026-04-31';

/** State, nodes, image, why, what to do. */
type Row = readonly [string, string, string, string, string];

const FULL: Row = [
  '○ Tolerated',
  'user-04',
  '–',
  'the node is full: 1 Too many pods',
  'Make room on the node, or keep the puller off it with a node selector.',
];
const BROKEN: Row = [
  '○ Tolerated',
  'user-09',
  '–',
  'the node does not start the pod (it is cordoned): FailedCreatePodSandBox: Failed to create pod sandbox: plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory',
  'Look at the kubelet, the container runtime and the network plugin of the node.',
];
const DEAD: Row = [
  '○ Tolerated',
  'user-16',
  '–',
  'the node is not ready since 2026-04-01T09:02:30Z: Kubelet stopped posting node status.',
  'Repair the node, or delete its Node object.',
];
const SLOW: Row = ['↓ Pulling', 'user-13', IMAGE, 'pulling, image 1 of 2', 'Nothing: it goes on by itself.'];

const SAYS: Record<string, readonly Row[]> = {
  tour: [SLOW, FULL, BROKEN, DEAD],
  strict: [SLOW, FULL, BROKEN, DEAD],
  'missing-image': [
    [
      '✖ Failed',
      '20 nodes: user-01, user-02, user-03, user-04, user-05 and 15 more',
      TAG,
      `not found in the registry: ${TAG}: not found`,
      'Check the tag and the repository, and that the build that pushes them has succeeded.',
    ],
  ],
  'rate-limit': [
    [
      '! In trouble',
      '14 nodes: user-07, user-08, user-09, user-10, user-11 and 9 more',
      IMAGE,
      'the pull failed and is tried again: pulling from host quay.io failed with status code [manifests 2026-04-01]: 429 Too Many Requests',
      'The registry is busy or limits the rate: pull with an account, or through a mirror.',
    ],
  ],
  'late-node': [
    [
      '○ Tolerated',
      'user-21',
      '–',
      'joined after the pull began; left to the continuous puller',
      'Nothing for this sync: it does not wait for this node.',
    ],
  ],
};

/** The rows that the page tells of the hook, without the time in the fifth column. */
function rowsIn(page: string): string[][] {
  const article = /data-pull="jupyterhub\/hook-image-puller"[^]*?<\/article>/.exec(page)?.[0] ?? '';
  const body = /<tbody>([^]*?)<\/tbody>/.exec(article)?.[1] ?? '';
  return [...body.matchAll(/<tr[^]*?<\/tr>/g)].map(([row]) => {
    const cells = [...row.matchAll(/<td>([^]*?)<\/td>/g)].map(([, cell = '']) => textOf(cell));
    return cells.filter((_cell, index) => index !== 4);
  });
}

function textOf(markup: string): string {
  const text = markup.replaceAll(/<[^>]*>/g, '').replaceAll('&quot;', '"');
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Plays it while `read` waits for what the page says, and ends it. */
async function withPage(
  scenario: string,
  read: (address: string, isOver: () => boolean) => Promise<void>,
): Promise<void> {
  const child = startPrepuller(['demo', '--stay', '--scenario', scenario]);
  let told = '';
  child.stdout!.on('data', (chunk: Buffer) => (told += chunk.toString()));
  try {
    await until(() => /http:\S+/.test(told));
    const [address = ''] = /http:\S+/.exec(told) ?? [];
    await read(address, () => told.includes('The page stays up'));
    await until(() => told.includes('The page stays up until Ctrl-C: '));
    expect((await fetch(address)).status).toBe(200);
  } finally {
    child.kill('SIGINT');
  }
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(0);
}

async function textAt(address: string): Promise<string> {
  return (await fetch(address)).text();
}

test.concurrent.each(Object.entries(SAYS))(
  '%s',
  async (scenario, wanted) => {
    await withPage(scenario, async (address, isOver) => {
      const missing = new Set(wanted.map((row) => row.join(' | ')));
      await until(async () => {
        for (const row of rowsIn(await textAt(address))) missing.delete(row.join(' | '));
        return missing.size === 0 || isOver();
      });
      expect([...missing]).toEqual([]);
    });
  },
  60_000,
);

test.concurrent(
  'no-controller: nothing is known while none runs, and everything is pulled when it does',
  async () => {
    await withPage('no-controller', async (address, isOver) => {
      const before = textOf(await textAt(address));
      expect(before).toContain('No pull is known. A puller appears here as soon as Argo CD applies one');
      await until(isOver);
      expect(textOf(await textAt(address))).toMatch(
        /Past pulls .*jupyterhub\/hook-image-puller .*✔ Healthy Every node that counts has every image\. 20\/20 nodes pulled/,
      );
    });
  },
  60_000,
);
