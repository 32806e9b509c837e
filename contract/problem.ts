/** One problem of a request body, for the sender to fix. */
export interface Problem {
  /** JSON pointer into the body: '' is the body itself, '/joints/3' the fourth joint. */
  readonly path: string;
  /** A sentence: what is wrong and what is expected. */
  readonly problem: string;
}
