/**
 * Grid geometry: from the tool poses at the three corners to the pose of each cell (§2.2, D21),
 * without inverse kinematics; the check and the preview need only this. Cell (column i, row k) = w0
 * + x·i/(cols−1) + y·k/(rows−1) + z_offset·n, with the orientation of w0.
 */

import { createFrames, forward } from '../kinematics/forward.ts';
import { POSE_SIZE, type Tool, toolPose } from '../kinematics/tool.ts';
import { PI, sin } from '../math/portable.ts';
import { dot3, length3, type Numbers } from '../math/vector.ts';

/** The corners of a grid as joint angles (rad), its size, and the tool whose point moves. */
export interface GridRequest {
  readonly w0: Numbers;
  readonly wx: Numbers;
  readonly wy: Numbers;
  readonly cols: number;
  readonly rows: number;
  readonly tool: Tool;
}

export interface Grid {
  readonly cols: number;
  readonly rows: number;
  /** Tool pose at w0. */
  readonly origin: Float64Array;
  /** From w0 to wx and to wy at the tool point (m). */
  readonly x_m: Float64Array;
  readonly y_m: Float64Array;
  /** Unit normal on the side from which the tool approaches: its z axis points against it. */
  readonly normal: Float64Array;
}

/**
 * Largest deviation from perpendicular edges (rad): 1 degree. Corners are taught by hand, with an
 * arm that repeats to half a millimetre; cells lie on the parallelogram as given (D21).
 */
const SKEW_MAX_RAD = PI / 180;
const COSINE_MAX = sin(SKEW_MAX_RAD);
/** Corners closer than this are one point (m). */
const EDGE_MIN_M = 1e-6;

const frames = createFrames();

function poseAt(joints: Numbers, tool: Tool): Float64Array {
  const pose = new Float64Array(POSE_SIZE);
  forward(joints, frames);
  toolPose(frames, tool, pose);
  return pose;
}

function edge(from: Float64Array, to: Float64Array): Float64Array {
  return Float64Array.of(to[9]! - from[9]!, to[10]! - from[10]!, to[11]! - from[11]!);
}

function lengthOf(v: Float64Array): number {
  return length3(v[0]!, v[1]!, v[2]!);
}

/** Creates the grid of three corners. */
export function createGrid(request: GridRequest): Grid {
  const origin = poseAt(request.w0, request.tool);
  const x_m = edge(origin, poseAt(request.wx, request.tool));
  const y_m = edge(origin, poseAt(request.wy, request.tool));
  const { cols, rows } = request;
  return { cols, rows, origin, x_m, y_m, normal: normalOf(origin, x_m, y_m) };
}

/**
 * Cross product of the edges, oriented against the tool's z axis. A single row or column may have
 * an edge of zero length; then the tool's axis replaces it, made perpendicular to the other edge.
 */
function normalOf(origin: Float64Array, x: Float64Array, y: Float64Array): Float64Array {
  const towards = Float64Array.of(-origin[2]!, -origin[5]!, -origin[8]!);
  const hasX = lengthOf(x) >= EDGE_MIN_M;
  const hasY = lengthOf(y) >= EDGE_MIN_M;
  if (!hasX && !hasY) return towards;
  if (!hasX || !hasY) return scaled(without(towards, hasX ? x : y), 1);
  const cross = Float64Array.of(
    x[1]! * y[2]! - x[2]! * y[1]!,
    x[2]! * y[0]! - x[0]! * y[2]!,
    x[0]! * y[1]! - x[1]! * y[0]!,
  );
  return scaled(cross, dot3(cross, 0, towards, 0) < 0 ? -1 : 1);
}

/** The component of `v` perpendicular to `axis`; an arbitrary perpendicular where it vanishes. */
function without(v: Float64Array, axis: Float64Array): Float64Array {
  const size = dot3(axis, 0, axis, 0);
  const across = v.map((value, k) => value - (dot3(v, 0, axis, 0) / size) * axis[k]!);
  if (lengthOf(across) > 1e-9) return across;
  const least = Math.abs(axis[0]!) < Math.abs(axis[2]!) ? 0 : 2;
  const other = Float64Array.of(least === 0 ? 1 : 0, 0, least === 2 ? 1 : 0);
  return other.map((value, k) => value - (dot3(other, 0, axis, 0) / size) * axis[k]!);
}

function scaled(v: Float64Array, size: number): Float64Array {
  const length = lengthOf(v);
  return v.map((value) => (size * value) / length);
}

/** Reasons why a grid has no cells: a missing edge, or edges that are not perpendicular. */
export type GridFault =
  | { readonly kind: 'no_edge'; readonly corner: 'wx' | 'wy' }
  | { readonly kind: 'not_perpendicular'; readonly cosine: number };

/** The fault of a grid, or null when its cells can be laid out. */
export function gridFault(grid: Grid): GridFault | null {
  const x = lengthOf(grid.x_m);
  const y = lengthOf(grid.y_m);
  if (x < EDGE_MIN_M && grid.cols > 1) return { kind: 'no_edge', corner: 'wx' };
  if (y < EDGE_MIN_M && grid.rows > 1) return { kind: 'no_edge', corner: 'wy' };
  if (x < EDGE_MIN_M || y < EDGE_MIN_M) return null;
  const cosine = dot3(grid.x_m, 0, grid.y_m, 0) / (x * y);
  return Math.abs(cosine) > COSINE_MAX ? { kind: 'not_perpendicular', cosine } : null;
}

/**
 * Writes the tool pose of a cell (row and column from 0), `z_offset_m` off the plane, to `out`.
 * Row-major order visits the columns of row 0 first.
 */
export function cellPose(
  grid: Grid,
  cell: { readonly column: number; readonly row: number; readonly z_offset_m: number },
  out: Float64Array,
): void {
  const across = grid.cols > 1 ? cell.column / (grid.cols - 1) : 0;
  const down = grid.rows > 1 ? cell.row / (grid.rows - 1) : 0;
  out.set(grid.origin);
  for (let k = 0; k < 3; k++) {
    const offset = across * grid.x_m[k]! + down * grid.y_m[k]!;
    out[9 + k] = grid.origin[9 + k]! + offset + cell.z_offset_m * grid.normal[k]!;
  }
}
