/**
 * Geometry of the objects of a cell (metres): rounded boxes, plates with wells, tubes with caps. A
 * body stands on the origin of its frame.
 */
import { type BufferGeometry, CylinderGeometry } from 'three';
import type { CellShape } from '../../contract/types.ts';
import { lathe } from './part-geometry.ts';
import { roundedBox } from './rounded-box.ts';
import { type Shaded, shaded } from './shaded-geometry.ts';

export const MM = 1000;
/** Standard height of a microplate and its footprint (ANSI/SLAS 1-2004 and 2-2004) (m). */
const PLATE = { x: 0.12776, y: 0.08548, z: 0.01435 } as const;
const WELL = { columns: 12, rows: 8, pitch_m: 0.009, radius_m: 0.0033 } as const;

function plate(height: number): BufferGeometry {
  const skirt = roundedBox(PLATE.x, PLATE.y, height * 0.25, 0.0015);
  const body = roundedBox(PLATE.x - 0.005, PLATE.y - 0.005, height, 0.004);
  const wells: Shaded[] = [];
  for (let row = 0; row < WELL.rows; row++) {
    for (let column = 0; column < WELL.columns; column++) {
      const well = new CylinderGeometry(WELL.radius_m, WELL.radius_m, 0.0004, 10);
      well.rotateX(Math.PI / 2);
      const x = (column - (WELL.columns - 1) / 2) * WELL.pitch_m;
      const y = (row - (WELL.rows - 1) / 2) * WELL.pitch_m;
      wells.push({ geometry: well.translate(x, y, height), shade: 0.42 });
    }
  }
  return shaded([{ geometry: skirt, shade: 0.9 }, { geometry: body, shade: 1 }, ...wells]);
}

/** A tube with a dark cap, as a vial. */
function tube(diameter: number, height: number): BufferGeometry {
  const r = (diameter / 2) * MM;
  const h = height * MM;
  const cap = Math.min(0.26 * h, 14);
  const glass = lathe([
    [0, 0],
    [r * 0.92, 0, Math.min(2, r / 3)],
    [r * 0.92, h - cap],
  ]);
  const top = lathe([
    [r * 0.9, h - cap],
    [r, h - cap, 0.4],
    [r, h, Math.min(1.2, r / 4)],
    [0, h],
  ]);
  return shaded([
    { geometry: glass, shade: 1 },
    { geometry: top, shade: 0.1 },
  ]);
}

/** The geometry of an object; its frame is the middle of its bottom face. */
export function objectGeometry(shape: CellShape): BufferGeometry {
  switch (shape.kind) {
    case 'microplate':
      return plate(shape.height_m ?? PLATE.z);
    case 'tube':
      return tube(shape.diameter_m, shape.height_m);
    case 'cylinder': {
      const r = (shape.diameter_m / 2) * MM;
      const h = shape.height_m * MM;
      const round = Math.min(2.5, r / 4, h / 4);
      const solid = lathe([
        [0, 0],
        [r, 0, round],
        [r, h, round],
        [0, h],
      ]);
      return shaded([{ geometry: solid, shade: 1 }]);
    }
    case 'box': {
      const { x, y, z } = shape.size_m;
      return shaded([{ geometry: roundedBox(x, y, z), shade: 1 }]);
    }
  }
}

/** Footprint of an object (m). */
export function footprint(shape: CellShape): readonly [number, number] {
  if (shape.kind === 'box') return [shape.size_m.x, shape.size_m.y];
  if (shape.kind === 'microplate') return [PLATE.x, PLATE.y];
  return [shape.diameter_m, shape.diameter_m];
}

/** Height of an object (m). */
export function heightOf(shape: CellShape): number {
  if (shape.kind === 'box') return shape.size_m.z;
  return shape.kind === 'microplate' ? (shape.height_m ?? PLATE.z) : shape.height_m;
}
