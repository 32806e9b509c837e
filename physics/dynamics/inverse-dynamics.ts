/** Inverse dynamics of the arm: joint torques from a motion, of rigid bodies, for one payload. */

import type { Numbers } from '../math/vector.ts';
import { armKernels, type Kernels, writeSinCos } from './arm-kernels.ts';
import { INERTIA_SIZE } from './inertia.ts';
import { writeLastLinkInertia } from './link-inertia.ts';
import { ballLoad } from './load.ts';

export class InverseDynamics {
  private readonly kernels: Kernels;
  private readonly sinCos = new Float64Array(12);
  /** Ten numbers of link 6 with its payload (inertia.ts). */
  readonly lastLink = new Float64Array(INERTIA_SIZE);

  constructor(payload_kg = 0, kernels: Kernels = armKernels()) {
    this.kernels = kernels;
    this.setPayload(payload_kg);
  }

  /** Payload at the flange (kg), as a ball. */
  setPayload(payload_kg: number): void {
    writeLastLinkInertia(ballLoad(payload_kg), this.lastLink);
  }

  /**
   * Writes the torques (N m) for joint angles `q` (rad), rates (rad/s) and accelerations (rad/s²),
   * including gravity and armature, without friction. No allocation.
   */
  torque(q: Numbers, motion: JointMotion, out: Float64Array): void {
    writeSinCos(q, this.sinCos);
    this.kernels.inverse(this.sinCos, motion.rates, motion.accelerations, this.lastLink, out);
  }

  /** Writes the gravity compensation torques (N m) at `q`. No allocation. */
  gravity(q: Numbers, out: Float64Array): void {
    writeSinCos(q, this.sinCos);
    this.kernels.gravity(this.sinCos, this.lastLink, out);
  }
}

/** Joint rates (rad/s) and accelerations (rad/s²). */
export interface JointMotion {
  readonly rates: Float64Array;
  readonly accelerations: Float64Array;
}
