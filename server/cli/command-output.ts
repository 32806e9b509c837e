/** Where a command writes. */

export interface CommandOutput {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
}
