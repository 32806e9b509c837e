/**
 * The documents of the interface, made once and kept as bytes: making one takes longer than a
 * hundred calls, and anybody may ask for it, over and over, on one connection.
 */
import type { RequestHandler } from 'express';

/** What stands for the address until one is asked; no document holds it otherwise. */
const PLACE = 'http://address.of.the.twin.invalid';

/** Addresses for which the bytes are kept; beyond, the oldest makes room. */
const KEPT = 8;

/** Serves a document as JSON with the address by which the client came. */
export function documentHandler(build: (baseUrl: string) => object): RequestHandler {
  let pieces: readonly string[] | null = null;
  const kept = new Map<string, Buffer>();
  const bytesFor = (address: string): Buffer => {
    pieces ??= JSON.stringify(build(PLACE)).split(PLACE);
    const bytes = Buffer.from(pieces.join(JSON.stringify(address).slice(1, -1)));
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    kept.set(address, bytes);
    return bytes;
  };
  return (request, response) => {
    const address = `http://${request.headers.host ?? 'localhost'}`;
    const bytes = kept.get(address) ?? bytesFor(address);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', bytes.byteLength);
    response.end(bytes);
  };
}
