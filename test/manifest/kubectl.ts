/** The independent reader: what kubectl makes of streams, many in one run. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Reading {
  /** Numbers as the texts kubectl printed, so that none is rounded. */
  objects: unknown[];
  /** kubectl's own words, where it refused the stream. */
  error?: string;
}

const PROBE = 'probe';
const MARKER = 'stream-ends-here';
const marker = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${MARKER}"}}\n`;

/** Each stream becomes a file in a folder that kubectl walks in order, each followed by a marker of its own. */
export async function readWithKubectl(streams: readonly Uint8Array[]): Promise<Reading[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kubectl-reads-'));
  try {
    await Promise.all(
      streams.flatMap((stream, index) => [
        writeFile(join(folder, `${fileName(index)}a.yaml`), stream),
        writeFile(join(folder, `${fileName(index)}b.yaml`), marker),
      ]),
    );
    const { stdout, stderr } = await run([
      'annotate',
      '--local',
      '--overwrite',
      '-o',
      'json',
      '-f',
      folder,
      `${PROBE}=1`,
    ]);
    const errors = stderr.split('\n');
    const groups = groupObjects(stdout);
    if (groups.length !== streams.length)
      throw new Error(`kubectl read ${groups.length} of ${streams.length} files: ${stderr}`);
    return groups.map((objects, index) => {
      const error = errors.find((line) => line.includes(`${fileName(index)}a.yaml`));
      return error === undefined ? { objects } : { objects, error };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function fileName(index: number): string {
  return String(index).padStart(6, '0');
}

function run(args: string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile('kubectl', args, { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(new Error('kubectl did not run', { cause: error }));
      else resolve({ stdout, stderr });
    });
  });
}

function groupObjects(stdout: string): unknown[][] {
  const groups: unknown[][] = [];
  let group: unknown[] = [];
  for (const text of stdout.split(/^(?=\{$)/m)) {
    if (text.trim() === '') continue;
    const object = exactJson(text);
    if (object.metadata?.name === MARKER) {
      groups.push(group);
      group = [];
    } else {
      group.push(withoutProbe(object));
    }
  }
  return groups;
}

interface AnyObject {
  metadata?: { name?: string; annotations?: Record<string, string> };
}

type ParseWithSource = (
  text: string,
  revive: (key: string, value: unknown, context: { source: string }) => unknown,
) => AnyObject;

/** JSON with its numbers as written. */
function exactJson(text: string): AnyObject {
  return (JSON.parse as ParseWithSource)(text, (_key, value, { source }) =>
    typeof value === 'number' ? `number ${source}` : value,
  );
}

/** kubectl adds the annotation, and the map for it where there is none. */
export function withoutProbe(object: AnyObject): AnyObject {
  const annotations = object.metadata?.annotations;
  if (object.metadata === undefined || annotations === undefined) return object;
  const rest = Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== PROBE));
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([key]) => key !== 'annotations'));
  return { ...object, metadata: Object.keys(rest).length === 0 ? metadata : { ...metadata, annotations: rest } };
}
