/**
 * Captures what passes over a line and plays it back as a peer: a session with real servos becomes
 * a test that needs none.
 */
import type { BusClock } from './bus-clock.ts';
import type { Receive, Transport, WirePeer } from './transport.ts';

/** Bytes in one direction: out to the servos, in from them. */
export interface CaptureRow {
  readonly at_ms: number;
  readonly direction: 'out' | 'in';
  readonly hex: string;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The same line, every write and reading told to `note`. */
export function recordTransport(
  line: Transport,
  clock: BusClock,
  note: (row: CaptureRow) => void,
): Transport {
  const row = (direction: 'out' | 'in', bytes: Uint8Array) =>
    note({ at_ms: clock.now_ms(), direction, hex: hexOf(bytes) });
  return {
    name: line.name,
    open: (receive: Receive) =>
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

/** A peer that answers as a capture says, as long as it is asked the same in the same order. */
export class ReplayPeer implements WirePeer {
  /** Bytes that were asked where the capture has others; null while all agree. */
  mismatch: { readonly asked: string; readonly wanted: string } | null = null;
  private readonly rows: readonly CaptureRow[];
  private at = 0;
  private asked = '';

  constructor(rows: readonly CaptureRow[]) {
    this.rows = rows;
  }

  /** True when the whole capture has been played. */
  get finished(): boolean {
    return this.at >= this.rows.length;
  }

  attach(send: Receive): Receive {
    return (bytes) => {
      this.asked += hexOf(bytes);
      this.answer(send);
    };
  }

  private answer(send: Receive): void {
    for (let row = this.rows[this.at]; row && !this.mismatch; row = this.rows[this.at]) {
      if (row.direction === 'in') {
        this.at++;
        send(Uint8Array.from(Buffer.from(row.hex, 'hex')));
      } else if (this.asked.startsWith(row.hex)) {
        this.at++;
        this.asked = this.asked.slice(row.hex.length);
      } else {
        const partial = row.hex.startsWith(this.asked);
        if (!partial) this.mismatch = { asked: this.asked, wanted: row.hex };
        return;
      }
    }
  }
}
