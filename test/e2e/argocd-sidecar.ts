/** The sidecar as its node sees it: its processes, what they hold in memory, open files and its own /tmp; read from /proc. */
import { existsSync, readFileSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Resources {
  /** Of the sidecar's tree, cmp-server among them. */
  processes: number;
  zombies: number;
  /** Bytes that cmp-server itself has resident. */
  memory: number;
  /** Descriptors that cmp-server has open. */
  descriptors: number;
  /** Paths in its /tmp. */
  files: string[];
}

interface Process {
  pid: number;
  parent: number;
  state: string;
  command: string;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It ended meanwhile.
    return '';
  }
}

function allProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    const [, state = '', parent = ''] = /^\d+ \(.*\) (\S) (\d+) /s.exec(read(`/proc/${name}/stat`)) ?? [];
    const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ');
    return state === '' ? [] : [{ pid: Number(name), parent: Number(parent), state, command }];
  });
}

function below(root: number, all: readonly Process[]): Process[] {
  return all.filter(({ parent }) => parent === root).flatMap((child) => [child, ...below(child.pid, all)]);
}

/** The cmp-server that this test process started. */
export function findSidecar(): number {
  const mine = below(process.pid, allProcesses());
  const found = mine.filter(({ command }) => /^\S*argocd\S* argocd-cmp-server /.test(command));
  if (found.length !== 1) throw new Error(`${found.length} sidecars run: ${JSON.stringify(mine)}`);
  return found[0]!.pid;
}

function treeOf(sidecar: number): Process[] {
  const all = allProcesses();
  return [...all.filter(({ pid }) => pid === sidecar), ...below(sidecar, all)];
}

/** How many renders are under way. */
export function rendersOf(sidecar: number): number {
  return treeOf(sidecar).filter(({ command }) => command.includes(' generate')).length;
}

/** Bytes that the whole tree holds, what processes share counted once. */
function memoryOf(sidecar: number): number {
  return treeOf(sidecar).reduce((sum, { pid }) => sum + kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss'), 0);
}

export interface Most {
  /** At the same time. */
  renders: number;
  /** Bytes of the whole tree. */
  memory: number;
}

/** The most that was seen while something was done. */
export async function mostWhile<T>(sidecar: number, work: () => Promise<T>): Promise<{ outcome: T; most: Most }> {
  const most = { renders: 0, memory: 0 };
  const look = (): void => {
    most.renders = Math.max(most.renders, rendersOf(sidecar));
    most.memory = Math.max(most.memory, memoryOf(sidecar));
  };
  const looking = setInterval(look, 100);
  try {
    return { outcome: await work(), most };
  } finally {
    clearInterval(looking);
  }
}

/** Those of the tree but for cmp-server itself. */
export function childrenOf(sidecar: number): number[] {
  return below(sidecar, allProcesses()).map(({ pid }) => pid);
}

export function isRunning(pid: number): boolean {
  return allProcesses().some((one) => one.pid === pid && one.state !== 'Z');
}

function kilobytes(text: string, field: string): number {
  return 1024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
}

export function resourcesOf(sidecar: number): Resources {
  const tree = treeOf(sidecar);
  return {
    processes: tree.length,
    zombies: tree.filter(({ state }) => state === 'Z').length,
    memory: kilobytes(read(`/proc/${sidecar}/status`), 'VmRSS'),
    descriptors: readdirSync(`/proc/${sidecar}/fd`).length,
    files: readdirSync(tmpOf(sidecar), { recursive: true, encoding: 'utf8' }).sort(),
  };
}

function tmpOf(sidecar: number): string {
  return `/proc/${sidecar}/root/tmp`;
}

/** Fills its /tmp until so many bytes are left; gives what empties it again. */
export function fillTmp(sidecar: number, left: number): () => void {
  const filler = join(tmpOf(sidecar), 'filler');
  const { bavail, bsize } = statfsSync(tmpOf(sidecar));
  writeFileSync(filler, Buffer.alloc(Math.max(bavail * bsize - left, 0)));
  return () => {
    if (existsSync(filler)) rmSync(filler);
  };
}
