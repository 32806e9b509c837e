/** Exchanges and connections without a server, for tests of what is done with them. Test code. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { Connection } from './connection.ts';
import { Exchange } from './exchange.ts';

/** An exchange of what a test uses of a request and a response. */
export function exchangeWith(
  request: object,
  response: object,
  connection = new Connection(new PassThrough(), null),
): Exchange {
  return new Exchange(connection, request as IncomingMessage, response as ServerResponse);
}
