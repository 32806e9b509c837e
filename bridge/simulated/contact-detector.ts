import {
  CONTACT_THRESHOLDS_N_M,
  type ContactSensitivity,
} from '../../physics/dynamics/contact-sensitivity.ts';
import { PLANT_STEP_S } from '../../physics/dynamics/plant-step.ts';
import type { ContactReport } from '../arm-driver.ts';

export interface ContactState {
  readonly contact: ContactReport | null;
  readonly leaning_n_m: readonly number[];
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

  /** Clears the contact; the present residuals become the new zero. */
  acknowledge(residual: Float64Array): void {
    this.latchedContact = null;
    for (let j = 0; j < 6; j++) this.acknowledged_n_m[j] = Math.abs(residual[j]!);
  }

  /** Clears the contact and the acknowledged residuals. */
  reset(): void {
    this.latchedContact = null;
    this.acknowledged_n_m.fill(0);
  }

  save(): ContactState {
    return { contact: this.latchedContact, leaning_n_m: Array.from(this.acknowledged_n_m) };
  }

  restore(memory: ContactState): void {
    this.latchedContact = memory.contact;
    this.acknowledged_n_m.set(memory.leaning_n_m);
  }
}
