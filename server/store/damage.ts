/** What is damaged in a journal, and which transactions are lost by it. */

/** A damaged part of the journal. */
export interface Damage {
  readonly file: string;
  /** Numbers of the lost transactions; empty if the damage lost nothing. */
  readonly lost: readonly number[];
  /** Whether a lost transaction changed users, tokens or settings. */
  readonly inIndex: boolean;
  readonly text: string;
}

/** The whole numbers of a range, both ends included. */
export function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
}
