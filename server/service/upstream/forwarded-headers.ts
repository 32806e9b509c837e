/**
 * The headers that the proxy passes on: of requests without those of one connection, of replies
 * with those that protect the viewer.
 */
import type { IncomingMessage } from 'node:http';
import { BANNER } from '../http/banner.ts';
import { endToEndHeaders, type HeaderList } from '../http/end-to-end-headers.ts';

/** Names this proxy in Via (RFC 9110 §7.6.3), by which it knows a request that it has forwarded. */
export const VIA = 'via';
export const LOOP = 'its address leads back to this server; give that of the arm with --upstream';

/** Whether this proxy has forwarded the request before. */
export function isLoop({ headers }: IncomingMessage, id: string): boolean {
  return headers.via?.split(', ').includes(id) ?? false;
}

/** Headers to send; a list for a name that occurs more than once. */
export type SentHeaders = Record<string, string | string[]>;

/**
 * Says how the body of a forwarded request ends. Node does so by itself only for methods that have
 * a body; the arm would take that of a GET or DELETE in chunks for the next request, which nothing
 * here has checked.
 */
function framingOf({ headers }: IncomingMessage): SentHeaders {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

/**
 * The headers of a forwarded request. Host and origin are those of the arm: the proxy has checked
 * the origin, with the scheme by which the page came to it.
 */
export function requestHeaders(
  request: IncomingMessage,
  { upstream, id }: { readonly upstream: URL; readonly id: string },
): SentHeaders {
  const sent: SentHeaders = {};
  for (const [name, value] of endToEndHeaders(request)) {
    const lower = name.toLowerCase();
    if (lower === 'x-forwarded-proto') continue;
    const passed = lower === 'origin' ? upstream.origin : value;
    const before = sent[lower];
    sent[lower] = before === undefined ? passed : [before, passed].flat();
  }
  const via = [request.headers.via, id].filter((one) => one !== undefined).join(', ');
  return { ...sent, ...framingOf(request), [VIA]: via, host: upstream.host };
}

/**
 * What a reply gets that lacks it: a page that the arm sends in place of data runs no script on the
 * origin of the viewer, and is taken for nothing else.
 */
const SAFE_HEADERS: HeaderList = [
  ['Content-Security-Policy', "default-src 'none'; sandbox"],
  ['X-Content-Type-Options', 'nosniff'],
];

/** Headers of the arm for its own pages; the proxy has those for its own. */
const CROSS_ORIGIN = /^access-control-/i;
const LENGTH = /^content-length$/i;
const NO_CONTENT = 204;

/** The headers of a reply, and those that it lacks. */
export function replyHeaders(reply: IncomingMessage, banner: string): string[] {
  // A reply that has no body says no length of one (RFC 9110 §8.6): Node would wait for the body.
  const isEmpty = reply.statusCode === NO_CONTENT;
  const passed = endToEndHeaders(reply).filter(
    ([name]) => !CROSS_ORIGIN.test(name) && !(isEmpty && LENGTH.test(name)),
  );
  const added = [...SAFE_HEADERS, [BANNER, banner] as const];
  const lacking = added.filter(([name]) => reply.headers[name.toLowerCase()] === undefined);
  return [...passed, ...lacking].flat();
}

export function statusLine(
  { statusCode, statusMessage }: IncomingMessage,
  headers: string[],
): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
