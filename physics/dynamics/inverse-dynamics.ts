/**
 * Joint torques that a motion takes, for one payload. Holds the scratch space that the generated
 * kernels need; it stands apart so that users of one direction do not carry the other.
 */
import type { Numbers } from '../math/vector.ts';
import { INERTIA_SIZE, writeLastLink } from './inertia.ts';
import { armKernels, type Kernels, writeTurns } from './kernels.ts';

export class InverseDynamics {
  private readonly kernels: Kernels;
  private readonly turns = new Float64Array(12);
  /** Ten numbers of link 6 with its payload (inertia.ts). */
  readonly last = new Float64Array(INERTIA_SIZE);

  constructor(payload_kg = 0, kernels: Kernels = armKernels()) {
    this.kernels = kernels;
    this.setPayload(payload_kg);
  }

  /** Payload at the flange (kg) from now on. */
  setPayload(payload_kg: number): void {
    writeLastLink(payload_kg, this.last);
  }

  /**
   * Writes the torques (N m) for joint angles `q` (rad), rates (rad/s) and accelerations (rad/s²),
   * gravity and rotor inertia included, friction not. No allocation.
   */
  torque(q: Numbers, motion: Rates, out: Float64Array): void {
    writeTurns(q, this.turns);
    this.kernels.inverse(this.turns, motion.rates, motion.accelerations, this.last, out);
  }

  /** Writes the torques (N m) that hold the arm still at `q`. No allocation. */
  gravity(q: Numbers, out: Float64Array): void {
    writeTurns(q, this.turns);
    this.kernels.gravity(this.turns, this.last, out);
  }
}

/** Joint rates (rad/s) and accelerations (rad/s²). */
export interface Rates {
  readonly rates: Float64Array;
  readonly accelerations: Float64Array;
}
