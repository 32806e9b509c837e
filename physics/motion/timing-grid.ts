/**
 * Timing grid of a path: at each node over s the derivatives of the joints and of the tool point
 * by s. Built once for a path and tool and used by every solve.
 */

import { createFrames, forward } from '../kinematics/forward.ts';
import { createToolMotion, LINEAR_ACCELERATION, toolMotion } from '../kinematics/tool-motion.ts';
import { allocateArrays } from '../math/array-allocation.ts';
import { length3 } from '../math/vector.ts';
import { createPathSample, intervalOf, type JointPath, samplePath } from './joint-path.ts';
import { ROUNDING } from './joint-rates.ts';

/** Nodes and first two derivatives of the tool point, three numbers a node (m per unit of s). */
export interface ToolGrid {
  readonly s: Float64Array;
  readonly p1: Float64Array;
  readonly p2: Float64Array;
}

/** The tool's grid with the derivatives of the joints, six a node. */
export interface TimingGrid extends ToolGrid {
  readonly path: JointPath;
  readonly q1: Float64Array;
  readonly q2: Float64Array;
  readonly q3: Float64Array;
  /** Bounds of |p'| and |p''| on each interval, for the cubics between its nodes. */
  readonly bounds: Float64Array;
}

/**
 * Nodes per radian of summed joint travel. No derivative of the tool position by that travel
 * exceeds the arm's reach; between nodes p' has an error of 3e-6 of its maximum, p'' of 4e-5.
 */
const NODES_PER_RAD = 5;
const LINE_NODES_MIN = 6;
const LINE_NODES_MAX = 300;
/** Minimum number of nodes of a table's rest. */
const REST_NODES_MIN = 40;
/** A first interval shorter than this share of the next is merged with it. */
const SHORT_INTERVAL = 0.1;

/** The last grid: a path is often timed under another cap right after the first. */
const latest = { grid: null as TimingGrid | null, from_s: 0, tool_offset_m: [0, 0, 0] };

/** `createTimingGrid` with a cache for consecutive requests of the same path and tool. */
export function gridFor(
  path: JointPath,
  from_s: number,
  tool_offset_m: readonly number[],
): TimingGrid {
  const { grid } = latest;
  const same_tool = latest.tool_offset_m.every((value, k) => value === tool_offset_m[k]);
  if (grid?.path === path && latest.from_s === from_s && same_tool) return grid;
  latest.grid = createTimingGrid(path, from_s, tool_offset_m);
  latest.from_s = from_s;
  latest.tool_offset_m = [...tool_offset_m];
  return latest.grid;
}

/** The grid of `path` from `from_s` to 1; `tool_offset_m` is the tool point in the flange frame. */
export function createTimingGrid(
  path: JointPath,
  from_s: number,
  tool_offset_m: readonly number[],
): TimingGrid {
  const s = path.kind === 'line' ? lineNodes(path, from_s) : tableNodes(path.s, from_s);
  return gridAt(path, s, tool_offset_m);
}

/** The grid with nodes at the ascending positions `s`. */
export function gridAt(
  path: JointPath,
  s: Float64Array,
  tool_offset_m: readonly number[],
): TimingGrid {
  const n = s.length;
  const [q1, q2, q3, p1, p2, bounds] = allocateArrays([6 * n, 6 * n, 6 * n, 3 * n, 3 * n, 2 * n]);
  const grid: TimingGrid = {
    path,
    s,
    q1: q1!,
    q2: q2!,
    q3: q3!,
    p1: p1!,
    p2: p2!,
    bounds: bounds!,
  };
  fillGrid(grid, tool_offset_m);
  for (let i = 0; i < s.length - 1; i++) boundTool(grid, i);
  return grid;
}

function lineNodes(
  path: { readonly start: Float64Array; readonly end: Float64Array },
  from_s: number,
): Float64Array {
  let travel = 0;
  for (let j = 0; j < 6; j++) travel += Math.abs(path.end[j]! - path.start[j]!);
  const wanted = Math.ceil(NODES_PER_RAD * travel * (1 - from_s));
  const n = Math.min(LINE_NODES_MAX, Math.max(LINE_NODES_MIN, wanted));
  const nodes = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) nodes[i] = from_s + ((1 - from_s) * i) / n;
  nodes[n] = 1;
  return nodes;
}

/** Nodes of the table beyond `from_s`, starting with `from_s` itself; at least REST_NODES_MIN. */
function tableNodes(nodes: Float64Array, from_s: number): Float64Array {
  if (from_s <= nodes[0]!) return nodes;
  let first = intervalOf(nodes, from_s) + 1;
  const last = nodes.length - 1;
  const width = nodes[Math.min(first + 1, last)]! - nodes[first]!;
  if (first < last && nodes[first]! - from_s < SHORT_INTERVAL * width) first++;
  const parts = Math.max(1, Math.ceil(REST_NODES_MIN / (last - first + 1)));
  const s = [from_s];
  for (let i = first; i <= last; i++) {
    const start = s[s.length - 1]!;
    for (let k = 1; k < parts; k++) s.push(start + ((nodes[i]! - start) * k) / parts);
    s.push(nodes[i]!);
  }
  return Float64Array.from(s);
}

const frames = createFrames();
const tool = createToolMotion();
const sample = createPathSample();

function fillGrid(grid: TimingGrid, tool_offset_m: readonly number[]): void {
  for (let i = 0; i < grid.s.length; i++) {
    samplePath(grid.path, grid.s[i]!, sample);
    for (let j = 0; j < 6; j++) {
      grid.q1[6 * i + j] = sample.q1[j]!;
      grid.q2[6 * i + j] = sample.q2[j]!;
      grid.q3[6 * i + j] = sample.q3[j]!;
    }
    forward(sample.q, frames);
    toolMotion(frames, sample.q1, sample.q2, tool_offset_m, tool);
    for (let k = 0; k < 3; k++) {
      grid.p1[3 * i + k] = tool[k]!;
      grid.p2[3 * i + k] = tool[LINEAR_ACCELERATION + k]!;
    }
  }
}

/** Largest contribution of the end slopes to a cubic between two values: 4/27 each. */
const SLOPE_SHARE = 4 / 27;

function boundTool({ s, p1, p2, bounds }: TimingGrid, i: number): void {
  const width = s[i + 1]! - s[i]!;
  const k = 3 * i;
  const bend0 = length3(p2[k]!, p2[k + 1]!, p2[k + 2]!);
  const bend1 = length3(p2[k + 3]!, p2[k + 4]!, p2[k + 5]!);
  const speed0 = length3(p1[k]!, p1[k + 1]!, p1[k + 2]!);
  const speed1 = length3(p1[k + 3]!, p1[k + 4]!, p1[k + 5]!);
  const rise = length3(p1[k + 3]! - p1[k]!, p1[k + 4]! - p1[k + 1]!, p1[k + 5]! - p1[k + 2]!);
  const speed = Math.max(speed0, speed1) + SLOPE_SHARE * width * (bend0 + bend1);
  bounds[2 * i] = ROUNDING * speed;
  bounds[2 * i + 1] = ROUNDING * ((1.5 * rise) / width + Math.max(bend0, bend1));
}

/** Refines the tool grid to at least that many intervals, by cubic Hermite between the nodes. */
export function refineTool(grid: ToolGrid, intervals: number): ToolGrid {
  const coarse = grid.s.length - 1;
  const parts = Math.ceil(intervals / coarse);
  const n = parts * coarse + 1;
  const [s, p1, p2] = allocateArrays([n, 3 * n, 3 * n]);
  const fine: ToolGrid = { s: s!, p1: p1!, p2: p2! };
  for (let i = 0; i < n; i++) {
    const from = Math.min(coarse - 1, Math.floor(i / parts));
    interpolateTool(grid, from, (i - from * parts) / parts, fine, i);
  }
  return fine;
}

function interpolateTool(grid: ToolGrid, i: number, t: number, fine: ToolGrid, k: number): void {
  const width = grid.s[i + 1]! - grid.s[i]!;
  const u = 1 - t;
  const h1 = (3 - 2 * t) * t * t;
  fine.s[k] = t === 1 ? grid.s[i + 1]! : grid.s[i]! + t * width;
  for (let x = 0; x < 3; x++) {
    const at = 3 * i + x;
    const rise = grid.p1[at + 3]! - grid.p1[at]!;
    const b0 = grid.p2[at]!;
    const b1 = grid.p2[at + 3]!;
    fine.p1[3 * k + x] = grid.p1[at]! + h1 * rise + t * u * width * (u * b0 - t * b1);
    fine.p2[3 * k + x] = (6 * t * u * rise) / width + u * (1 - 3 * t) * b0 + t * (3 * t - 2) * b1;
  }
}
