/** An express app on a port, until it is stopped. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { UsageError } from '../errors.ts';

export interface Served {
  port: number;
  /** Ends connections that do nothing at once, others with their answer, the rest after so many milliseconds. */
  stop(within: number): Promise<void>;
}

/** UsageError when the address cannot be had. */
export async function serve(app: Express, { host, port }: { host: string; port: number }): Promise<Served> {
  const server = createServer(app);
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    reject(new UsageError(`cannot listen on port ${port} (${error.code ?? 'unknown error'})`));
  });
  server.listen(port, host, () => {
    resolve(undefined);
  });
  await promise;
  return {
    port: (server.address() as AddressInfo).port,
    async stop(within) {
      const closed = new Promise<void>((done) => {
        server.close(() => {
          done();
        });
      });
      server.closeIdleConnections();
      const late = setTimeout(() => {
        server.closeAllConnections();
      }, within);
      await closed;
      clearTimeout(late);
    },
  };
}
