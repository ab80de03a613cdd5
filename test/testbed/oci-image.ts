/** Images made in the test: one uncompressed layer, one configuration, one manifest, pushed by the distribution API. */
import { createCipheriv, createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';

export interface ImageSpec {
  /** `repository:tag` within the registry. */
  name: string;
  /** With busybox and `/bin/sh`; without, a single file and nothing that runs. */
  shell: boolean;
  entrypoint?: string[];
  /** Architectures of an index that stands before the image; without, there is no index. */
  platforms?: string[];
  /** Bytes of something that cannot be compressed. */
  ballast?: number;
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';

/** Pushes to a registry that wants no credentials. */
export async function pushImage(registry: string, spec: ImageSpec): Promise<void> {
  const [repository = '', tag = ''] = spec.name.split(':');
  const { entrypoint, platforms = [] } = spec;
  const home = `${registry}/v2/${repository}`;
  const layer = await layerOf(spec);
  const config = json({
    architecture: platforms[0] ?? 'amd64',
    os: 'linux',
    config: { ...(entrypoint !== undefined && { Entrypoint: entrypoint }) },
    rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
  });
  for (const blob of [layer, config]) await pushBlob(home, blob);
  const manifest = json({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: descriptor('application/vnd.oci.image.config.v1+json', config),
    layers: [descriptor('application/vnd.oci.image.layer.v1.tar', layer)],
  });
  await put(`${home}/manifests/${platforms.length === 0 ? tag : digestOf(manifest)}`, manifest, MANIFEST);
  if (platforms.length === 0) return;
  const manifests = platforms.map((architecture) => ({
    ...descriptor(MANIFEST, manifest),
    platform: { architecture, os: 'linux' },
  }));
  await put(`${home}/manifests/${tag}`, json({ schemaVersion: 2, mediaType: INDEX, manifests }), INDEX);
}

function json(content: object): Buffer {
  return Buffer.from(JSON.stringify(content));
}

function descriptor(mediaType: string, content: Buffer): object {
  return { mediaType, digest: digestOf(content), size: content.length };
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

async function layerOf({ name, shell, ballast = 0 }: ImageSpec): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'prepuller-image-'));
  try {
    writeFileSync(join(folder, 'name'), name);
    if (ballast > 0) writeFileSync(join(folder, 'ballast'), noise(ballast));
    if (shell) addBusybox(join(folder, 'bin/busybox'));
    const chunks: Buffer[] = [];
    const stream = create({ cwd: folder, portable: true }, ['.']);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(stream, 'end');
    return Buffer.concat(chunks);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function addBusybox(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync('/bin/busybox', path);
  chmodSync(path, 0o755);
  for (const tool of ['sh', 'sleep']) symlinkSync('busybox', join(dirname(path), tool));
}

/** The same bytes each time, and nothing a compressor could do with them. */
function noise(size: number): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(size));
}

async function pushBlob(repository: string, content: Buffer): Promise<void> {
  const opened = await fetch(`${repository}/blobs/uploads/`, { method: 'POST' });
  const location = opened.headers.get('location');
  if (location === null) throw new Error(`the registry answered ${opened.status} to an upload`);
  const url = new URL(location, repository);
  url.searchParams.set('digest', digestOf(content));
  await put(url.href, content, 'application/octet-stream');
}

async function put(url: string, content: Buffer, type: string): Promise<void> {
  const body = new Uint8Array(content);
  const { ok, status } = await fetch(url, { method: 'PUT', body, headers: { 'content-type': type } });
  if (!ok) throw new Error(`the registry answered ${status} to ${new URL(url).pathname}`);
}
