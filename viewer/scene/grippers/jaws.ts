/** Geometry of jaws with two fingers. */
import type { BufferGeometry } from 'three';
import type { JawGripper } from '../../../contract/types.generated.ts';
import { roundedBox } from '../rounded-box.ts';
import { shaded } from '../shaded-geometry.ts';
import { flangePlate, type GripperGeometry } from './gripper-geometry.ts';

const FINGER_M = 0.008;
const PAD_M = 0.0018;

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
