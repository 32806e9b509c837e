/** The grids of a toolpath: cell positions, and thin lines between neighbouring cells. */

import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import type { Action, Toolpath } from '../../contract/types.generated.ts';
import { createTool, POSE_SIZE } from '../../physics/kinematics/tool.ts';
import { cellPose, createGrid } from '../../physics/toolpath/grid.ts';
import { allActions } from './placed-action.ts';

type Point = readonly [number, number, number];

export interface PlacedCell {
  readonly number: number;
  readonly at_m: Point;
}

/** The cells of one grid, row-major. */
export interface PlacedGrid {
  readonly at: string;
  readonly cols: number;
  readonly cells: readonly PlacedCell[];
}

const CELLS_MAX = 2_000;
const pose = new Float64Array(POSE_SIZE);

function placeGrid(
  toolpath: Toolpath,
  action: Extract<Action, { type: 'grid' }>,
  at: string,
): PlacedGrid {
  const tool = createTool(toolpath.metadata.tcp_config);
  const joints = (index: number) => toolpath.waypoints[index]!.joints;
  const { cols, rows } = action;
  const corners = { w0: joints(action.w0), wx: joints(action.wx), wy: joints(action.wy) };
  const grid = createGrid({ ...corners, cols, rows, tool });
  const cells = Array.from({ length: Math.min(cols * rows, CELLS_MAX) }, (_, number) => {
    const column = number % cols;
    cellPose(grid, { column, row: (number - column) / cols, z_offset_m: 0 }, pose);
    return { number, at_m: [pose[9]!, pose[10]!, pose[11]!] as const };
  });
  return { at, cols, cells };
}

/** All grids of a checked toolpath, including those in branches and routines. */
export function placedGrids(toolpath: Toolpath): readonly PlacedGrid[] {
  return allActions(toolpath).flatMap(({ at, action }) =>
    action.type === 'grid' ? [placeGrid(toolpath, action, at)] : [],
  );
}

/** Lines between neighbouring cells, as pairs of points. */
function strokesOf({ cols, cells }: PlacedGrid): number[] {
  return cells.flatMap(({ number, at_m }) => {
    const right = (number + 1) % cols === 0 ? undefined : cells[number + 1];
    const below = cells[number + cols];
    return [right, below].flatMap((other) => (other ? [...at_m, ...other.at_m] : []));
  });
}

/** Creates the line object that shows grids. */
export function createLattice() {
  const material = new LineMaterial({
    linewidth: 1.4,
    opacity: 0.7,
    transparent: true,
    depthWrite: false,
    toneMapped: false,
  });
  const object = new LineSegments2(new LineSegmentsGeometry(), material);
  object.frustumCulled = false;
  object.visible = false;
  return {
    object,
    set(grids: readonly PlacedGrid[]): void {
      const positions = grids.flatMap(strokesOf);
      object.visible = positions.length > 0;
      object.geometry.dispose();
      object.geometry = new LineSegmentsGeometry();
      if (object.visible) object.geometry.setPositions(positions);
    },
  };
}
