/** An Express application on a port of its own. */

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves the application while `work` is under way; returns the result. */
export async function answerHere<Result>(
  app: RequestListener,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}
