/**
 * The packets of Feetech's STS servos on the wire: FF FF, id, length, instruction (in a status the
 * error), parameters, checksum.
 */

import type { Packet, Status } from '../servo/bus/packet.ts';
import type { ReaderCounts, WireFormat } from '../servo/bus/wire-format.ts';
import { HIGHEST_ID } from './instructions.ts';

/** Bytes before the parameters, and of the checksum behind them. */
const HEAD_SIZE = 5;
const SUM_SIZE = 1;
/** Longest packet (bytes). */
const SIZE_MAX = 250;

/** The inverted sum of the bytes behind the header. */
function checksum(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += bytes[i]!;
  return ~sum & 0xff;
}

function encode({ id, instruction, params }: Packet, out: Uint8Array): number {
  const end = HEAD_SIZE + params.length;
  if (end + SUM_SIZE > SIZE_MAX) return 0;
  out.set([0xff, 0xff, id, params.length + 2, instruction]);
  out.set(params, HEAD_SIZE);
  out[end] = checksum(out, 2, end);
  return end + SUM_SIZE;
}

/** Finds statuses in the byte stream, among noise, lost and repeated bytes. */
class StsReader {
  readonly counts: ReaderCounts = {
    packets: 0,
    checksum_errors: 0,
    malformed: 0,
    dropped_bytes: 0,
  };
  private readonly onStatus: (status: Status) => void;
  private waiting = new Uint8Array(0);

  constructor(onStatus: (status: Status) => void) {
    this.onStatus = onStatus;
  }

  push(bytes: Uint8Array): void {
    const all = new Uint8Array(this.waiting.length + bytes.length);
    all.set(this.waiting);
    all.set(bytes, this.waiting.length);
    let at = 0;
    for (let size = sizeAt(all, at); size !== 0; size = sizeAt(all, at)) {
      if (size > 0 && at + size > all.length) break;
      const taken = size > 0 && this.take(all, at, at + size - SUM_SIZE);
      at += taken ? size : 1;
      if (!taken) this.counts.dropped_bytes += 1;
    }
    this.waiting = all.slice(at);
  }

  discardPartial(): void {
    this.counts.dropped_bytes += this.waiting.length;
    this.waiting = new Uint8Array(0);
  }

  private take(bytes: Uint8Array, start: number, sum_at: number): boolean {
    if (checksum(bytes, start + 2, sum_at) !== bytes[sum_at]) {
      this.counts.checksum_errors += 1;
      return false;
    }
    this.counts.packets += 1;
    const params = bytes.slice(start + HEAD_SIZE - 1, sum_at);
    this.onStatus({ id: bytes[start + 2]!, params });
    return true;
  }
}

/** Size of the packet that starts here; 0 when more bytes are needed, -1 when none starts. */
function sizeAt(bytes: Uint8Array, at: number): number {
  const known = bytes.length - at;
  if (known === 0) return 0;
  if (bytes[at] !== 0xff || (known > 1 && bytes[at + 1] !== 0xff)) return -1;
  if (known > 2 && bytes[at + 2]! > HIGHEST_ID) return -1;
  if (known < HEAD_SIZE - 1) return 0;
  const length = bytes[at + 3]!;
  return length < 2 || length + HEAD_SIZE - 1 > SIZE_MAX ? -1 : length + HEAD_SIZE - 1;
}

/** The packets of the STS series, for the bus. */
export const STS_FORMAT: WireFormat = {
  encode,
  createReader: (onStatus) => new StsReader(onStatus),
  request_overhead_bytes: HEAD_SIZE + SUM_SIZE,
  status_overhead_bytes: HEAD_SIZE + SUM_SIZE,
  read_lengths: [1, 30],
};
