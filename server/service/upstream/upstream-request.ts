/** A request to the arm: how it is opened and given up, and what is said of one that failed. */

import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { limits } from '../../../contract/limits.ts';
import type { SentHeaders } from './forwarded-headers.ts';
import type { UpstreamProxyOptions } from './proxy-options.ts';

/** Creates the function that opens requests to the arm, with a connect timeout. */
export function createRequestOpener({ upstream, wall }: UpstreamProxyOptions) {
  const secure = upstream.protocol === 'https:';
  const send = secure ? httpsRequest : httpRequest;
  // Not joined with URL, which would normalize the path: the arm must get it unchanged.
  const prefix = upstream.pathname.replace(/\/$/, '');
  const hostname = upstream.hostname.replace(/^\[|\]$/g, '');
  return (method: string, path: string, headers: SentHeaders): ClientRequest => {
    const outgoing = send({
      protocol: upstream.protocol,
      hostname,
      port: upstream.port,
      method,
      path: prefix + path,
      headers,
      agent: false,
    });
    const giveUp = () => outgoing.destroy(new Error('no connection in time'));
    const cancel = wall.afterUnreferenced(limits.headers_s * 1000, giveUp);
    outgoing.once('socket', (socket) =>
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        cancel();
        connected.add(outgoing);
      }),
    );
    outgoing.once('close', cancel);
    return outgoing;
  };
}

export type RequestOpener = ReturnType<typeof createRequestOpener>;

/** Requests that the arm may have received. */
const connected = new WeakSet<ClientRequest>();

/**
 * Ends a request without waiting for its reply. The connection is reset, not closed: what an arm
 * that hangs has not accepted yet is then gone, where it would still do a call that was sent whole.
 */
export function abandon(outgoing: ClientRequest): void {
  const { socket } = outgoing;
  const isPlain = socket instanceof Socket && !(socket instanceof TLSSocket);
  if (isPlain && connected.has(outgoing) && !socket.destroyed) socket.resetAndDestroy();
  outgoing.destroy();
}

const UNKNOWN_OUTCOME =
  'it is not known whether the call takes effect, now or later: look before you repeat it';

/** What is said of a call that failed on the way: why, and what is known of its effect. */
export function failureText(outgoing: ClientRequest, why: string): string {
  if (outgoing.method === 'GET' || outgoing.method === 'HEAD') return why;
  return `${why}; ${connected.has(outgoing) ? UNKNOWN_OUTCOME : 'the call was not sent'}`;
}

/** Why a connection failed, such as ECONNREFUSED. */
export function failureReason(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${code}`;
}
