/** Resource quantities as numbers (apimachinery's resource.Quantity, the forms people write), and what a pod asks of a node. */
import type { Fields } from './store.ts';

const FACTORS: Readonly<Record<string, number>> = {
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** `250m` → 0.25, `1Gi` → 2^30; a text that is no quantity counts nothing. */
export function parseQuantity(text: string | number | undefined): number {
  const match = /^([0-9.]+(?:e[0-9]+)?)([A-Za-z]*)$/.exec(String(text ?? 0));
  return match === null ? 0 : Number(match[1]) * (FACTORS[match[2] ?? ''] ?? 1);
}

export interface Request {
  cpu: number;
  memory: number;
}

/** The sum over the containers, or the largest init container when that is more. */
export function requestOf(podSpec: Fields): Request {
  const containers = ((podSpec.containers ?? []) as Fields[]).map(requestOfContainer);
  const first = ((podSpec.initContainers ?? []) as Fields[]).map(requestOfContainer);
  const most = (resource: keyof Request): number =>
    Math.max(
      containers.reduce((sum, one) => sum + one[resource], 0),
      ...first.map((one) => one[resource]),
    );
  return { cpu: most('cpu'), memory: most('memory') };
}

function requestOfContainer(container: Fields): Request {
  const requests = ((container.resources as Fields | undefined)?.requests ?? {}) as Record<string, string>;
  return { cpu: parseQuantity(requests.cpu), memory: parseQuantity(requests.memory) };
}
