/** What one document of a stream is to us: its bytes, and the object kubectl would read in them. */

/** A Kubernetes object as parsed: integers beyond 2^53 are BigInt, everything else plain JSON values. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** The part of ObjectMeta that rules look at. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  [field: string]: unknown;
}

/** Where a document stood in the stream that was read, both counted from 1 (0: it was added); `line` is the first after its separator. */
export interface Position {
  document: number;
  line: number;
}

export interface Manifest {
  /** The separator line that opened the document, line break included; empty for the first. */
  readonly separator: Uint8Array;
  /** The bytes up to the next separator. */
  readonly body: Uint8Array;
  readonly position: Position;
  /** What kubectl reads; undefined for an empty or comment-only document. */
  readonly object: KubeObject | undefined;
  /** One of at least two JSON values that follow each other without separators. */
  readonly json?: true;
}
