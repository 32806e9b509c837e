import type { Vector } from '../../../contract/types.generated.ts';
import { cos, sin } from '../../math/portable.ts';

/** A grasp centre in the flange frame whose closing direction is turned about the flange's z. */
export function graspFrame({ x, y, z }: Vector, angle_rad: number): Float64Array {
  return Float64Array.of(x, y, z, cos(angle_rad / 2), 0, 0, sin(angle_rad / 2));
}
