/**
 * Passes the API of an arm elsewhere through: calls and the stream, unchanged but for what belongs
 * to one connection. An arm that does not answer is a 502 in the error format. It holds no state
 * and knows nobody: who may do what is the arm's own business.
 */
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { refuseOnSocket, sendRefusal } from '../http/error-reply.ts';
import { refuse } from '../robot/refusal.ts';
import { passedHeaders, requestHeaders, type SentHeaders } from './headers.ts';

export interface PassThroughOptions {
  /** Address of the arm, without a slash at its end. */
  readonly upstream: URL;
  readonly wall: WallClock;
  /** The X-Armtwin header where the arm says nothing of itself. */
  readonly banner: string;
}

export interface PassThrough {
  /** Passes a call on and its answer back. */
  call(request: IncomingMessage, response: ServerResponse): void;
  /** Passes a handshake on and, once it is through, both directions of the stream. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Whether something at the arm's address speaks HTTP. */
  answers(): Promise<boolean>;
}

const BANNER = 'X-Armtwin';
const PROBE_PATH = '/api/versions';

function reason(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${code}`;
}

/** Headers and status of a reply as they came, and who is behind where it did not say so. */
function replyHeaders(reply: IncomingMessage, banner: string): string[] {
  const passed = passedHeaders(reply).flat();
  return reply.headers[BANNER.toLowerCase()] === undefined ? [...passed, BANNER, banner] : passed;
}

function statusLine({ statusCode, statusMessage }: IncomingMessage, headers: string[]): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Two ends of a stream that live and die together. */
function join(one: Duplex, other: Duplex): void {
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

/** Opens requests at the arm; they give up when nothing answers at its address. */
function opener({ upstream, wall }: PassThroughOptions) {
  const secure = upstream.protocol === 'https:';
  const send = secure ? httpsRequest : httpRequest;
  // Joined by hand: a URL would tidy the path up, and the arm shall see it as it came.
  const prefix = upstream.pathname.replace(/\/$/, '');
  const hostname = upstream.hostname.replace(/^\[|\]$/g, '');
  return (method: string, path: string, headers: SentHeaders): ClientRequest => {
    const outgoing = send({
      ...{ protocol: upstream.protocol, hostname, port: upstream.port },
      ...{ method, path: prefix + path, headers, agent: false },
    });
    const giveUp = () => outgoing.destroy(new Error('no connection in time'));
    const cancel = wall.afterUnreferenced(limits.headers_s * 1000, giveUp);
    outgoing.once('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', cancel));
    outgoing.once('close', cancel);
    outgoing.setTimeout(limits.call_advance_s * 1000, () => {
      outgoing.destroy(new Error('no answer in time'));
    });
    return outgoing;
  };
}

type Open = ReturnType<typeof opener>;

function passCall(open: Open, { upstream, banner }: PassThroughOptions): PassThrough['call'] {
  return (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const outgoing = open(method, url, requestHeaders(request, upstream));
    const fail = (error: Error) => {
      outgoing.destroy();
      if (response.writableEnded) return;
      if (response.headersSent || response.destroyed) response.destroy();
      else {
        response.statusMessage = '';
        response.setHeader(BANNER, banner);
        sendRefusal(response, refuse('upstream_gone', reason(error)));
      }
    };
    outgoing.on('response', (reply) => {
      const { statusCode = 0, statusMessage } = reply;
      try {
        response.writeHead(statusCode, statusMessage, replyHeaders(reply, banner));
      } catch (error) {
        // What an arm says need not be what HTTP allows to be said.
        fail(error as Error);
        return;
      }
      reply.pipe(response);
      reply.on('error', () => response.destroy());
    });
    outgoing.on('upgrade', () => fail(new Error('an answer to another question')));
    outgoing.on('error', fail);
    response.on('close', () => {
      if (!response.writableFinished) outgoing.destroy();
    });
    request.pipe(outgoing);
  };
}

function passUpgrade(open: Open, { upstream, banner }: PassThroughOptions): PassThrough['upgrade'] {
  return (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const handshake = { connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' };
    const headers = { ...requestHeaders(request, upstream), ...handshake };
    const outgoing = open('GET', request.url ?? '/', headers);
    outgoing.on('upgrade', (reply, far, farHead) => {
      const joined = ['Connection', 'Upgrade', 'Upgrade', 'websocket'];
      socket.write(statusLine(reply, [...replyHeaders(reply, banner), ...joined]));
      socket.write(farHead);
      far.setTimeout(0);
      far.write(head);
      join(socket, far);
    });
    outgoing.on('response', (reply) => {
      socket.write(statusLine(reply, [...replyHeaders(reply, banner), 'Connection', 'close']));
      reply.pipe(socket);
      reply.on('close', () => {
        if (!reply.complete) socket.destroy();
      });
    });
    outgoing.on('error', (error) => refuseOnSocket(socket, 'upstream_gone', reason(error)));
    socket.on('close', () => outgoing.destroy());
    outgoing.end();
  };
}

/** Passes calls and streams through to one arm. */
export function createPassThrough(options: PassThroughOptions): PassThrough {
  const open = opener(options);
  return {
    call: passCall(open, options),
    upgrade: passUpgrade(open, options),
    answers: () =>
      new Promise((resolve) => {
        const outgoing = open('GET', PROBE_PATH, { host: options.upstream.host });
        outgoing.on('response', (reply) => {
          reply.resume();
          resolve(true);
        });
        outgoing.on('error', () => resolve(false));
        outgoing.end();
      }),
  };
}
