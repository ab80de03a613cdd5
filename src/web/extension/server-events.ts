/** Server-sent events out of a fetch stream, as the HTML standard reads them: Argo CD wants headers that EventSource cannot send. */

export interface ServerEvent {
  id: string;
  name: string;
  data: string;
}

/** Calls `heard` for each event and `alive` for each piece that came; resolves when the stream has ended. */
export async function readEvents(
  stream: ReadableStream<Uint8Array>,
  heard: (event: ServerEvent) => void,
  alive: () => void,
): Promise<void> {
  const reader = stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive();
    const blocks = (rest + value).split('\n\n');
    // The last one may go on in the next piece.
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventIn(block);
      if (event.name !== '') heard(event);
    }
  }
}

/** Our server writes one line a field, each ended by a line feed. */
function eventIn(block: string): ServerEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    }),
  );
  return { id: fields.get('id') ?? '', name: fields.get('event') ?? '', data: fields.get('data') ?? '' };
}
