/** Geometry of suction cups. */
import type { SuctionGripper } from '../../../contract/types.generated.ts';
import { MM } from '../object-shapes.ts';
import { lathe } from '../part-geometry.ts';
import { shaded } from '../shaded-geometry.ts';
import { flangePlate, type GripperGeometry } from './gripper-geometry.ts';

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
