/** What the transform is compared to: js-yaml alone, with its own schema, reading a stream from stdin. */
import { loadAll } from 'js-yaml';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
loadAll(Buffer.concat(chunks).toString('utf8'));
