/**
 * Grid cells as places the arm can go to: from the pose of one cell to joint angles near those of
 * the grid's first corner. Apart from the geometry of grid.ts because this half needs inverse
 * kinematics. Spec §2.2; decision D21.
 */
import { solveLocally } from '../kinematics/local-solve.ts';
import { POSE_SIZE, type Tool } from '../kinematics/tool.ts';
import { boundaryProblem } from '../motion/joint-move.ts';
import type { MotionProblem } from '../motion/segment.ts';
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
const GOAL = { target: 1e-24, accepted: 1e-18, iterations: 60 };

/** Where the arm stands at a cell, `z_offset_m` off the plane of the grid. */
export function placeCell(cell: GridCell, z_offset_m: number, tool: Tool): Target {
  const { grid, row, column } = cell;
  cellPose(grid, { column, row, z_offset_m }, pose);
  const joints = Float64Array.from(cell.guess);
  const solved = solveLocally(joints, pose, tool, GOAL);
  return { joints, waypoint: -1, problem: solved ? boundaryProblem(joints) : unreachable(cell) };
}

function unreachable({ row, column }: GridCell): MotionProblem {
  const message = `No joint angles reach row ${row + 1}, column ${column + 1} of the grid.`;
  return { code: 'ik_failure', s: 0, message };
}
