/**
 * Captures the bytes of a transport and replays them as a peer, so that a session with real servos
 * becomes a test that needs none.
 */

import type { BusClock } from './bus-clock.ts';
import type { BusTransport, ReceiveBytes } from './transport.ts';

/** Bytes in one direction: out to the servos, or in from them. */
export interface CaptureRow {
  readonly at_ms: number;
  readonly direction: 'out' | 'in';
  readonly hex: string;
}

export function hexOf(bytes: Uint8Array): string {
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
