/**
 * Geometry of a cell's parts (metres): rounded boxes, plates with wells, tubes with caps, belts and
 * grippers. A body stands on the origin of its frame; a gripper is in the flange frame.
 */
import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  CylinderGeometry,
  Float32BufferAttribute,
  type Group,
  LineSegments,
  type Material,
  Matrix4,
  Mesh,
  Quaternion,
  type Texture,
  Vector3,
} from 'three';
import type {
  CellShape,
  JawGripper,
  Quaternion as PlainQuaternion,
  SuctionGripper,
  Vector,
} from '../../contract/types.ts';
import { lathe, mergeGeometries } from './part-geometry.ts';

const MM = 1000;
/** Standard height of a microplate and its footprint (ANSI/SLAS 1-2004 and 2-2004) (m). */
const PLATE = { x: 0.12776, y: 0.08548, z: 0.01435 } as const;
const WELL = { columns: 12, rows: 8, pitch_m: 0.009, radius_m: 0.0033 } as const;
/** Edge radius of bodies (m), at most this share of the smallest edge. */
const EDGE_M = 0.003;
const EDGE_SHARE = 0.22;
/** Odd, so that the middle one becomes the flat face. */
const EDGE_SEGMENTS = 5;
const UPRIGHT: PlainQuaternion = { w: 1, x: 0, y: 0, z: 0 };

const one = new Vector3(1, 1, 1);

/** The matrix of a pose of the API. */
export function poseMatrix(
  { x, y, z }: Vector,
  orientation: PlainQuaternion = UPRIGHT,
  out = new Matrix4(),
): Matrix4 {
  const q = new Quaternion(orientation.x, orientation.y, orientation.z, orientation.w);
  return out.compose(new Vector3(x, y, z), q.normalize(), one);
}

/** Empties a group and frees what it drew with; materials that stay are kept. */
export function disposeIn(group: Group, kept: readonly Material[]): void {
  group.traverse((child) => {
    if (!(child instanceof Mesh || child instanceof LineSegments)) return;
    child.geometry.dispose();
    const material: Material & { readonly map?: Texture | null } = child.material;
    if (kept.includes(material)) return;
    material.map?.dispose();
    material.dispose();
  });
  group.clear();
}

const corner = new Vector3();
const along = new Vector3();

/** A box with rounded edges that stands on the origin. */
export function roundedBox(x: number, y: number, z: number, edge = EDGE_M): BufferGeometry {
  const radius = Math.min(edge, EDGE_SHARE * Math.min(x, y, z));
  const box = new BoxGeometry(1, 1, 1, EDGE_SEGMENTS, EDGE_SEGMENTS, EDGE_SEGMENTS);
  const at = box.getAttribute('position');
  const facing = box.getAttribute('normal');
  const half = new Vector3(x, y, z).multiplyScalar(0.5).subScalar(radius);
  for (let i = 0; i < at.count; i++) {
    corner.fromBufferAttribute(at, i);
    along.copy(corner).normalize();
    facing.setXYZ(i, along.x, along.y, along.z);
    along.multiplyScalar(radius);
    const on = (share: number, reach: number, more: number) => Math.sign(share) * reach + more;
    at.setXYZ(
      i,
      on(corner.x, half.x, along.x),
      on(corner.y, half.y, along.y),
      on(corner.z, half.z, along.z) + z / 2,
    );
  }
  return box;
}

/** A merged part and the shade of its material: 1 is the plain colour. */
interface Shaded {
  readonly geometry: BufferGeometry;
  readonly shade: number;
}

/** Merges parts; vertex colours carry their shades. */
function shaded(parts: readonly Shaded[]): BufferGeometry {
  const merged = mergeGeometries(parts.map(({ geometry }) => geometry));
  const shades = parts.flatMap(({ geometry, shade }) =>
    new Array<number>(3 * geometry.getAttribute('position').count).fill(shade),
  );
  for (const { geometry } of parts) geometry.dispose();
  return merged.setAttribute('color', new Float32BufferAttribute(shades, 3));
}

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

const NAMED: readonly (readonly [RegExp, number])[] = [
  [/\bred\b/i, 0xc4452f],
  [/\bblue\b/i, 0x3b6fc9],
  [/\bgreen\b/i, 0x3a8f5f],
  [/\byellow\b/i, 0xdba62b],
  [/\borange\b/i, 0xd97b2b],
  [/\b(?:black|dark)\b/i, 0x2f3338],
];
const OTHERS = [0xd9913a, 0x2b8f94, 0x8a5aa8, 0x5b7d3a, 0xb4566f, 0x54708f] as const;
const LABWARE = 0xf1f2f0;

/** The colour of an object: as its name says, else by its kind and number. */
export function objectColour(name: string, kind: CellShape['kind'], number: number): Color {
  const named = NAMED.find(([word]) => word.test(name))?.[1];
  if (named !== undefined) return new Color(named);
  const isLabware = kind === 'tube' || kind === 'microplate';
  return new Color(isLabware ? LABWARE : OTHERS[number % OTHERS.length]!);
}

/** A gripper: its fixed body, and one finger for each side (+x and −x), in the grasp frame. */
export interface GripperGeometry {
  readonly body: BufferGeometry;
  readonly fingers: readonly BufferGeometry[];
  /** The part that shows the state: a band around the body. */
  readonly light: BufferGeometry;
}

const FINGER_M = 0.008;
const PAD_M = 0.0018;

function flangePlate(at_m: number): BufferGeometry {
  return lathe([
    [0, at_m * MM],
    [29, at_m * MM, 0.6],
    [29, at_m * MM + 7, 0.8],
    [0, at_m * MM + 7],
  ]);
}

/** Jaws in the grasp frame: x closes, z approaches, the flange is at −tip.z. */
export function jawGeometry(gripper: JawGripper): GripperGeometry {
  const { tip_m, stroke_m, pad_width_m, pad_height_m } = gripper;
  const flange = -tip_m.z;
  const reach = Math.max(tip_m.z, 0.03);
  const end = flange + 0.007 + Math.min(0.055, reach * 0.5);
  const width = Math.max(stroke_m + 3 * FINGER_M, 0.05);
  const depth = Math.max(pad_width_m + 0.016, 0.036);
  const housing = roundedBox(width, depth, end - flange - 0.007, 0.006);
  const rail = roundedBox(width * 0.94, depth * 0.55, 0.006, 0.002);
  const body = shaded([
    { geometry: flangePlate(flange), shade: 1.9 },
    { geometry: housing.translate(0, 0, flange + 0.007), shade: 1 },
    { geometry: rail.translate(0, 0, end - 0.001), shade: 2.6 },
  ]);
  const from = end + 0.003;
  const to = pad_height_m / 2;
  const fingers = [1, -1].map((side) => {
    const carriage = roundedBox(FINGER_M * 1.7, depth * 0.62, 0.012, 0.002);
    const blade = roundedBox(FINGER_M, Math.max(pad_width_m * 0.9, 0.01), to - from, 0.002);
    const pad = roundedBox(PAD_M, pad_width_m, pad_height_m, 0.0006);
    const outward = (geometry: BufferGeometry, x: number, z: number) =>
      geometry.translate(side * x, 0, z);
    return shaded([
      { geometry: outward(carriage, FINGER_M / 2 + PAD_M, from), shade: 2.6 },
      { geometry: outward(blade, FINGER_M / 2 + PAD_M, from), shade: 2.2 },
      { geometry: outward(pad, PAD_M / 2, -pad_height_m / 2), shade: 0.45 },
    ]);
  });
  const light = roundedBox(width + 0.0006, depth + 0.0006, 0.0026, 0.006);
  return { body, fingers, light: light.translate(0, 0, flange + 0.011) };
}

/** A suction cup in the grasp frame: its mouth is at the origin, facing +z. */
export function cupGeometry({ tip_m, radius_m }: SuctionGripper): GripperGeometry {
  const flange = -tip_m.z * MM;
  const r = radius_m * MM;
  const bellows = Math.min(Math.max(1.4 * r, 12), tip_m.z * MM * 0.4);
  const fold = bellows / 3;
  const stem = lathe([
    [0, flange + 6],
    [19, flange + 6, 1],
    [19, flange + 26, 3],
    [7, flange + 30, 1],
    [7, -bellows],
  ]);
  const rubber = lathe([
    [7, -bellows],
    [r * 0.85, -bellows, 0.6],
    [r * 0.6, -bellows + fold],
    [r * 0.95, -bellows + 1.5 * fold],
    [r * 0.6, -fold],
    [r, 0],
    [r * 0.7, -1.5],
  ]);
  const body = shaded([
    { geometry: flangePlate(flange / MM), shade: 1.9 },
    { geometry: stem, shade: 1.5 },
    { geometry: rubber, shade: 0.6 },
  ]);
  const light = lathe([
    [19, flange + 12],
    [19.6, flange + 12],
    [19.6, flange + 15],
    [19, flange + 15],
  ]);
  return { body, fingers: [], light };
}
