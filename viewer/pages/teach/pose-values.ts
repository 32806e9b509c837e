/** A pose as the six values that a user reads and types (mm, degrees). Pure. */
import { fixedAxisAngles, fixedAxisRotation } from '../../../physics/math/rotation.ts';
import { degrees } from '../../ui/value-text.ts';

/** Position (mm) and fixed-axis angles (°) of a tool pose, as displayed and typed. */
export function poseValues(pose: Float64Array): readonly number[] {
  const position = Array.from(pose.subarray(9, 12), (value) => value * 1000);
  return [...position, ...fixedAxisAngles(pose).map(degrees)];
}

/** The tool pose with those values. */
export function poseFromValues(values: readonly number[]): Float64Array {
  const pose = new Float64Array(12);
  const [rx, ry, rz] = values.slice(3).map((angle) => (angle * Math.PI) / 180);
  fixedAxisRotation(rx!, ry!, rz!, pose);
  for (let i = 0; i < 3; i++) pose[9 + i] = values[i]! / 1000;
  return pose;
}
