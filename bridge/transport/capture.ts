/**
 * Captures the bytes of a transport and replays them as a peer, so that a session with real servos
 * becomes a test that needs none.
 */

import type { BusClock } from './bus-clock.ts';
import type { BusTransport, ReceiveBytes, WirePeer } from './transport.ts';

/** Bytes in one direction: out to the servos, or in from them. */
export interface CaptureRow {
  readonly at_ms: number;
  readonly direction: 'out' | 'in';
  readonly hex: string;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The same transport, with every write and every received chunk passed to `onRow`. */
export function captureTransport(
  line: BusTransport,
  clock: BusClock,
  onRow: (row: CaptureRow) => void,
): BusTransport {
  const row = (direction: 'out' | 'in', bytes: Uint8Array) =>
    onRow({ at_ms: clock.now_ms(), direction, hex: hexOf(bytes) });
  return {
    name: line.name,
    get problem() {
      return line.problem ?? null;
    },
    discard: () => line.discard?.(),
    watch: (report) => line.watch?.(report),
    open: (receive: ReceiveBytes) =>
      line.open((bytes) => {
        row('in', bytes);
        receive(bytes);
      }),
    write(bytes) {
      row('out', bytes);
      return line.write(bytes);
    },
    close: () => line.close(),
  };
}

/** A peer that replies as captured, as long as it receives the captured requests in order. */
export class ReplayPeer implements WirePeer {
  /** First difference between received and captured bytes; null while they agree. */
  mismatch: { readonly received: string; readonly expected: string } | null = null;
  private readonly rows: readonly CaptureRow[];
  private position = 0;
  private received = '';

  constructor(rows: readonly CaptureRow[]) {
    this.rows = rows;
  }

  /** True when the whole capture has been played. */
  get finished(): boolean {
    return this.position >= this.rows.length;
  }

  attach(send: ReceiveBytes): ReceiveBytes {
    return (bytes) => {
      this.received += hexOf(bytes);
      this.answer(send);
    };
  }

  private answer(send: ReceiveBytes): void {
    for (
      let row = this.rows[this.position];
      row && !this.mismatch;
      row = this.rows[this.position]
    ) {
      if (row.direction === 'in') {
        this.position++;
        send(Uint8Array.from(Buffer.from(row.hex, 'hex')));
      } else if (this.received.startsWith(row.hex)) {
        this.position++;
        this.received = this.received.slice(row.hex.length);
      } else {
        const partial = row.hex.startsWith(this.received);
        if (!partial) this.mismatch = { received: this.received, expected: row.hex };
        return;
      }
    }
  }
}
