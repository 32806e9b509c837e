/**
 * Detects joints that do not follow their goal, push against an obstacle without moving, or need
 * another torque than the model of the arm says. The driver decides whether that is a contact or a
 * fault.
 */
import { InverseDynamics, writeFrictionTorques } from '../../physics/dynamics/arm-dynamics.ts';
import type { DetectionSensitivity } from '../arm-driver.ts';
import type { Calibration } from './calibration.ts';

export interface JointObstruction {
  readonly joint: number;
  readonly kind: 'following_error' | 'stall' | 'force';
}

/** Where the joints are, and what moves them. */
interface PlannedMotion {
  /** Planned rate (rad/s). */
  readonly rate_rad_s: Float64Array;
  readonly position_rad: Float64Array;
  readonly detection: DetectionSensitivity | null;
  readonly payload_kg: number;
}

/** Goal and state of the joints. */
export interface JointObservation extends PlannedMotion {
  readonly goal_rad: Float64Array;
  readonly velocity_rad_s: Float64Array;
  readonly current_a: Float64Array;
  /** Motor torques by the current sensors; null where a servo has none. */
  readonly torque_n_m: Float64Array | null;
}

const UNLIMITED = new Float64Array(6).fill(Number.POSITIVE_INFINITY);

/**
 * Torque of an obstacle that counts as a contact at high sensitivity (N m): at least 1.2 times the
 * largest deviation of servos with factory gains, of both families, in 700 free motions of all
 * joints at 2.09 rad/s, 10 rad/s² and 100 rad/s³ with 1.25 kg (own measurement on the emulators;
 * the deviation comes from lag, play and steps of the encoder).
 */
const CONTACT_N_M = [5.6, 14, 9.5, 2, 2.8, 0.35];
/**
 * Multiples of it by sensitivity, and the time constant of the deviation (s), against play and
 * steps of the encoder. At full speed an obstacle gets at once the torque that the back-EMF took:
 * a higher sensitivity yields earlier by at least a cycle of the bus.
 */
const CONTACT: Readonly<Record<DetectionSensitivity, { factor: number; smoothing_s: number }>> = {
  high: { factor: 1, smoothing_s: 0.02 },
  medium: { factor: 1.5, smoothing_s: 0.03 },
  low: { factor: 2, smoothing_s: 0.035 },
};
/**
 * The same for servos whose current is limited: without the back-EMF they swing more (1.15 times
 * the largest deviation of 200 such motions), and the limit acts at once, so that smaller steps do.
 */
const LIMITED: Readonly<Record<DetectionSensitivity, number>> = {
  high: 1.75,
  medium: 2.15,
  low: 2.55,
};

const LAG_S = 0.1;
const STALL_S = 0.2;
/** Joints slower than this are at rest (rad/s): two steps of the servos' velocity register. */
const STILL_RAD_S = 0.05;

/** Slower is rest in any register: one step of the finest, that of Feetech servos (rad/s). */
const REST_RAD_S = 0.0017;
/** Rest is shown for so long: two samples at 125 Hz, as one of a slow joint may read zero (ms). */
const REST_MS = 16;
/** A joint this long below STILL_RAD_S has settled: what its register still shows is noise (ms). */
const SETTLED_MS = 250;

/** Whether the joints stand: all show no speed, or have been too slow to be sure for a while. */
export class Standstill {
  private moved_ms = Number.NEGATIVE_INFINITY;
  /** Since when joints are slow without a rest; null: they rest. */
  private slow_ms: number | null = null;

  /** Takes speeds; `moving` while goals change. Returns true while the joints stand. */
  update(velocity_rad_s: Float64Array, now_ms: number, moving: boolean): boolean {
    let fastest = moving ? STILL_RAD_S : 0;
    for (let j = 0; j < 6; j++) fastest = Math.max(fastest, Math.abs(velocity_rad_s[j]!));
    if (fastest >= REST_RAD_S) this.moved_ms = now_ms;
    const rests = now_ms - this.moved_ms > REST_MS;
    if (rests) this.slow_ms = null;
    else if (fastest >= STILL_RAD_S) this.slow_ms = now_ms;
    else this.slow_ms ??= now_ms;
    return rests || now_ms - (this.slow_ms ?? now_ms) > SETTLED_MS;
  }
}

/**
 * Torque that a joint may have above what its motion needs, in multiples of what counts as a
 * contact: more than one, so that a contact shows, and more than the largest deviation of free
 * motions.
 */
const RESERVE = 1.3;

/** The torque of obstacles on the joints: measured less expected, smoothed. */
class ContactTorques {
  /** What the joints may need at most (N m). */
  readonly torque_max_n_m = new Float64Array(6).fill(Number.POSITIVE_INFINITY);
  private readonly limited: readonly boolean[];
  private readonly dynamics = new InverseDynamics();
  private payload_kg = 0;
  private readonly last_rad_s = new Float64Array(6);
  private readonly acceleration = new Float64Array(6);
  private readonly expected = new Float64Array(6);
  private readonly friction = new Float64Array(6);
  private readonly deviation = new Float64Array(6);

  constructor(limited: readonly boolean[]) {
    this.limited = limited;
  }

  /** The deviation of a joint that counts as a contact (N m). */
  private threshold(joint: number, detection: DetectionSensitivity): number {
    const factor = this.limited[joint] ? LIMITED[detection] : CONTACT[detection].factor;
    return factor * CONTACT_N_M[joint]!;
  }

  reset(): void {
    this.deviation.fill(0);
  }

  /** Computes what the motion needs, and what the sensitivity allows the joints. */
  expect(view: PlannedMotion, dt_s: number): void {
    const { rate_rad_s, position_rad, detection, payload_kg } = view;
    for (let j = 0; j < 6; j++) {
      this.acceleration[j] = (rate_rad_s[j]! - this.last_rad_s[j]!) / dt_s;
      this.last_rad_s[j] = rate_rad_s[j]!;
    }
    if (payload_kg !== this.payload_kg) this.dynamics.setPayload(payload_kg);
    this.payload_kg = payload_kg;
    if (!detection) {
      this.torque_max_n_m.fill(Number.POSITIVE_INFINITY);
      return;
    }
    const motion = { rates: rate_rad_s, accelerations: this.acceleration };
    this.dynamics.torque(position_rad, motion, this.expected);
    writeFrictionTorques(rate_rad_s, this.friction);
    for (let j = 0; j < 6; j++) {
      this.expected[j]! += this.friction[j]!;
      const reserve_n_m = RESERVE * this.threshold(j, detection);
      this.torque_max_n_m[j] = Math.abs(this.expected[j]!) + reserve_n_m;
    }
  }

  /** The first joint whose deviation exceeds the threshold, or null. */
  update({ torque_n_m, detection }: JointObservation, dt_s: number): number | null {
    if (!torque_n_m || !detection) {
      this.reset();
      return null;
    }
    const share = Math.min(1, dt_s / CONTACT[detection].smoothing_s);
    let found: number | null = null;
    for (let j = 0; j < 6; j++) {
      const now = torque_n_m[j]! - this.expected[j]!;
      this.deviation[j]! += share * (now - this.deviation[j]!);
      const most_n_m = this.threshold(j, detection);
      if (found === null && Math.abs(this.deviation[j]!) > most_n_m) found = j;
    }
    return found;
  }
}

export class JointMonitor {
  private readonly calibration: Calibration;
  private readonly contact: ContactTorques | null;
  private readonly lagging_s = new Float64Array(6);
  private readonly stalled_s = new Float64Array(6);

  /** `limited` names the joints whose servos limit their torque. */
  constructor(calibration: Calibration, limited: readonly boolean[] = []) {
    this.calibration = calibration;
    // Without the drives of the joints their load is not that of the model.
    const isKnown = calibration.joints.every(({ drive }) => drive !== undefined);
    this.contact = isKnown ? new ContactTorques(limited) : null;
  }

  /** The torque that each joint may need at most in its motion (N m), by the sensitivity. */
  get torque_max_n_m(): Float64Array {
    return this.contact?.torque_max_n_m ?? UNLIMITED;
  }

  /** Takes the motion of the next `dt_s`, in any state of the arm. */
  expect(motion: PlannedMotion, dt_s: number): void {
    this.contact?.expect(motion, dt_s);
  }

  reset(): void {
    this.contact?.reset();
    this.lagging_s.fill(0);
    this.stalled_s.fill(0);
  }

  /** Checks the joints after `dt_s`; returns the first obstructed one, or null. */
  update(view: JointObservation, dt_s: number): JointObstruction | null {
    for (let j = 0; j < 6; j++) {
      const lag = Math.abs(view.goal_rad[j]! - view.position_rad[j]!);
      const lags = lag > this.calibration.following_error_rad;
      this.lagging_s[j] = lags ? this.lagging_s[j]! + dt_s : 0;
      const pushing = Math.abs(view.current_a[j]!) > this.calibration.joints[j]!.stall_current_a;
      const still = Math.abs(view.velocity_rad_s[j]!) < STILL_RAD_S;
      this.stalled_s[j] = pushing && still ? this.stalled_s[j]! + dt_s : 0;
      if (this.lagging_s[j]! > LAG_S) return { joint: j, kind: 'following_error' };
      if (this.stalled_s[j]! > STALL_S) return { joint: j, kind: 'stall' };
    }
    const pushed = this.contact?.update(view, dt_s) ?? null;
    return pushed === null ? null : { joint: pushed, kind: 'force' };
  }
}
