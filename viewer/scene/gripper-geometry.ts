/** Geometry of grippers (metres) in the flange frame: jaws with two fingers, and cups. */
import type { BufferGeometry } from 'three';
import type { CellGripper, JawGripper, SuctionGripper } from '../../contract/types.ts';
import { MM } from './object-geometry.ts';
import { lathe } from './part-geometry.ts';
import { roundedBox } from './rounded-box.ts';
import { shaded } from './shaded-geometry.ts';

/** A gripper: its fixed body, and one finger for each side (+x and −x), in the grasp frame. */
export interface GripperGeometry {
  /** Angle of the closing direction from the flange's x axis (rad). */
  readonly angle_rad: number;
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
function jawGeometry(gripper: JawGripper): GripperGeometry {
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
  light.translate(0, 0, flange + 0.011);
  return { angle_rad: gripper.jaw_angle_rad ?? 0, body, fingers, light };
}

/** A suction cup in the grasp frame: its mouth is at the origin, facing +z. */
function cupGeometry({ tip_m, radius_m }: SuctionGripper): GripperGeometry {
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
  return { angle_rad: 0, body, fingers: [], light };
}

const GEOMETRIES: {
  readonly [Kind in CellGripper['kind']]: {
    of(gripper: Extract<CellGripper, { kind: Kind }>): GripperGeometry;
  };
} = {
  jaws: { of: jawGeometry },
  suction: { of: cupGeometry },
};

/** The geometry of a gripper, by its kind. */
export function gripperGeometry(gripper: CellGripper): GripperGeometry {
  const geometry: { of(gripper: CellGripper): GripperGeometry } = GEOMETRIES[gripper.kind];
  return geometry.of(gripper);
}
