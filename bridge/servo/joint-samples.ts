/**
 * The newest sample of each joint: the one stretch of registers that the cycle reads, in the
 * units of the port and with its age. What was asked of whom, and what silence means, is the
 * cycle's.
 */
import { numberOf } from '../bus/registers.ts';
import type { Calibration } from './calibration.ts';
import { intoOneTurn, JointUnits } from './joint-units.ts';
import { type Freshness, SampleAge } from './sample-age.ts';
import { SERVO_MODELS } from './servo-models.ts';

/** Tick, moving, PWM, current, velocity, position: one stretch. */
export const SAMPLE = { address: 120, length: 16 };
const TICK = { address: 0, length: 2, signed: false };
const CURRENT = { address: 6, length: 2, signed: true };
const VELOCITY = { address: 8, length: 4, signed: true };
const POSITION = { address: 12, length: 4, signed: true };

export class JointSamples {
  readonly position_rad = new Float64Array(6);
  readonly velocity_rad_s = new Float64Array(6);
  readonly current_a = new Float64Array(6);
  readonly torque_n_m = new Float64Array(6);
  readonly units: readonly JointUnits[];
  private readonly calibration: Calibration;
  private readonly ages = Array.from({ length: 6 }, () => new SampleAge());
  private readonly current_step_a = new Float64Array(6);

  constructor(calibration: Calibration) {
    this.calibration = calibration;
    this.units = calibration.joints.map((joint) => new JointUnits(joint));
  }

  /** Begins anew with joints at rest at these angles, driven by servos of these models. */
  begin(position_rad: Float64Array, models: readonly number[], now_ms: number): void {
    this.position_rad.set(position_rad);
    this.velocity_rad_s.fill(0);
    this.ages.forEach((age, j) => {
      this.current_step_a[j] = SERVO_MODELS[models[j]!]?.current_step_a ?? 0;
      age.forget();
      age.taken_ms = now_ms;
    });
  }

  /** Takes what a servo answered, unless it is older than what there is. */
  take(j: number, data: Uint8Array, now_ms: number): Freshness {
    const freshness = this.ages[j]!.take(numberOf(data, TICK.address, TICK), now_ms);
    if (freshness !== 'fresh') return freshness;
    const units = this.units[j]!;
    const current = numberOf(data, CURRENT.address, CURRENT) * this.current_step_a[j]!;
    this.current_a[j] = units.sign * current;
    this.torque_n_m[j] = this.current_a[j]! * this.calibration.joints[j]!.torque_n_m_per_a;
    this.velocity_rad_s[j] = units.toRate(numberOf(data, VELOCITY.address, VELOCITY));
    const ticks = intoOneTurn(numberOf(data, POSITION.address, POSITION));
    this.position_rad[j] = units.toAngle(ticks);
    return freshness;
  }

  /** When the oldest of the six was taken, by the driver's clock (ms). */
  get oldest_ms(): number {
    return Math.min(...this.ages.map((age) => age.taken_ms));
  }

  /** The servos' own count of time at the newest sample (ms), as the first joint's has it. */
  get servo_ms(): number {
    return this.ages[0]!.servo_ms;
  }
}
