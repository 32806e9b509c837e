import type { RequestHandler } from 'express';
import { endCompressed } from './reply-body.ts';

/** Placeholder for host and port of the server in a document; no document contains it otherwise. */
const HOST_PLACEHOLDER = 'address.of.the.twin.invalid';

/** Hosts whose document bytes are cached; the oldest is dropped first. */
const CACHED_HOSTS = 8;

/**
 * Serves a document as JSON with the address that the client used. Building one takes longer than
 * a hundred calls, so the bytes are cached.
 */
export function documentHandler(build: (baseUrl: string) => object): RequestHandler {
  let pieces: readonly string[] | null = null;
  const cache = new Map<string, Buffer>();
  const bytesFor = (host: string): Buffer => {
    pieces ??= JSON.stringify(build(`http://${HOST_PLACEHOLDER}`)).split(HOST_PLACEHOLDER);
    const bytes = Buffer.from(pieces.join(JSON.stringify(host).slice(1, -1)));
    if (cache.size >= CACHED_HOSTS) cache.delete(cache.keys().next().value!);
    cache.set(host, bytes);
    return bytes;
  };
  return (request, response) => {
    const host = request.headers.host ?? 'localhost';
    const bytes = cache.get(host) ?? bytesFor(host);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    endCompressed(response, bytes);
  };
}
