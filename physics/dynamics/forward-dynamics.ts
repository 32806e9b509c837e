/**
 * Forward dynamics of the arm: joint accelerations from torques and, at one state, joint-space
 * inertia, bias, momentum and beta in one pass over shared terms, for one payload. Of rigid
 * bodies.
 */

import type { Numbers } from '../math/vector.ts';
import { armKernels, type Kernels, STATE_SIZE, TRIANGLE_SIZE, writeSinCos } from './arm-kernels.ts';
import { INERTIA_SIZE } from './inertia.ts';
import { writeLastLinkInertia } from './link-inertia.ts';
import { ballLoad, type Load } from './load.ts';

export class ForwardDynamics {
  private readonly kernels: Kernels;
  /** Sine and cosine of each joint, alternating, at the last `update`. */
  readonly sinCos = new Float64Array(12);
  /** Ten numbers of link 6 with its payload (inertia.ts). */
  readonly lastLink = new Float64Array(INERTIA_SIZE);
  private readonly values = new Float64Array(STATE_SIZE);
  private readonly right = new Float64Array(6);

  /** Joint-space inertia (kg m²), lower triangle by rows, at the last `update`. */
  readonly inertia = this.values.subarray(0, TRIANGLE_SIZE);
  /** Torques (N m) at no acceleration: gravity, centrifugal, Coriolis. */
  readonly bias = this.values.subarray(TRIANGLE_SIZE, TRIANGLE_SIZE + 6);
  /** Generalised momentum (N m s) of each joint. */
  readonly momentum = this.values.subarray(TRIANGLE_SIZE + 6, TRIANGLE_SIZE + 12);
  /** Rate of momentum beside the joint torques (N m): slope of the kinetic energy minus gravity. */
  readonly beta = this.values.subarray(TRIANGLE_SIZE + 12, STATE_SIZE);

  constructor(payload_kg = 0, kernels: Kernels = armKernels()) {
    this.kernels = kernels;
    this.setPayload(payload_kg);
  }

  /** Payload at the flange (kg), as a ball; effective at the next `update`. */
  setPayload(payload_kg: number): void {
    this.setLoad(ballLoad(payload_kg));
  }

  /** Load at the flange; effective at the next `update`. */
  setLoad(load: Load): void {
    writeLastLinkInertia(load, this.lastLink);
  }

  /** Evaluates the dynamics at angles (rad) and rates (rad/s). No allocation. */
  update(q: Numbers, rates: Float64Array): void {
    writeSinCos(q, this.sinCos);
    this.kernels.state(this.sinCos, rates, this.lastLink, this.values);
  }

  /** Writes the gravity compensation torques (N m) at the last `update`. */
  gravity(out: Float64Array): void {
    this.kernels.gravity(this.sinCos, this.lastLink, out);
  }

  /** Writes the torques (N m) that produce `acceleration` (rad/s²) at the last `update`. */
  torque(acceleration: Float64Array, out: Float64Array): void {
    const h = this.inertia;
    for (let i = 0; i < 6; i++) {
      let sum = this.bias[i]!;
      const row = (i * (i + 1)) / 2;
      for (let j = 0; j <= i; j++) sum += h[row + j]! * acceleration[j]!;
      for (let j = i + 1; j < 6; j++) sum += h[(j * (j + 1)) / 2 + i]! * acceleration[j]!;
      out[i] = sum;
    }
  }

  /** Writes the accelerations (rad/s²) that `torque` (N m) produces at the last `update`. */
  acceleration(torque: Float64Array, out: Float64Array): void {
    for (let j = 0; j < 6; j++) this.right[j] = torque[j]! - this.bias[j]!;
    this.kernels.solve(this.inertia, this.right, out);
  }
}
