import { WebSocket } from 'ws';
import { systemClock } from '../../clock/wall-clock.ts';

/** Longest time of a handshake: a service that has accepted a connection need not answer (ms). */
const HANDSHAKE_MAX_MS = 3000;
/** How long the arm has to end its side of a stream (ms). */
const CLOSE_MAX_MS = 1000;

/** Options of a handshake. */
interface HandshakeOptions {
  readonly origin?: string;
  readonly handshakeTimeout?: number;
}

/** A stream whose handshake and end take no longer than an arm that answers needs. */
export class BoundedSocket extends WebSocket {
  constructor(url: string, protocols: string[], options: HandshakeOptions = {}) {
    super(url, protocols, { handshakeTimeout: HANDSHAKE_MAX_MS, ...options });
  }

  override close(code?: number, reason?: string): void {
    super.close(code, reason);
    // Without an answer the connection would keep the command from its end for half a minute.
    const cancel = systemClock.afterUnreferenced(CLOSE_MAX_MS, () => this.terminate());
    this.once('close', cancel);
  }
}
