/**
 * Conversion between servo steps and joint radians at the edge of the bridge; code above it knows
 * only radians. A step is 1/4096 turn of the servo.
 */

export const TICKS_PER_TURN = 4096;
export const TICKS_PER_RAD = TICKS_PER_TURN / (2 * Math.PI);
/** Mounting of a servo at its joint. */
export interface JointMounting {
  readonly direction: 1 | -1;
  /** Steps at joint angle zero. */
  readonly zero_ticks: number;
  /** Turns of the servo per turn of the joint. */
  readonly gear: number;
}

export class JointUnits {
  private readonly zero_ticks: number;
  private readonly ticks_per_rad: number;

  constructor({ direction, zero_ticks, gear }: JointMounting) {
    this.zero_ticks = zero_ticks;
    this.ticks_per_rad = direction * gear * TICKS_PER_RAD;
  }

  /** Joint angle (rad) to servo position, rounded (steps). */
  toTicks(angle_rad: number): number {
    return Math.round(this.zero_ticks + angle_rad * this.ticks_per_rad);
  }

  /** Servo position (steps) to joint angle (rad). */
  toAngle(ticks: number): number {
    return (ticks - this.zero_ticks) / this.ticks_per_rad;
  }

  /** Servo speed (steps/s) to joint rate (rad/s). */
  rateOf(steps_s: number): number {
    return steps_s / this.ticks_per_rad;
  }

  /** Sign of servo currents at the joint. */
  get sign(): number {
    return Math.sign(this.ticks_per_rad);
  }
}

/** Folds a position into one turn; servos count turns while torque is off. */
export function intoOneTurn(ticks: number): number {
  return ((ticks % TICKS_PER_TURN) + TICKS_PER_TURN) % TICKS_PER_TURN;
}
