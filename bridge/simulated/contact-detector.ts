import { DETECTION } from '../../physics/arm/arm-model.ts';
import {
  CONTACT_THRESHOLDS_N_M,
  type ContactSensitivity,
} from '../../physics/dynamics/contact-sensitivity.ts';
import { PLANT_STEP_S } from '../../physics/dynamics/plant-step.ts';
import type { ContactReport } from '../arm-driver.ts';

/** The held arm is looked at again so long after an acknowledgement, in plant steps: 5 s. */
const LOOK_STEPS = 5000;

export interface ContactState {
  readonly contact: ContactReport | null;
  readonly leaning_n_m: readonly number[];
  /** Plant steps until the held arm is looked at again; absent in older snapshots: not at all. */
  readonly look_steps?: number;
}

const BOUND_N = DETECTION.reaction.force_bound_n;

/** The joint that feels most, by its threshold. */
function jointFeeling(residual: Float64Array): number {
  const felt = Array.from(residual, (size, j) => Math.abs(size) / CONTACT_THRESHOLDS_N_M.high[j]!);
  return felt.indexOf(Math.max(...felt));
}

/**
 * Detects contacts from the torque residuals and latches the first one until it is acknowledged. A
 * contact that persists becomes the new zero: the arm can move away from what it leans on, and a
 * further push counts again (D30).
 */
export class ContactDetector {
  private latchedContact: ContactReport | null = null;
  /** Residuals at the last acknowledgement, reduced as they decrease (N m). */
  private readonly acknowledged_n_m = new Float64Array(6);

  /** Steps until the look after an acknowledgement; 0 for none. */
  private look_steps = 0;

  /** First contact since the last acknowledgement, or null. */
  get contact(): ContactReport | null {
    return this.latchedContact;
  }

  /** Checks the residuals (N m) of plant step number `step`. Allocates only at a contact. */
  update(residual: Float64Array, sensitivity: ContactSensitivity | null, step: number): void {
    const thresholds = sensitivity && CONTACT_THRESHOLDS_N_M[sensitivity];
    for (let j = 0; j < 6; j++) {
      const size = Math.abs(residual[j]!);
      const leaning = this.acknowledged_n_m[j]!;
      if (size < leaning) this.acknowledged_n_m[j] = size;
      if (this.latchedContact || !thresholds || size <= leaning + thresholds[j]!) continue;
      this.latchedContact = { joint: j, at_s: step * PLANT_STEP_S };
    }
  }

  /** True while the arm is to be looked at again. */
  get isLooking(): boolean {
    return this.look_steps > 0;
  }

  /**
   * Looks again at an arm that has been held since the acknowledgement: what still presses it then
   * is a new contact, though it was there before (D30). Called in every step while `isLooking`;
   * `force_n` is asked for in one of them.
   */
  lookAgain(isHeld: boolean, residual: Float64Array, step: number, force_n: () => number): void {
    this.look_steps = isHeld ? this.look_steps - 1 : 0;
    if (this.look_steps > 0 || !isHeld || this.latchedContact || force_n() <= BOUND_N) return;
    this.latchedContact = { joint: jointFeeling(residual), at_s: step * PLANT_STEP_S };
  }

  /** Clears the contact; the present residuals become the new zero. */
  acknowledge(residual: Float64Array): void {
    if (this.latchedContact) this.look_steps = LOOK_STEPS;
    this.latchedContact = null;
    for (let j = 0; j < 6; j++) this.acknowledged_n_m[j] = Math.abs(residual[j]!);
  }

  /** Clears the contact and the acknowledged residuals. */
  reset(): void {
    this.latchedContact = null;
    this.look_steps = 0;
    this.acknowledged_n_m.fill(0);
  }

  save(): ContactState {
    const { latchedContact: contact, look_steps } = this;
    return { contact, leaning_n_m: Array.from(this.acknowledged_n_m), look_steps };
  }

  restore(memory: ContactState): void {
    this.latchedContact = memory.contact;
    this.look_steps = memory.look_steps ?? 0;
    this.acknowledged_n_m.set(memory.leaning_n_m);
  }
}
