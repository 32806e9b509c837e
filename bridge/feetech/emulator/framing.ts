/**
 * The framing of the emulated STS servos: FF FF, id, length, instruction or error, data and
 * checksum, after the vendor's protocol manual. It shares no code with the driver's.
 */

const LENGTH_MAX = 250;

export interface StsFrame {
  readonly id: number;
  readonly code: number;
  readonly payload: readonly number[];
}

function checksumOf(bytes: readonly number[]): number {
  return ~bytes.reduce((sum, byte) => sum + byte, 0) & 0xff;
}

/** A packet: an instruction to a servo, or the status of one with its error in place of it. */
export function stsBytes(id: number, code: number, payload: readonly number[] = []): number[] {
  const inside = [id, payload.length + 2, code, ...payload];
  return [0xff, 0xff, ...inside, checksumOf(inside)];
}

/** Collects received bytes into frames; those with a wrong checksum are ignored. */
export class StsFrames {
  private waiting: number[] = [];

  take(bytes: Iterable<number>): StsFrame[] {
    this.waiting.push(...bytes);
    const frames: StsFrame[] = [];
    while (this.waiting.length >= 4) {
      const [first, second, id, length] = this.waiting;
      const fits = length! >= 2 && length! <= LENGTH_MAX && id !== 0xff;
      if (first !== 0xff || second !== 0xff || !fits) {
        this.waiting.shift();
        continue;
      }
      if (this.waiting.length < 4 + length!) break;
      const inside = this.waiting.slice(2, 3 + length!);
      const valid = checksumOf(inside) === this.waiting[3 + length!];
      this.waiting.splice(0, valid ? 4 + length! : 1);
      const [, , code, ...payload] = inside;
      if (valid) frames.push({ id: id!, code: code!, payload });
    }
    return frames;
  }
}
