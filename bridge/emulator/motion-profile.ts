/**
 * The way a servo takes to a new goal by its profile registers: at once, at constant speed, with a
 * ramp, or in a given time. In steps of the control table, one millisecond at a time.
 */
import { STEP_S } from '../../physics/dynamics/servo.ts';
import { TICKS_PER_RAD, VELOCITY_UNIT } from './servo-shaft.ts';
import type { TableMemory } from './table-memory.ts';

/** 214.577 revolutions a minute squared (rad/s²). */
const ACCELERATION_UNIT = (214.577 * 2 * Math.PI) / 3600;

export interface ProfileLimits {
  /** Steps a millisecond; 0: no profile, the goal counts at once. */
  readonly velocity: number;
  /** Steps a millisecond squared; 0: no ramp. */
  readonly acceleration: number;
}

/** Limits that reach a goal in `duration_ms`; it speeds up and slows down for `ramp_ms` each. */
function timedLimits(distance: number, duration_ms: number, ramp_ms: number): ProfileLimits {
  if (duration_ms === 0) return { velocity: 0, acceleration: 0 };
  const ramp = Math.min(ramp_ms, duration_ms / 2);
  const velocity = Math.abs(distance) / Math.max(1, duration_ms - ramp);
  return { velocity, acceleration: ramp > 0 ? velocity / ramp : 0 };
}

/** What the profile registers of a table allow on a way of `distance` (steps). */
export function limitsOf(memory: TableMemory, distance: number): ProfileLimits {
  const velocity = memory.get('profile_velocity');
  const acceleration = memory.get('profile_acceleration');
  if ((memory.get('drive_mode') & 4) !== 0) return timedLimits(distance, velocity, acceleration);
  const unit = TICKS_PER_RAD * STEP_S;
  return {
    velocity: velocity * VELOCITY_UNIT * unit,
    acceleration: acceleration * ACCELERATION_UNIT * unit * STEP_S,
  };
}

export class MotionProfile {
  /** Where the servo's loop is to be now (steps). */
  position = 0;
  /** Steps a millisecond. */
  velocity = 0;

  /** Stands still at a position. */
  rest(position: number): void {
    this.position = position;
    this.velocity = 0;
  }

  /** One millisecond on the way to `goal`. */
  step(goal: number, { velocity, acceleration }: ProfileLimits): void {
    const distance = goal - this.position;
    if (velocity === 0) {
      this.rest(goal);
      return;
    }
    const fastest =
      acceleration > 0
        ? Math.min(velocity, Math.sqrt(2 * acceleration * Math.abs(distance)))
        : velocity;
    const wanted = Math.sign(distance) * fastest;
    const change = acceleration > 0 ? acceleration : Number.POSITIVE_INFINITY;
    this.velocity += Math.min(change, Math.max(-change, wanted - this.velocity));
    if (Math.abs(distance) <= Math.abs(this.velocity)) this.rest(goal);
    else this.position += this.velocity;
  }
}
