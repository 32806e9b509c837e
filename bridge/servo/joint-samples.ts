/**
 * The latest sample of each servo, and of each joint from its servos, in the units of the driver
 * port and with its age. A joint is where its leader is; its current is that of all its servos. One
 * register span holds a whole sample. ServoLink schedules the requests and handles silence.
 */
import { decodeValue } from '../bus/registers.ts';
import {
  type Calibration,
  intoOneTurn,
  JointUnits,
  type ServoSlot,
  servoSlots,
} from './calibration.ts';
import { SERVO_MODELS } from './servo-models.ts';

export type Freshness = 'fresh' | 'old' | 'restarted';

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
    this.velocity_rad_s[j] = units.toRate(decodeValue(data, VELOCITY.address, VELOCITY));
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

const WRAP_MS = 32_768;
/** After a silence this long the counter is meaningless, because it wraps. */
const FORGET_MS = 15_000;
/** Maximum lead of the counter of the servo over the clock of the driver after a delay (ms). */
const AHEAD_MS = 1000;
/** A counter below this may belong to a servo that has just started (ms). */
const YOUNG_MS = 2000;
/** Maximum relative drift between the clocks of servo and driver. */
const DRIFT = 0.002;

/**
 * The age of the samples of one servo, from the millisecond counter of the servo that each sample
 * carries. The counter shows delayed and repeated replies as old, and reveals a restart of the
 * servo.
 */
export class SampleAge {
  private last_tick = -1;
  private last_now_ms = 0;
  /** The counter of the servo without wraps (ms). */
  servo_ms = 0;
  /** Smallest difference of the clocks so far, which is that of the quickest reply (ms). */
  private offset_ms = 0;
  /** Time of the latest sample, by the clock of the driver (ms). */
  taken_ms = Number.NEGATIVE_INFINITY;

  /** Takes the counter (ms, wraps at 32768) of a sample received at `now_ms`. */
  take(tick: number, now_ms: number): Freshness {
    const elapsed_ms = now_ms - this.last_now_ms;
    if (this.last_tick < 0 || elapsed_ms > FORGET_MS) return this.restart(tick, now_ms);
    const step_ms = (tick - this.last_tick + WRAP_MS) % WRAP_MS;
    if (step_ms === 0) return 'old';
    if (step_ms > WRAP_MS / 2) {
      return tick >= YOUNG_MS && WRAP_MS - step_ms < YOUNG_MS ? 'old' : 'restarted';
    }
    // Compared with the time of the last sample, which may have been read late.
    if (step_ms > now_ms - this.taken_ms + AHEAD_MS) return 'restarted';
    this.last_tick = tick;
    this.last_now_ms = now_ms;
    this.servo_ms += step_ms;
    const offset_ms = now_ms - this.servo_ms;
    this.offset_ms = Math.min(offset_ms, this.offset_ms + DRIFT * elapsed_ms);
    this.taken_ms = now_ms - (offset_ms - this.offset_ms);
    return 'fresh';
  }

  /** Treats the next sample as the first one, after a restart of the servo. */
  reset(): void {
    this.last_tick = -1;
  }

  private restart(tick: number, now_ms: number): Freshness {
    this.last_tick = tick;
    this.last_now_ms = now_ms;
    this.servo_ms = tick;
    this.offset_ms = now_ms - tick;
    this.taken_ms = now_ms;
    return 'fresh';
  }
}
