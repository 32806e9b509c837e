/** The headers of a message that a proxy passes on: those that are not of one connection. */
import type { IncomingMessage } from 'node:http';

/** Headers that belong to one connection (RFC 9110) and are not forwarded. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export type HeaderList = readonly (readonly [name: string, value: string])[];

function headerPairs(rawHeaders: readonly string[]): HeaderList {
  const pairs: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) pairs.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  return pairs;
}

/** The headers to forward, in their order. */
export function endToEndHeaders({ rawHeaders, headers }: IncomingMessage): HeaderList {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return headerPairs(rawHeaders).filter(([name]) => {
    const lower = name.toLowerCase();
    return !HOP_BY_HOP.has(lower) && !named.includes(lower);
  });
}
