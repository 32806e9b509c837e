/**
 * Measures the speed of the flange for the invariant monitor. It allocates nothing in a motion.
 */

import { type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';

/** Stands for no tick: the tick after it is none either. */
const NOT_OBSERVED = -2;

/** Measures the speed of the flange. */
export class FlangeObserver {
  private readonly frames = createFrames();
  private readonly flange_m = new Float64Array(3);
  private readonly next_rad = new Float64Array(6);
  private last_tick = NOT_OBSERVED;

  /** Forgets the pose before: the arm was put elsewhere. */
  restart(): void {
    this.last_tick = NOT_OBSERVED;
  }

  /** Speed since the tick before (m/s); 0 when that tick was not observed. */
  speed_m_s(position_rad: Float64Array, tick: number): number {
    const isSecond = tick === this.last_tick + 1;
    this.last_tick = tick;
    const moved_m = this.moveTo(position_rad);
    return isSecond ? moved_m / TICK_S : 0;
  }

  /** Speed at one instant (m/s), by the speeds of the joints. */
  speedAt_m_s({ position_rad, velocity_rad_s }: Feedback): number {
    const { next_rad } = this;
    for (let j = 0; j < 6; j++) next_rad[j] = position_rad[j]! + velocity_rad_s[j]! * TICK_S;
    this.last_tick = NOT_OBSERVED;
    this.moveTo(position_rad);
    return this.moveTo(next_rad) / TICK_S;
  }

  /** Distance from the pose before (m). */
  private moveTo(position_rad: Float64Array): number {
    const { frames, flange_m } = this;
    forward(position_rad, frames);
    const at = FLANGE_FRAME * FRAME_SIZE + 9;
    const x = frames[at]! - flange_m[0]!;
    const y = frames[at + 1]! - flange_m[1]!;
    const z = frames[at + 2]! - flange_m[2]!;
    for (let axis = 0; axis < 3; axis++) flange_m[axis] = frames[at + axis]!;
    return Math.sqrt(x * x + y * y + z * z);
  }
}
