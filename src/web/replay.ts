/** The newest events as bytes, for who lost the line for a moment: bounded in number and in size. */

export interface Replay {
  keep(events: readonly Kept[]): void;
  /** Nobody listens, so nothing was put into bytes: whoever comes back from before this version begins anew. */
  skip(version: number): void;
  /** What came after this version; undefined when some of it is not kept. */
  after(version: number): readonly Kept[] | undefined;
}

export interface Kept {
  version: number;
  /** The application it is about. */
  owner: string | undefined;
  bytes: Buffer;
}

const EVENTS = 200;
const BYTES = 8 * 1024 * 1024;

export function createReplay(version: number): Replay {
  let kept: Kept[] = [];
  let size = 0;
  /** Everything after it is kept. */
  let from = version;

  function drop(): void {
    const [oldest] = kept;
    if (oldest === undefined) return;
    kept = kept.slice(1);
    size -= oldest.bytes.length;
    from = oldest.version;
  }

  return {
    keep(events) {
      kept = [...kept, ...events];
      for (const { bytes } of events) size += bytes.length;
      while (kept.length > EVENTS || size > BYTES) drop();
    },
    skip(newest) {
      kept = [];
      size = 0;
      from = newest;
    },
    after: (known) => (known < from ? undefined : kept.filter((event) => event.version > known)),
  };
}
