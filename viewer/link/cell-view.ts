import type { Cell, CellEvent, CellState } from '../../contract/types.generated.ts';

/** The cell around the arm; replaced as a whole, its state merged from the stream. */
export interface CellView {
  readonly description: Cell;
  readonly state: CellState;
  /** What happened in it since this page is open, newest first. */
  readonly events: readonly CellEvent[];
}
