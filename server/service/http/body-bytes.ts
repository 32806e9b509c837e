/** How much larger the memory of a small body becomes, up to what is expected. */
const GROWTH = 4;
/** Largest memory that grows (bytes); a larger body has pieces of it: copies delay ticks. */
const PIECE_BYTES = 1024 * 1024;

/**
 * The bytes of a body, in memory that grows with them. The chunks would each keep the memory that
 * they were received in until garbage is collected, and joined they are in memory twice: V8
 * interrupts ticks for 5 to 10 ms, and longer, when so much memory outside of its heap is in use.
 */
export class BodyBytes {
  size = 0;
  /** The size that the body is expected to have at most (bytes). */
  private readonly expected: number;
  private readonly full: Buffer[] = [];
  /** The last piece, and how much of it is in use (bytes). */
  private memory: Buffer = Buffer.alloc(0);
  private used = 0;

  constructor(expected: number) {
    this.expected = expected;
  }

  add(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0; ) {
      this.grow(rest.length);
      const taken = rest.subarray(0, this.memory.length - this.used);
      taken.copy(this.memory, this.used);
      this.used += taken.length;
      this.size += taken.length;
      rest = rest.subarray(taken.length);
    }
  }

  /** Makes memory for at least one of the bytes. */
  private grow(bytes: number): void {
    if (this.used === PIECE_BYTES) {
      this.full.push(this.memory);
      this.memory = Buffer.alloc(0);
      this.used = 0;
    }
    const needed = this.used + bytes;
    if (needed <= this.memory.length) return;
    const expected = this.expected - (this.size - this.used);
    const arrived = this.full.length > 0 ? PIECE_BYTES : GROWTH * needed;
    const grown = Math.min(PIECE_BYTES, Math.max(needed, Math.min(expected, arrived)));
    if (grown === this.memory.length) return;
    const larger = Buffer.allocUnsafeSlow(grown);
    this.memory.copy(larger, 0, 0, this.used);
    this.memory = larger;
  }

  /** The bytes in order; all pieces but the last are full. */
  pieces(): Buffer[] {
    return [...this.full, this.memory.subarray(0, this.used)];
  }
}
