/** Turns a drawn link in place, so that tests can prove that they would notice it. */
import type { JSHandle } from '@playwright/test';

export const TURN_RAD = (5 * Math.PI) / 180;

/** Rotates a drawn object about its z axis, as a joint does, in its live matrix (column-major). */
export function turn(matrix: JSHandle<readonly number[]>): Promise<void> {
  return matrix.evaluate((live, turn_rad) => {
    const elements = live as number[];
    const [c, s] = [Math.cos(turn_rad), Math.sin(turn_rad)];
    for (let row = 0; row < 3; row++) {
      const [x, y] = [elements[row]!, elements[4 + row]!];
      elements[row] = x * c + y * s;
      elements[4 + row] = y * c - x * s;
    }
  }, TURN_RAD);
}
