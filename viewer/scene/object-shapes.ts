/**
 * The shapes of the objects of a cell (metres): rounded boxes, cylinders, plates with wells, tubes
 * with caps. A body stands on the origin of its frame.
 */
import { type BufferGeometry, CylinderGeometry } from 'three';
import type { CellShape } from '../../contract/types.generated.ts';
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

function cylinder(diameter: number, height: number): BufferGeometry {
  const r = (diameter / 2) * MM;
  const h = height * MM;
  const round = Math.min(2.5, r / 4, h / 4);
  const solid = lathe([
    [0, 0],
    [r, 0, round],
    [r, h, round],
    [0, h],
  ]);
  return shaded([{ geometry: solid, shade: 1 }]);
}

type Shapes = { [Kind in CellShape['kind']]: Extract<CellShape, { kind: Kind }> };

/** What the page knows of a kind of shape. */
interface ShapeKind<Shape> {
  /** Its frame is the middle of its bottom face. */
  geometry(shape: Shape): BufferGeometry;
  footprint_m(shape: Shape): readonly [number, number];
  height_m(shape: Shape): number;
  /** Labware is white and shines. */
  readonly isLabware: boolean;
}

/** The kinds of shapes of objects. */
const KINDS: { readonly [Kind in keyof Shapes]: ShapeKind<Shapes[Kind]> } = {
  microplate: {
    geometry: ({ height_m = PLATE.z }) => plate(height_m),
    footprint_m: () => [PLATE.x, PLATE.y],
    height_m: ({ height_m = PLATE.z }) => height_m,
    isLabware: true,
  },
  tube: {
    geometry: ({ diameter_m, height_m }) => tube(diameter_m, height_m),
    footprint_m: ({ diameter_m }) => [diameter_m, diameter_m],
    height_m: ({ height_m }) => height_m,
    isLabware: true,
  },
  cylinder: {
    geometry: ({ diameter_m, height_m }) => cylinder(diameter_m, height_m),
    footprint_m: ({ diameter_m }) => [diameter_m, diameter_m],
    height_m: ({ height_m }) => height_m,
    isLabware: false,
  },
  box: {
    geometry: ({ size_m: { x, y, z } }) => shaded([{ geometry: roundedBox(x, y, z), shade: 1 }]),
    footprint_m: ({ size_m }) => [size_m.x, size_m.y],
    height_m: ({ size_m }) => size_m.z,
    isLabware: false,
  },
};

type ShapeOf<Kind extends keyof Shapes> = Shapes[Kind] & { readonly kind: Kind };

/** The geometry of an object; its frame is the middle of its bottom face. */
export function objectGeometry<Kind extends keyof Shapes>(shape: ShapeOf<Kind>): BufferGeometry {
  return KINDS[shape.kind as Kind].geometry(shape);
}

/** Footprint of an object (m). */
export function footprint<Kind extends keyof Shapes>(
  shape: ShapeOf<Kind>,
): readonly [number, number] {
  return KINDS[shape.kind as Kind].footprint_m(shape);
}

/** Height of an object (m). */
export function heightOf<Kind extends keyof Shapes>(shape: ShapeOf<Kind>): number {
  return KINDS[shape.kind as Kind].height_m(shape);
}

/** Whether an object is a plate or a tube of a laboratory. */
export function isLabware({ kind }: Pick<CellShape, 'kind'>): boolean {
  return KINDS[kind].isLabware;
}
