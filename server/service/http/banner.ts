/**
 * The header X-Armtwin, which every reply of a server carries (D4): those of routes and pages,
 * and those that are written to a connection without a route: to handshakes and malformed requests.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The value of the header for a request; one that is malformed has no headers. */
export type Banner = (headers: IncomingHttpHeaders) => string;

export const BANNER = 'X-Armtwin';
const banners = new WeakMap<Server, Banner>();
const serverOf = new WeakMap<Duplex, Server>();
/** The headers of the handshakes that are not answered yet. */
const handshakes = new WeakMap<Duplex, IncomingHttpHeaders>();

/** Lets the replies of a server be identified by the connection they are for. */
export function identifyReplies(server: Server): void {
  server.on('connection', (socket: Duplex) => serverOf.set(socket, server));
}

/** Sets what the replies of a server carry from now on. */
export function setBanner(server: Server, banner: Banner): void {
  banners.set(server, banner);
}

/** Remembers what a connection has asked for, whose answer is not a `ServerResponse`. */
export function noteHandshake({ headers }: IncomingMessage, socket: Duplex): void {
  handshakes.set(socket, headers);
}

/** The header line of an answer that is written to a connection; none without a banner. */
export function bannerLines(socket: Duplex): string[] {
  const server = serverOf.get(socket);
  const banner = server && banners.get(server);
  return banner ? [`${BANNER}: ${banner(handshakes.get(socket) ?? {})}`] : [];
}

/** Sets the header of a reply. */
export function identifyReply(
  { headers, socket }: IncomingMessage,
  response: ServerResponse,
): void {
  const server = serverOf.get(socket);
  const banner = server && banners.get(server);
  if (banner) response.setHeader(BANNER, banner(headers));
}
