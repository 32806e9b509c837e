/** The state after a transaction. */
export interface Position {
  readonly n: number;
  readonly i: number;
}
