/** An exchange: a request and its response, with what the logs say of it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../../contract/limits.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { Claimant } from '../../shares/claimant.ts';
import type { ShareRefusal } from '../../shares/share.ts';
import { readBody } from './body-reader.ts';
import type { BodyBounds, BodySource } from './body-source.ts';
import type { Connection } from './connection.ts';
import type { LinkFault } from './link.ts';
import type { CallObserver } from './route-request.ts';
import type { CallOrigin } from './trusted-proxies.ts';

export class Exchange implements BodySource, CallObserver {
  readonly connection: Connection;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Id of the matching route; null if there is none. */
  route: string | null = null;
  /** The user whose call it is; null until a session is found. */
  user_id: number | null = null;
  /** SHA-256 of the canonical JSON body; null for no body, and for binary bodies. */
  body_sha256: string | null = null;
  /** The injected fault that acts on its reply. */
  fault: LinkFault | null = null;

  constructor(connection: Connection, request: IncomingMessage, response: ServerResponse) {
    this.connection = connection;
    this.request = request;
    this.response = response;
  }

  /** Whether its reply was sent, or never will be. */
  get isAnswered(): boolean {
    return this.response.writableFinished || this.response.destroyed;
  }

  /**
   * It is a call of this caller, whose connection is then a known one, unless that is refused. A
   * connection of a trusted proxy is the caller's until the reply.
   */
  onCaller(caller: Claimant, { proxy }: CallOrigin): ShareRefusal | null {
    this.user_id = Number(caller.owner);
    const refusal = this.connection.claim(caller);
    if (refusal) this.response.setHeader('Connection', 'close');
    else if (proxy !== undefined) this.response.once('close', () => this.connection.release());
    return refusal;
  }

  onBody(sha256: string | null): void {
    this.body_sha256 = sha256;
  }

  readBody(bounds: BodyBounds): Promise<readonly Buffer[] | Refusal> {
    return readBody(this.request, bounds);
  }

  /**
   * What arrives of the body after the reply is thrown away; the connection closes if it still
   * arrives after `limits.unread_body_s`.
   */
  closeUnreadBody(wall: WallClock): void {
    const { request } = this;
    this.response.once('finish', () => {
      if (request.complete) return;
      request.removeAllListeners('data').resume();
      const cancel = wall.afterUnreferenced(limits.unread_body_s * 1000, () => {
        if (!request.complete) request.socket.destroy();
      });
      request.once('close', cancel);
    });
  }
}

/** Takes an exchange: to observe it, or to answer its request. */
export type ExchangeListener = (exchange: Exchange) => void;
