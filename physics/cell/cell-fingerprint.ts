import type { CellPlant } from './cell-plant.ts';

/** What is in the cell with every bit, as text. */
export function cellFingerprint(cell: CellPlant): string {
  return JSON.stringify([Array.from(cell.states.memory), cell.events.last, cell.signals.save()]);
}
