import type { RecordedCellChange } from '../../../contract/export-document.ts';
import { cellOf, mergeCell } from '../../link/cell-merge.ts';
import type { CellView } from '../../link/cell-view.ts';

/** The cell of a recording at a time (s); times mostly ascend. */
export function createCellAt(
  changes: readonly RecordedCellChange[],
): (time_s: number) => CellView | null {
  let next = 0;
  let view: CellView | null = null;
  return (time_s) => {
    const last = changes[next - 1];
    if (last && last.at_s > time_s) {
      next = 0;
      view = null;
    }
    for (; next < changes.length && changes[next]!.at_s <= time_s + 1e-9; next++) {
      const { cell, state } = changes[next]!;
      if (cell !== undefined) view = cell && cellOf(cell, null);
      if (state) view = mergeCell(view, state);
    }
    return view;
  };
}
