import { describe, expect, it } from 'vitest';
import { createTool, FLANGE_TOOL } from '../kinematics/tool.ts';
import { gridCorners } from './generator.cases.ts';
import { cellPose, createGrid, type Grid, gridFault } from './grid.ts';

const corners = gridCorners(0.25);

function gridOf(cols: number, rows: number): Grid {
  return createGrid({ ...corners, cols, rows, tool: FLANGE_TOOL });
}

function cellAt(grid: Grid, column: number, row: number, z_offset_m = 0): number[] {
  const pose = new Float64Array(12);
  cellPose(grid, { column, row, z_offset_m }, pose);
  return [...pose.subarray(9)];
}

function expectNear(found: readonly number[], wanted: ArrayLike<number>): void {
  found.forEach((value, k) => {
    expect(value).toBeCloseTo(wanted[k]!, 12);
  });
}

describe('a grid', () => {
  it('has its corners in its corner cells', () => {
    const grid = gridOf(4, 3);
    const o = grid.origin.subarray(9);
    expectNear(cellAt(grid, 0, 0), o);
    expectNear(
      cellAt(grid, 3, 0),
      o.map((v, k) => v + grid.x_m[k]!),
    );
    expectNear(
      cellAt(grid, 0, 2),
      o.map((v, k) => v + grid.y_m[k]!),
    );
  });
  it('divides its edges evenly', () => {
    const grid = gridOf(4, 3);
    const wanted = grid.origin.subarray(9).map((v, k) => v + grid.x_m[k]! / 3 + grid.y_m[k]! / 2);
    expectNear(cellAt(grid, 1, 1), wanted);
  });
  it('keeps the orientation of w0 in every cell', () => {
    const grid = gridOf(2, 2);
    const pose = new Float64Array(12);
    cellPose(grid, { column: 1, row: 1, z_offset_m: 0.01 }, pose);
    expect([...pose.subarray(0, 9)]).toEqual([...grid.origin.subarray(0, 9)]);
  });
  it('counts a positive z_offset along the unit normal, away from where the tool points', () => {
    const grid = gridOf(2, 2);
    const [flat, above] = [cellAt(grid, 1, 0), cellAt(grid, 1, 0, 0.02)];
    const rise = above.map((v, k) => v - flat[k]!);
    expect(Math.hypot(...rise)).toBeCloseTo(0.02, 12);
    const z = [grid.origin[2]!, grid.origin[5]!, grid.origin[8]!];
    expect(rise.reduce((sum, v, k) => sum + v * z[k]!, 0)).toBeLessThan(0);
    expect(rise.reduce((sum, v, k) => sum + v * grid.x_m[k]!, 0)).toBeCloseTo(0, 12);
    expect(rise.reduce((sum, v, k) => sum + v * grid.y_m[k]!, 0)).toBeCloseTo(0, 12);
  });
  it('takes fraction 0 for a single row or column', () => {
    const grid = gridOf(1, 3);
    expectNear(
      cellAt(grid, 0, 2),
      grid.origin.subarray(9).map((v, k) => v + grid.y_m[k]!),
    );
  });
  it('uses the tool point', () => {
    const tool = createTool({ offsets: { x: 0, y: 0, z: 0.1 } });
    const grid = createGrid({ ...corners, cols: 2, rows: 2, tool });
    const z = [grid.origin[2]!, grid.origin[5]!, grid.origin[8]!];
    const wanted = gridOf(2, 2)
      .origin.subarray(9)
      .map((v, k) => v + 0.1 * z[k]!);
    expectNear([...grid.origin.subarray(9)], wanted);
  });
});

describe('the fault of a grid', () => {
  it('is none for perpendicular edges', () => {
    expect(gridFault(gridOf(3, 3))).toBeNull();
  });
  it('is the angle when the edges lean', () => {
    const lean = { ...corners, wx: corners.wx.with(0, corners.wx[0]! + 0.05) };
    expect(gridFault(createGrid({ ...lean, cols: 2, rows: 2, tool: FLANGE_TOOL }))).toMatchObject({
      kind: 'not_perpendicular',
    });
  });
  it('is a corner on w0, unless there is only one cell that way', () => {
    const flat = { ...corners, wx: corners.w0, tool: FLANGE_TOOL };
    expect(gridFault(createGrid({ ...flat, cols: 2, rows: 2 }))).toEqual({
      kind: 'no_edge',
      corner: 'wx',
    });
    expect(gridFault(createGrid({ ...flat, cols: 1, rows: 2 }))).toBeNull();
    expect(gridFault(createGrid({ ...flat, wy: corners.w0, cols: 1, rows: 2 }))).toMatchObject({
      corner: 'wy',
    });
  });
});

it('creates a row with a zero-length other edge and a perpendicular normal', () => {
  const grid = createGrid({ ...corners, wx: corners.w0, cols: 1, rows: 2, tool: FLANGE_TOOL });
  const along = grid.normal.reduce((sum, v, k) => sum + v * grid.y_m[k]!, 0);
  expect(along).toBeCloseTo(0, 12);
  expect(Math.hypot(...grid.normal)).toBeCloseTo(1, 12);
});
