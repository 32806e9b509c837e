/**
 * Detection of contacts by the torque of the joints: what they have above what their motion needs.
 */

import { DETECTION } from '../../../physics/arm/arm-model.ts';
import { writeFrictionTorques } from '../../../physics/dynamics/friction.ts';
import { InverseDynamics } from '../../../physics/dynamics/inverse-dynamics.ts';
import type { DetectionSensitivity } from '../../arm-driver.ts';
import type { JointObservation, PlannedMotion } from './joint-observation.ts';

/**
 * Torque of an obstacle that counts as a contact at high sensitivity (N m): at least 1.2 times the
 * largest deviation of servos with factory gains in free motions of all joints at the limits of the
 * arm and with its load: 700 of the default arm with servos of both families. Those of the ViperX were
 * set by trial until some hundred such motions had no contact, without that margin at each joint (own
 * measurement on the emulators; the deviation comes from lag, play and steps of the encoder, and
 * where a joint has little torque left for its load, from what it cannot give).
 */
const CONTACT_N_M = DETECTION.servo_threshold_n_m;
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

/**
 * Torque that a joint may have above what its motion needs, in multiples of what counts as a
 * contact: more than one, so that a contact shows, and more than the largest deviation of free
 * motions.
 */
const RESERVE = 1.3;

/**
 * Share of what a joint has beyond its load that counts as a contact at any sensitivity: an obstacle
 * cannot take more than all of it, and a sensor, a warm motor and its supply leave a tenth open.
 */
const REACHED_SHARE = 0.9;

/** The torque of obstacles on the joints: measured less expected, smoothed. */
export class ContactTorques {
  /** What the joints may need at most (N m). */
  readonly torque_max_n_m = new Float64Array(6).fill(Number.POSITIVE_INFINITY);
  private readonly stall_n_m: readonly number[];
  private readonly limited: readonly boolean[];
  private readonly dynamics = new InverseDynamics();
  private payload_kg = 0;
  private readonly last_rad_s = new Float64Array(6);
  private readonly acceleration = new Float64Array(6);
  private readonly expected = new Float64Array(6);
  private readonly friction = new Float64Array(6);
  private readonly deviation = new Float64Array(6);

  /** `stall_n_m` is the torque of each joint at stall; `limited` names those whose current is limited. */
  constructor(stall_n_m: readonly number[], limited: readonly boolean[]) {
    this.stall_n_m = stall_n_m;
    this.limited = limited;
  }

  /** What counts as a contact at a sensitivity, where the servos have that much (N m). */
  private thresholdAt(joint: number, detection: DetectionSensitivity): number {
    const factor = this.limited[joint] ? LIMITED[detection] : CONTACT[detection].factor;
    return factor * CONTACT_N_M[joint]!;
  }

  /**
   * The deviation of a joint that counts as a contact (N m), in the direction that it has: by the
   * sensitivity, but within reach of its servos beyond what its motion needs, and not below that of
   * the high one, which free motions stay under.
   */
  private threshold(joint: number, detection: DetectionSensitivity): number {
    const needed_n_m = Math.sign(this.deviation[joint]!) * this.expected[joint]!;
    const reached_n_m = REACHED_SHARE * (this.stall_n_m[joint]! - needed_n_m);
    const within_n_m = Math.min(this.thresholdAt(joint, detection), reached_n_m);
    return Math.max(this.thresholdAt(joint, 'high'), within_n_m);
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
      const reserve_n_m = RESERVE * this.thresholdAt(j, detection);
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
