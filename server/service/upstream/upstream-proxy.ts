/**
 * A reverse proxy for the API of a remote arm: calls and event streams, without hop-by-hop headers
 * and with headers that protect the viewer. If the arm does not answer, the reply is 502 in the
 * error format, and 504 where the time of the call is over. The proxy is stateless; the arm checks
 * authentication, the server in front of it the origins of pages.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { BANNER } from '../http/banner.ts';
import { refuseOnSocket, sendRefusal } from '../http/error-response.ts';
import { PROBE_PATH, probeArm } from './arm-probe.ts';
import {
  isLoop,
  LOOP,
  replyHeaders,
  requestHeaders,
  statusLine,
  VIA,
} from './forwarded-headers.ts';
import type { UpstreamProxyOptions } from './proxy-options.ts';
import { limitOf_ms, limitSilence, limitTime } from './time-limits.ts';
import { createRequestOpener, failureReason, type RequestOpener } from './upstream-request.ts';

export interface UpstreamProxy {
  /** Forwards a call and returns its reply. */
  call(request: IncomingMessage, response: ServerResponse): void;
  /** Forwards a handshake, then both directions of the stream. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Why the arm cannot be used; null when it answers. */
  upstreamFault(): Promise<string | null>;
}

/** Lets the system ask whether the other end of a silent connection is still there. */
function keepAlive(socket: Duplex): void {
  if (socket instanceof Socket) socket.setKeepAlive(true, limits.stream_ping_s * 1000);
}

/** Pipes two sockets into each other; closing one closes the other. */
function linkStreams(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  for (const [end, rest] of [
    [one, other],
    [other, one],
  ] as const) {
    end.on('error', () => rest.destroy());
    end.on('close', () => rest.destroy());
  }
}

/** Forwards a reply; one that stops in the middle ends the connection of the client. */
function forwardReply(reply: IncomingMessage, response: ServerResponse, headers: string[]): void {
  const { statusCode = 0, statusMessage } = reply;
  if (response.hasHeader('Access-Control-Allow-Origin')) headers.push('Vary', 'Origin');
  response.writeHead(statusCode, statusMessage, headers);
  const isFeed = reply.headers['content-type']?.startsWith('text/event-stream') === true;
  if (!isFeed) limitSilence(reply);
  reply.pipe(response);
  reply.on('error', () => {
    // What follows a complete reply is no part of it.
    if (!reply.complete) response.destroy();
  });
}

function proxyCall(open: RequestOpener, options: UpstreamProxyOptions): UpstreamProxy['call'] {
  const { banner, id, wall } = options;
  return (request, response) => {
    if (isLoop(request, id)) {
      response.setHeader(BANNER, banner);
      return sendRefusal(response, refuse('upstream_gone', LOOP));
    }
    const { method = 'GET', url = '/' } = request;
    const sent = open(method, url, requestHeaders(request, options));
    const { outgoing } = sent;
    const fail = (refusal: Refusal) => {
      if (!response.writableEnded) {
        if (response.headersSent || response.destroyed) response.destroy();
        else {
          response.statusMessage = '';
          response.setHeader(BANNER, banner);
          sendRefusal(response, refusal);
        }
      }
      sent.abandon();
    };
    const gone = (error: Error) =>
      fail(refuse('upstream_gone', sent.failureText(failureReason(error))));
    let isAnswered = () => false;
    outgoing.on('response', (reply) => {
      isAnswered = () => reply.complete;
      try {
        forwardReply(reply, response, replyHeaders(reply, banner));
      } catch (error) {
        // The arm may send headers that Node refuses to write.
        gone(error as Error);
      }
    });
    outgoing.on('upgrade', () => gone(new Error('an unexpected protocol upgrade')));
    outgoing.on('error', (error) => {
      // The arm may answer before it has the whole body, and send more than its reply.
      if (!isAnswered()) gone(error);
    });
    limitTime(sent, wall, { limit_ms: limitOf_ms(method, url), onOver: fail });
    response.on('close', () => {
      if (!response.writableFinished) sent.abandon();
    });
    request.pipe(outgoing);
  };
}

function proxyUpgrade(
  open: RequestOpener,
  options: UpstreamProxyOptions,
): UpstreamProxy['upgrade'] {
  const { banner, id, wall } = options;
  return (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (isLoop(request, id)) return refuseOnSocket(socket, 'upstream_gone', LOOP);
    const handshake = { connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' };
    const headers = { ...requestHeaders(request, options), ...handshake };
    const path = request.url ?? '/';
    const sent = open('GET', path, headers);
    const { outgoing } = sent;
    let isAnswered = false;
    for (const kind of ['upgrade', 'response']) {
      outgoing.once(kind, () => {
        isAnswered = true;
      });
    }
    outgoing.on('upgrade', (reply, far, farHead) => {
      const joined = ['Connection', 'Upgrade', 'Upgrade', 'websocket'];
      socket.write(statusLine(reply, [...replyHeaders(reply, banner), ...joined]));
      socket.write(farHead);
      far.setTimeout(0);
      far.write(head);
      // Neither side may send for hours; one that lost its power never says that it is gone.
      keepAlive(request.socket);
      keepAlive(far);
      linkStreams(socket, far);
    });
    outgoing.on('response', (reply) => {
      socket.write(statusLine(reply, [...replyHeaders(reply, banner), 'Connection', 'close']));
      limitSilence(reply);
      reply.pipe(socket);
      reply.on('close', () => {
        if (!reply.complete) socket.destroy();
      });
    });
    const fail = ({ refused, details }: Refusal) => {
      // The client has the head of an answer, and would take a second one for its body.
      if (isAnswered) return;
      if (socket.writable) refuseOnSocket(socket, refused, String(details));
      sent.abandon();
    };
    outgoing.on('error', (error) => fail(refuse('upstream_gone', failureReason(error))));
    limitTime(sent, wall, { limit_ms: limitOf_ms('GET', path), onOver: fail });
    socket.on('close', () => outgoing.destroy());
    outgoing.end();
  };
}

/** Creates the proxy for one arm. */
export function createUpstreamProxy(options: UpstreamProxyOptions): UpstreamProxy {
  const open = createRequestOpener(options);
  return {
    call: proxyCall(open, options),
    upgrade: proxyUpgrade(open, options),
    upstreamFault: () => {
      const { upstream, id, wall } = options;
      const headers = { host: upstream.host, [VIA]: id };
      return probeArm(open('GET', PROBE_PATH, headers).outgoing, wall);
    },
  };
}
