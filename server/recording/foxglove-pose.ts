/** Points and rotations as Foxglove writes them. */

/** The unit quaternion. */
export const NO_ROTATION = { x: 0, y: 0, z: 0, w: 1 };

/** A point as Foxglove writes it. */
export function pointOf([x, y, z]: readonly number[]): object {
  return { x, y, z };
}
