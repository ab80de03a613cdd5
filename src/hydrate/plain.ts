/**
 * Manifests that lie in git as they are, a chart rendered into git among them: every YAML and JSON file of the folder
 * itself, in name order, as Argo CD's directory source takes them, joined so that kubectl reads the same.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Warning } from '../api/warning.ts';
import { UserError } from '../errors.ts';
import { findFile, quote, shownPath, type Place } from './place.ts';
import type { Rendered } from './render.ts';

const MANIFEST_FILE = /\.(ya?ml|json)$/;
/** In a file, anywhere: Argo CD leaves the file out. */
const SKIP_MARKER = '+argocd:skip-file-rendering';
const MAX_BYTES = 100 * 1024 * 1024;

/** Throws UserError when no file holds a manifest, or one must not be read. */
export async function renderPlain(place: Place): Promise<Rendered> {
  const names = (await readdir(place.folder)).filter((name) => MANIFEST_FILE.test(name)).sort(byBytes);
  const warnings: Warning[] = [];
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const name of names) {
    const path = await findFile(`/${shownPath(join(place.folder, name), place)}`, place, 'manifest');
    if (path === undefined) continue;
    const body = await readFile(path);
    if (body.includes(SKIP_MARKER)) continue;
    if (!name.endsWith('.json') && !looksLikeManifests(body)) {
      warnings.push({ message: 'file left out: it holds no Kubernetes object', fields: { file: name } });
      continue;
    }
    size += body.length;
    if (size > MAX_BYTES)
      throw new UserError(`${quote(shownPath(place.folder, place))}: more than 100 MiB of manifests`);
    parts.push(separator(name), withoutMark(body), endOfLine(body));
  }
  if (parts.length === 0) throw new UserError(nothingFound(place));
  return { stream: Buffer.concat(parts), warnings };
}

/** The words Argo CD looks for before it calls an unreadable file a broken manifest. */
function looksLikeManifests(body: Buffer): boolean {
  return body.includes('apiVersion') && body.includes('kind');
}

/** A separator before each file, the first too: a stream that begins with `{` would be read as JSON to its end. */
function separator(name: string): Buffer {
  return Buffer.from(/^[\w. -]+$/.test(name) ? `---\n# Source: ${name}\n` : '---\n');
}

/** kubectl drops a byte order mark at the start of a file; within a stream it would be a character. */
function withoutMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

function endOfLine(body: Buffer): Buffer {
  return Buffer.from(body.at(-1) === 0x0a ? '' : '\n');
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function nothingFound(place: Place): string {
  return (
    `${quote(shownPath(place.folder, place))} holds no Chart.yaml, no kustomization.yaml and no manifest: ` +
    `set the application's path to the folder that does`
  );
}
