/** A WebSocket and its connection; the client reads only when `drain` is called. Test code. */
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { type StreamOwner, Subscriber } from './subscriber.ts';

export class UndrainedSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  readonly sent: string[] = [];
  /** Bytes as ws counts them: payloads with their headers. */
  bufferedAmount = 0;
  pings = 0;
  terminations = 0;
  readonly closes: (readonly [code: number, reason: string])[] = [];

  send(frame: Buffer): void {
    this.sent.push(String(frame));
    this.buffer(frame.length);
  }

  ping(): void {
    this.pings += 1;
    this.buffer(0);
  }

  terminate(): void {
    this.terminations += 1;
    this.readyState = 3;
  }

  close(code: number, reason: string): void {
    this.closes.push([code, reason]);
  }

  /** Buffers a frame with a payload of this length, such as the answer to a ping of the client. */
  buffer(payload_bytes: number): void {
    const length_bytes = payload_bytes < 126 ? 0 : payload_bytes < 65_536 ? 2 : 8;
    this.bufferedAmount += 2 + length_bytes + payload_bytes;
  }

  /** The client reads until nothing more is written. */
  drain(): void {
    do {
      this.bufferedAmount = 0;
      this.emit('drain');
    } while (this.bufferedAmount > 0);
  }
}

/** A subscriber whose client does not read, with its socket. */
export function undrained(owner: StreamOwner) {
  const socket = new UndrainedSocket();
  const subscriber = new Subscriber(
    socket as object as WebSocket,
    socket as object as Duplex,
    owner,
  );
  return { socket, subscriber };
}
