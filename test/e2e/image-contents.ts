/** What a built image weighs, how fast its programs start, and for which processor they are. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Unpacked } from './image-build.ts';
import { runInImage } from './in-image.ts';
import type { Container } from './in-image.ts';

export interface Figures {
  /** By part; `all` is their sum. */
  bytes: Record<string, number>;
  /** Of starts one after the other in one container, the first with nothing in a cache. */
  milliseconds: Record<string, number[]>;
}

/** Five starts of a command in a fresh container: milliseconds each. */
export function startTimes(image: Unpacked, container: Container, command: string): number[] {
  const once = `a=$(date +%s%N); ${command} >/dev/null; b=$(date +%s%N); echo $(((b - a) / 1000000))`;
  const { stdout } = runInImage(image, container, ['sh', '-c', `for n in 1 2 3 4 5; do ${once}; done`]);
  return stdout.trimEnd().split('\n').map(Number);
}

/** By the machine field of its ELF header. */
export function kindOf(path: string): string {
  const header = readFileSync(path).subarray(0, 20);
  if (header.subarray(0, 4).toString('latin1') !== '\x7fELF') return 'no program';
  return { 0x3e: 'amd64', 0xb7: 'arm64' }[header.readUInt16LE(18)] ?? 'unknown';
}

/** Bytes of the files that are not in the base as they are here, all and by part. */
export function sizesIn(root: string, base: string): Record<string, number> {
  const sizes: Record<string, number> = { all: 0, helm: 0, kustomize: 0, package: 0, git: 0, licences: 0 };
  const partOf = (path: string): string => {
    if (/^usr\/local\/bin\/(helm|kustomize)$/.test(path)) return basename(path);
    if (path.startsWith('usr/local/lib/argocd-prepuller/')) return 'package';
    return path.includes('/share/doc/') ? 'licences' : 'git';
  };
  const list = execFileSync('find', [root, '-xdev', '-type', 'f', '-printf', '%P\n'], { encoding: 'utf8', maxBuffer: 1 << 26 }); // prettier-ignore
  for (const path of list.split('\n').filter(Boolean)) {
    const { size, mtimeMs } = statSync(join(root, path));
    const known = statSync(join(base, path), { throwIfNoEntry: false });
    if (known?.size === size && known.mtimeMs === mtimeMs) continue;
    sizes.all! += size;
    sizes[partOf(path)]! += size;
  }
  return sizes;
}
