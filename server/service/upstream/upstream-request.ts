/** A request to the arm: how it is opened and given up, and what is said of one that failed. */

import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { limits } from '../../../contract/limits.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { SentHeaders } from './forwarded-headers.ts';
import type { UpstreamProxyOptions } from './proxy-options.ts';

const UNKNOWN_OUTCOME =
  'it is not known whether the call takes effect, now or later: look before you repeat it';

/** A request to the arm. */
export class UpstreamRequest {
  readonly outgoing: ClientRequest;
  /** Whether the arm may have received it. */
  private isConnected = false;

  /** `connected` is the event of the socket by which it can send; none in time ends the request. */
  constructor(outgoing: ClientRequest, wall: WallClock, connected: 'connect' | 'secureConnect') {
    this.outgoing = outgoing;
    const giveUp = () => outgoing.destroy(new Error('no connection in time'));
    const cancel = wall.afterUnreferenced(limits.headers_s * 1000, giveUp);
    outgoing.once('socket', (socket) =>
      socket.once(connected, () => {
        cancel();
        this.isConnected = true;
      }),
    );
    outgoing.once('close', cancel);
  }

  /**
   * Ends the request without waiting for its reply. The connection is reset, not closed: what an
   * arm that hangs has not accepted yet is then gone, where it would still do a call that was sent
   * whole.
   */
  abandon(): void {
    const { socket } = this.outgoing;
    const isPlain = socket instanceof Socket && !(socket instanceof TLSSocket);
    if (isPlain && this.isConnected && !socket.destroyed) socket.resetAndDestroy();
    this.outgoing.destroy();
  }

  /** What is said of a call that failed on the way: why, and what is known of its effect. */
  failureText(why: string): string {
    const { method } = this.outgoing;
    if (method === 'GET' || method === 'HEAD') return why;
    return `${why}; ${this.isConnected ? UNKNOWN_OUTCOME : 'the call was not sent'}`;
  }
}

/** Creates the function that opens requests to the arm, with a connect timeout. */
export function createRequestOpener({ upstream, wall }: UpstreamProxyOptions) {
  const secure = upstream.protocol === 'https:';
  const send = secure ? httpsRequest : httpRequest;
  // Not joined with URL, which would normalize the path: the arm must get it unchanged.
  const prefix = upstream.pathname.replace(/\/$/, '');
  const hostname = upstream.hostname.replace(/^\[|\]$/g, '');
  return (method: string, path: string, headers: SentHeaders): UpstreamRequest => {
    const outgoing = send({
      protocol: upstream.protocol,
      hostname,
      port: upstream.port,
      method,
      path: prefix + path,
      headers,
      agent: false,
    });
    return new UpstreamRequest(outgoing, wall, secure ? 'secureConnect' : 'connect');
  };
}

export type RequestOpener = ReturnType<typeof createRequestOpener>;

/** Why a connection failed, such as ECONNREFUSED. */
export function failureReason(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${code}`;
}
