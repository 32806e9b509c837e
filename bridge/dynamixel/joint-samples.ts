/**
 * The latest sample of each servo, and of each joint from its servos, in the units of the driver
 * port and with its age. A joint is where its leader is; its current is that of all its servos. One
 * register span holds a whole sample. ServoLink schedules the requests and handles silence.
 */

import type { Calibration } from '../servo/calibration/calibration.ts';
import { intoOneTurn, JointUnits, TICKS_PER_RAD } from '../servo/calibration/joint-units.ts';
import { type ServoSlot, servoSlots } from '../servo/calibration/servo-slot.ts';
import { SERVO_MODELS } from './models.ts';
import { decodeValue, VELOCITY_STEP_RAD_S } from './registers.ts';
import { type Freshness, SampleAge } from './sample-age.ts';

/** Register span of a sample: tick, moving, PWM, current, velocity, position. */
export const SAMPLE = { address: 120, length: 16 };
const TICK = { address: 0, length: 2, signed: false };
const CURRENT = { address: 6, length: 2, signed: true };
const VELOCITY = { address: 8, length: 4, signed: true };
const POSITION = { address: 12, length: 4, signed: true };

/** A follower farther than this from its leader for so many samples is at fault (rad). */
const APART_RAD = 0.05;
const APART_SAMPLES = 5;

export class JointSamples {
  readonly position_rad = new Float64Array(6);
  readonly velocity_rad_s = new Float64Array(6);
  readonly current_a = new Float64Array(6);
  readonly torque_n_m = new Float64Array(6);
  /** The measurements of the joints; torque is null where a servo has no current sensor. */
  measured: {
    readonly position_rad: Float64Array;
    readonly velocity_rad_s: Float64Array;
    readonly current_a: Float64Array;
    readonly torque_n_m: Float64Array | null;
  } = {
    position_rad: this.position_rad,
    velocity_rad_s: this.velocity_rad_s,
    current_a: this.current_a,
    torque_n_m: null,
  };
  readonly units: readonly JointUnits[];
  /** Angle (rad) and current (A) of each servo, as of its joint. */
  readonly servo_rad: Float64Array;
  readonly servo_current_a: Float64Array;
  private readonly calibration: Calibration;
  private readonly slots: readonly ServoSlot[];
  private readonly ages: readonly SampleAge[];
  private readonly current_step_a: Float64Array;
  /** Samples in a row in which a follower is not where its leader is. */
  private readonly apart: Uint32Array;

  constructor(calibration: Calibration) {
    this.calibration = calibration;
    this.units = calibration.joints.map((joint) => new JointUnits(joint));
    this.slots = servoSlots(calibration);
    this.ages = this.slots.map(() => new SampleAge());
    this.servo_rad = new Float64Array(this.slots.length);
    this.servo_current_a = new Float64Array(this.slots.length);
    this.current_step_a = new Float64Array(this.slots.length);
    this.apart = new Uint32Array(this.slots.length);
  }

  /** Resets to joints at rest at these angles, with servos of these models by slot. */
  reset(position_rad: Float64Array, models: readonly number[], now_ms: number): void {
    this.position_rad.set(position_rad);
    this.velocity_rad_s.fill(0);
    this.apart.fill(0);
    this.ages.forEach((age, i) => {
      this.servo_rad[i] = position_rad[this.slots[i]!.joint]!;
      this.current_step_a[i] = SERVO_MODELS[models[i]!]?.current_step_a ?? 0;
      age.reset();
      age.taken_ms = now_ms;
    });
    const senses = this.current_step_a.every((step) => step > 0);
    this.measured = { ...this.measured, torque_n_m: senses ? this.torque_n_m : null };
  }

  /** Takes the reply of the servo of a slot, unless it is older than the present sample. */
  take(i: number, data: Uint8Array, now_ms: number): Freshness {
    const freshness = this.ages[i]!.take(decodeValue(data, TICK.address, TICK), now_ms);
    if (freshness !== 'fresh') return freshness;
    const { joint: j, id, leader } = this.slots[i]!;
    const units = this.units[j]!;
    const current = decodeValue(data, CURRENT.address, CURRENT) * this.current_step_a[i]!;
    this.servo_current_a[i] = units.sign * current;
    const ticks = intoOneTurn(decodeValue(data, POSITION.address, POSITION));
    this.servo_rad[i] = units.toAngle(ticks);
    this.current_a[j] = this.jointCurrent(j);
    this.torque_n_m[j] = this.current_a[j]! * this.calibration.joints[j]!.torque_n_m_per_a;
    if (id !== leader) return freshness;
    this.velocity_rad_s[j] = units.rateOf(
      decodeValue(data, VELOCITY.address, VELOCITY) * VELOCITY_STEP_RAD_S * TICKS_PER_RAD,
    );
    this.position_rad[j] = this.servo_rad[i]!;
    return freshness;
  }

  /** The current of each servo of a joint at which the joint has this torque (N m; their unit). */
  toCurrent(joint: number, torque_n_m: number): number {
    const own = this.slots.flatMap((slot, i) => (slot.joint === joint ? [i] : []));
    const current_a = torque_n_m / this.calibration.joints[joint]!.torque_n_m_per_a / own.length;
    return Math.floor(current_a / this.current_step_a[own[0]!]!);
  }

  /**
   * How far the servo of a slot is from the leader of its joint (rad), once it has been so for some
   * samples: the two fight each other. Null otherwise.
   */
  apartFromLeader(i: number): number | null {
    const { joint, id, leader } = this.slots[i]!;
    if (id === leader) return null;
    const apart_rad = this.servo_rad[i]! - this.position_rad[joint]!;
    this.apart[i] = Math.abs(apart_rad) > APART_RAD ? this.apart[i]! + 1 : 0;
    return this.apart[i]! < APART_SAMPLES ? null : apart_rad;
  }

  private jointCurrent(joint: number): number {
    let sum = 0;
    this.slots.forEach((slot, i) => {
      if (slot.joint === joint) sum += this.servo_current_a[i]!;
    });
    return sum;
  }

  /** Time of the oldest of the samples, by the clock of the driver (ms). */
  get oldest_ms(): number {
    return Math.min(...this.ages.map((age) => age.taken_ms));
  }

  /** Clock of the servos at the latest sample (ms), from the first joint. */
  get servo_ms(): number {
    return this.ages[0]!.servo_ms;
  }
}
