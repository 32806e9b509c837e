/**
 * Which headers of a request and a reply pass on: all but those that speak of one connection only.
 * The arm sees its own name as host, and its own page as origin where the page is ours.
 */
import type { IncomingMessage } from 'node:http';

const ONE_CONNECTION = new Set([
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

function listed(rawHeaders: readonly string[]): HeaderList {
  const pairs: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) pairs.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  return pairs;
}

/** Headers that pass on as they came, in their order. */
export function passedHeaders({ rawHeaders, headers }: IncomingMessage): HeaderList {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return listed(rawHeaders).filter(([name]) => {
    const lower = name.toLowerCase();
    return !ONE_CONNECTION.has(lower) && !named.includes(lower);
  });
}

/** Whether a page of this very server asks. */
function isOurOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Headers as node sends them: a list only where a name came more than once. */
export type SentHeaders = Record<string, string | string[]>;

/** Headers of a request as the arm at `upstream` shall see them. */
export function requestHeaders(request: IncomingMessage, upstream: URL): SentHeaders {
  const sent: SentHeaders = {};
  for (const [name, value] of passedHeaders(request)) {
    const lower = name.toLowerCase();
    const ours = lower === 'origin' && isOurOrigin(value, request.headers.host);
    const passed = ours ? upstream.origin : value;
    const before = sent[lower];
    sent[lower] = before === undefined ? passed : [before, passed].flat();
  }
  return { ...sent, host: upstream.host };
}
