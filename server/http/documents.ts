/**
 * The documents of the interface, made once and kept as text: making one takes longer than a
 * hundred calls, and anybody may ask for it, over and over, on one connection.
 */
import type { RequestHandler } from 'express';

/** What stands for the address in the text that is kept; no document holds it otherwise. */
const PLACE = 'http://address.of.the.twin.invalid';

/** Serves a document as JSON with the address by which the client came. */
export function documentHandler(build: (baseUrl: string) => object): RequestHandler {
  let pieces: readonly string[] | null = null;
  return (request, response) => {
    pieces ??= JSON.stringify(build(PLACE)).split(PLACE);
    const address = `http://${request.headers.host ?? 'localhost'}`;
    const text = pieces.join(JSON.stringify(address).slice(1, -1));
    response.type('application/json; charset=utf-8').send(text);
  };
}
