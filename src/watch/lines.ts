/** A byte stream cut into lines of text. */

/** Lines without their ends, empty ones left out. Ending the loop early cancels the stream. */
export async function* readLines(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of stream ?? []) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(first);
    for (const next of others) {
      const line = parts.join('');
      if (line !== '') yield line;
      parts = [next];
    }
  }
  const last = parts.join('');
  if (last !== '') yield last;
}
