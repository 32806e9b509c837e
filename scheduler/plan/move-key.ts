import type { PlannedLabwareMove } from './problem.ts';

/** More pieces than a run has. */
const PIECES = 4096;

/** Tells the moves of a run apart: the piece, the task for which it moves, and whether aside. */
export function moveKey({ task, labware, toBuffer = false }: PlannedLabwareMove): number {
  return (task * PIECES + labware) * 2 + Number(toBuffer);
}
