/** The registers of a servo as addresses and bytes: what a request reads, and what it writes. */

/** A range of addresses among the registers of a servo. */
export interface RegisterSpan {
  readonly address: number;
  readonly length: number;
}

/** Data to write to one servo. */
export interface ServoData {
  readonly id: number;
  readonly data: ArrayLike<number>;
}
