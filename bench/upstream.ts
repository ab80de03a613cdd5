/** How the chart's own awaiter decides, in our words: it asks for the DaemonSet every second and compares two numbers of its status. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NAMESPACE } from './cluster-objects.ts';

/** Also the name that the API server counts its requests under. */
export const UPSTREAM = 'upstream';
const EVERY = 1_000;

interface Status {
  numberReady: number;
  currentNumberScheduled: number;
}

/** When it would let the sync on, in milliseconds since 1970. It begins at any moment of a second, as a Job does. */
export async function awaitAsUpstream(url: string, name: string): Promise<number> {
  await sleep(Math.random() * EVERY);
  for (;;) {
    const began = Date.now();
    const response = await fetch(`${url}/apis/apps/v1/namespaces/${NAMESPACE}/daemonsets/${name}`, {
      headers: { authorization: `Bearer ${UPSTREAM}` },
    });
    const { status } = (await response.json()) as { status: Status };
    if (status.numberReady >= status.currentNumberScheduled) return Date.now();
    await sleep(EVERY - (Date.now() - began));
  }
}
