/**
 * What passes on a connection of a client, on which injected faults act below HTTP: bytes to the
 * client come late or thinly, the connection is reset, or it stays open and nothing passes any more.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Cancel, WallClock } from '../../clock/wall-clock.ts';

/** What a fault does to a reply or a message. Times are wall time. */
export type LinkFault =
  | { readonly effect: 'slow'; readonly delay_s: number; readonly rate_bytes_s: number | null }
  | { readonly effect: 'reset' }
  /** `silenced` receives the function that resets the connection. */
  | { readonly effect: 'half_open'; readonly silenced: (reset: () => void) => void };

/** The fault that acts on a request with its reply, or on a message of a stream; null: none. */
type LinkFaultOf = (request: IncomingMessage) => LinkFault | null;

/** The connections' side of injected faults. */
export interface LinkFaults {
  readonly faultOf: LinkFaultOf;
  readonly wall: WallClock;
}

/** Bytes that a link holds before it lets its socket wait. */
const HELD_BYTES = 64 * 1024;
/** A thin link passes its bytes in pieces of this time (s). */
const PIECE_S = 0.05;

type WriteCallback = (error?: Error | null) => void;

interface HeldPiece {
  readonly bytes: Buffer;
  readonly due_ms: number;
}

/** Resets a connection: its client sees an error, not an end. */
export function resetSocket(socket: Duplex & { resetAndDestroy?: () => unknown }): void {
  if (socket.resetAndDestroy) socket.resetAndDestroy();
  else socket.destroy();
}

/** The way of a connection's bytes to its client. */
export class Link {
  private readonly socket: Duplex;
  private readonly wall: WallClock;
  private readonly sendNow: (bytes: Buffer, callback: WriteCallback) => void;
  private held: readonly HeldPiece[] = [];
  private held_bytes = 0;
  private isSending = false;
  private cancel: Cancel = () => {};
  /** Called as soon as no more is held than a socket may leave behind it. */
  private onRoom: WriteCallback | null = null;
  private onEmpty: (() => void) | null = null;
  /** The connection is half open: nothing passes any more, in either direction. */
  isSilent = false;

  /** Lays the link below the socket; `present` is the fault of what the socket writes now. */
  constructor(socket: Duplex, wall: WallClock, present: () => LinkFault | null) {
    this.socket = socket;
    this.wall = wall;
    const write = socket._write.bind(socket);
    const writeAll = socket._writev?.bind(socket);
    const end = socket._final.bind(socket);
    this.sendNow = (bytes, callback) => write(bytes, 'buffer' as BufferEncoding, callback);
    socket._write = (chunk: Buffer | string, encoding, callback) => {
      const fault = this.faultNow(present);
      if (fault === null) write(chunk, encoding, callback);
      else this.pass(bytesOf(chunk, encoding), fault, callback);
    };
    if (writeAll) {
      socket._writev = (chunks, callback) => {
        const fault = this.faultNow(present);
        if (fault === null) writeAll(chunks, callback);
        else {
          const all = chunks.map(({ chunk, encoding }) => bytesOf(chunk, encoding));
          this.pass(Buffer.concat(all), fault, callback);
        }
      };
    }
    socket._final = (callback) => {
      if (!this.isBusy) end(callback);
      else this.onEmpty = () => end(callback);
    };
    socket.once('close', () => this.cancel());
  }

  /** Whether bytes wait that their client shall still get. */
  get isBusy(): boolean {
    return this.held.length > 0 || this.isSending;
  }

  /** Makes the connection half open. */
  silence({ silenced }: Extract<LinkFault, { effect: 'half_open' }>): void {
    if (this.isSilent) return;
    this.isSilent = true;
    silenced(() => resetSocket(this.socket));
  }

  /** The fault of a write; null: it goes out at once, with nothing before it. */
  private faultNow(present: () => LinkFault | null): LinkFault | null {
    if (this.isSilent) return { effect: 'half_open', silenced: () => {} };
    return present() ?? (this.isBusy ? { effect: 'slow', delay_s: 0, rate_bytes_s: null } : null);
  }

  private pass(bytes: Buffer, fault: LinkFault, callback: WriteCallback): void {
    if (fault.effect === 'slow') {
      this.hold(bytes, fault);
      if (this.held_bytes <= HELD_BYTES) callback();
      else this.onRoom = callback;
      return;
    }
    if (fault.effect === 'reset') resetSocket(this.socket);
    else this.silence(fault);
    callback();
  }

  private hold(
    bytes: Buffer,
    { delay_s, rate_bytes_s }: { delay_s: number; rate_bytes_s: number | null },
  ) {
    const last_ms = this.held.at(-1)?.due_ms ?? 0;
    let due_ms = Math.max(last_ms, this.wall.now_ms() + delay_s * 1000);
    const size = rate_bytes_s === null ? bytes.length : Math.ceil(rate_bytes_s * PIECE_S);
    const pieces: HeldPiece[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      if (rate_bytes_s !== null) due_ms += (piece.length / rate_bytes_s) * 1000;
      pieces.push({ bytes: piece, due_ms });
    }
    this.held = [...this.held, ...pieces];
    this.held_bytes += bytes.length;
    this.sendDue();
  }

  /** Sends the next piece once it is due, and those after it. */
  private sendDue(): void {
    const [next] = this.held;
    if (this.isSending || this.socket.destroyed) return;
    if (!next) {
      this.onEmpty?.();
      return;
    }
    this.cancel();
    const left_ms = next.due_ms - this.wall.now_ms();
    if (left_ms > 0) {
      this.cancel = this.wall.afterUnreferenced(Math.ceil(left_ms), () => this.sendDue());
      return;
    }
    this.held = this.held.slice(1);
    this.held_bytes -= next.bytes.length;
    this.isSending = true;
    this.sendNow(next.bytes, (error) => {
      this.isSending = false;
      if (error) this.socket.destroy(error);
      this.makeRoom();
      this.sendDue();
    });
  }

  private makeRoom(): void {
    const { onRoom } = this;
    if (this.held_bytes > HELD_BYTES || !onRoom) return;
    this.onRoom = null;
    onRoom();
  }
}

function bytesOf(chunk: Buffer | string, encoding: BufferEncoding): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
}
