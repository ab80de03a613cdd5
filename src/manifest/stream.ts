/** Splits a YAML stream as kubectl does and joins it again byte for byte. */
import type { Manifest } from './manifest.ts';

/** Throws UserError, naming document and line, where kubectl would refuse the stream. */
export function readStream(bytes: Uint8Array): Manifest[] {
  throw new Error(`not written: ${bytes.length}`);
}

export function printStream(manifests: readonly Manifest[]): Uint8Array {
  return Buffer.concat(manifests.flatMap(({ separator, body }) => [separator, body]));
}
