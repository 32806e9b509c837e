/** An application on a port of its own. */

import type { RequestListener } from 'node:http';
import { systemClock } from '../../clock/wall-clock.ts';
import type { ExchangeListener } from './exchange.ts';
import { HttpServer } from './http-server.ts';
import { RequestGate } from './request-gate.ts';

/** An application of Express as what answers exchanges. */
export const answeredBy =
  (app: RequestListener): ExchangeListener =>
  ({ request, response }) =>
    app(request, response);

/** Serves the application while `work` is under way; returns the result. */
export async function answerHere<Result>(
  app: ExchangeListener,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const gate = new RequestGate();
  gate.setHandler(app);
  const server = new HttpServer(gate);
  const port = await server.listen(0, '127.0.0.1');
  try {
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    void server.close(systemClock);
  }
}
