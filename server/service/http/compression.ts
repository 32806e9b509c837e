/** Compression for clients that accept gzip (RFC 9110 §12.5.3). */

import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Compresses bytes on another thread. */
export const compress = promisify(gzip);

/** Whether an Accept-Encoding header accepts gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const weights = new Map<string, number>();
  for (const part of String(header ?? '')
    .toLowerCase()
    .split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name, Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Names the header that decides about the encoding, for caches. */
export function varyByEncoding(response: ServerResponse): void {
  const given = response.getHeader('Vary');
  const names = given === undefined ? [] : [String(given)];
  response.setHeader('Vary', [...names, 'Accept-Encoding'].join(', '));
}

export function isWanted(response: ServerResponse): boolean {
  return acceptsGzip(response.req.headers['accept-encoding']);
}
