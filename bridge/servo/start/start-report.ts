/** What a start found at each servo and wrote into it. */

/** A register that a start wrote, with its value before. */
export interface WrittenRegister {
  readonly register: string;
  readonly before: number;
  readonly after: number;
}

/** What a start found at a servo and wrote into it. */
export interface ServoStartReport {
  readonly joint: number;
  readonly id: number;
  readonly model: string;
  readonly firmware: number;
  /** True: it held its joint already, and kept its goal. */
  readonly held: boolean;
  /** Settings and limits, each read back after it was written. */
  readonly written: readonly WrittenRegister[];
  /** What the operator should know: narrower limits, another firmware than calibrated. */
  readonly notes: readonly string[];
}
