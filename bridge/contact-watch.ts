/**
 * Says when the residual of the joints means a touch, and remembers the first one until it is
 * acknowledged. A touch that lasts beyond that is the new zero: the arm can be driven off what it
 * leans on, and a push deeper into it counts again (decision D30).
 */
import { type Sensitivity, TOUCH_N_M } from '../physics/dynamics/residual.ts';
import { STEP_S } from '../physics/dynamics/servo.ts';
import type { ContactReport } from './arm-driver.ts';

export interface ContactMemory {
  readonly contact: ContactReport | null;
  readonly leaning_n_m: readonly number[];
}

export class ContactWatch {
  private latched: ContactReport | null = null;
  /** Residuals that were acknowledged and have not gone since (N m). */
  private readonly leaning = new Float64Array(6);

  /** First touch since the last acknowledgement, or null. */
  get contact(): ContactReport | null {
    return this.latched;
  }

  /** Looks at the residuals (N m) of plant step number `step`. Allocates at a touch only. */
  look(residual: Float64Array, sensitivity: Sensitivity | null, step: number): void {
    const thresholds = sensitivity && TOUCH_N_M[sensitivity];
    for (let j = 0; j < 6; j++) {
      const size = Math.abs(residual[j]!);
      const leaning = this.leaning[j]!;
      if (size < leaning) this.leaning[j] = size;
      if (this.latched || !thresholds || size <= leaning + thresholds[j]!) continue;
      this.latched = { joint: j, at_s: step * STEP_S };
    }
  }

  /** Forgets the touch; what presses now is taken as known. */
  acknowledge(residual: Float64Array): void {
    this.latched = null;
    for (let j = 0; j < 6; j++) this.leaning[j] = Math.abs(residual[j]!);
  }

  /** Starts anew with nothing touched. */
  reset(): void {
    this.latched = null;
    this.leaning.fill(0);
  }

  save(): ContactMemory {
    return { contact: this.latched, leaning_n_m: Array.from(this.leaning) };
  }

  load(memory: ContactMemory): void {
    this.latched = memory.contact;
    this.leaning.set(memory.leaning_n_m);
  }
}
