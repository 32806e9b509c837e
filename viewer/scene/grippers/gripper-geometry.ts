/** What every gripper is drawn with (metres), in its grasp frame. */
import type { BufferGeometry } from 'three';
import { MM } from '../object-shapes.ts';
import { lathe } from '../part-geometry.ts';

/** A gripper: its fixed body, and one finger for each side (+x and −x), in the grasp frame. */
export interface GripperGeometry {
  readonly body: BufferGeometry;
  readonly fingers: readonly BufferGeometry[];
  /** The part that shows the state: a band around the body. */
  readonly light: BufferGeometry;
}

/** The plate between flange and gripper, from `at_m` on. */
export function flangePlate(at_m: number): BufferGeometry {
  return lathe([
    [0, at_m * MM],
    [29, at_m * MM, 0.6],
    [29, at_m * MM + 7, 0.8],
    [0, at_m * MM + 7],
  ]);
}
