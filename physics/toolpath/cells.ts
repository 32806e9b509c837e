/**
 * Grid cells as places the arm can go to: from the pose of one cell to joint angles near those of
 * the grid's first corner. Apart from the geometry of grid.ts because this half needs inverse
 * kinematics. Spec §2.2; decision D21.
 */
import { solveInverse } from '../kinematics/inverse.ts';
import { POSE_SIZE, type Tool } from '../kinematics/tool.ts';
import { cellPose, type Grid } from './grid.ts';
import type { Target } from './nodes.ts';

/** One cell of a grid. */
export interface GridCell {
  readonly grid: Grid;
  /** Joint angles of corner w0 (rad): cells are reached in its configuration where they can be. */
  readonly guess: Float64Array;
  readonly row: number;
  readonly column: number;
}

const pose = new Float64Array(POSE_SIZE);

/**
 * Where the arm stands at a cell, `z_offset_m` off the plane of the grid. The problem of a cell
 * that no joint angles inside the limits reach is that of inverse kinematics.
 */
export function placeCell(cell: GridCell, z_offset_m: number, tool: Tool): Target {
  const { grid, guess, row, column } = cell;
  cellPose(grid, { column, row, z_offset_m }, pose);
  const found = solveInverse({ pose, guess, tool });
  if (found.ok) return { joints: found.joints, waypoint: -1, problem: null };
  const message = `Row ${row + 1}, column ${column + 1} of the grid: ${found.message}`;
  return { joints: guess, waypoint: -1, problem: { code: found.code, s: 0, message } };
}
