/** Cells on the fast plant, for tests. */
import type { Cell } from '../../contract/types.generated.ts';
import { compileCell } from './cell-model.ts';
import { CellPlant } from './cell-plant.ts';
import { FastBodies } from './fast-bodies.ts';

/** What stands in a cell, on the fast plant, before its first step. */
export function fastCell(cell: Cell): CellPlant {
  return new CellPlant(compileCell(cell), (model, states) => new FastBodies(model, states));
}
