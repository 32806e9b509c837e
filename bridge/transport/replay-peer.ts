import { type CaptureRow, hexOf } from './capture.ts';
import type { ReceiveBytes, WirePeer } from './transport.ts';

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
