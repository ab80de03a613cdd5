/** Figures of many renders, as they are printed. */
import { availableParallelism } from 'node:os';
import type { Most } from './argocd-sidecar.ts';

/** The value that this share of them does not exceed. */
export function share(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

/** Says how long each took, in milliseconds, and what the sidecar held meanwhile. */
export function printLoad(what: string, times: readonly number[], { renders, memory }: Most): void {
  const seconds = [0.5, 0.95, 1].map((part) => (share(times, part) / 1000).toFixed(1));
  const held = `${renders} renders at a time, ${megabytes(memory)} MB in all`;
  console.log(
    `${what}, ${availableParallelism()} cores: p50 ${seconds[0]} s, p95 ${seconds[1]} s, slowest ${seconds[2]} s; ${held}`,
  );
}
