/** What a real kubelet wrote, kept for the judge's own tests: `PREPULLER_RECORD=FOLDER npm run e2e -- real-pulls` writes it anew. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiObject } from '../../simulator/store.ts';
import type { Scene } from './scene.ts';

const REPORTS = join(import.meta.dirname, '../../reports/e2e');
const folder = process.env.PREPULLER_RECORD;

/** Writes `{pod, events}` of the puller's pod on a node to NAME.json, where that is wanted. */
export async function record({ client, namespace }: Scene, name: string, node: string): Promise<void> {
  if (folder === undefined) return;
  const pods = (await client.list('pods', { namespace })).items;
  const pod = pods.find(({ metadata, spec }) => spec?.nodeName === node && metadata.labels?.puller !== undefined);
  if (pod === undefined) throw new Error(`no puller's pod is on ${node}`);
  const fieldSelector = `involvedObject.uid=${pod.metadata.uid}`;
  const events = (await client.list('events', { namespace, fieldSelector })).items.map(reduced);
  const withoutFields = (key: string, value: unknown): unknown => (key === 'managedFields' ? undefined : value);
  const text = JSON.stringify({ pod, events }, withoutFields, 1);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${name}.json`),
    `${text.replaceAll(join(REPORTS, 'real-pulls', node), '/var/lib/node')}\n`,
  );
}

function reduced({ type, reason, message, count }: ApiObject): object {
  return { type, reason, message, count };
}
