/**
 * Joint accelerations that torques cause, and everything else that one state of the arm gives:
 * joint-space inertia, bias, momentum and beta, in one pass over shared terms.
 */
import type { Numbers } from '../math/vector.ts';
import { INERTIA_SIZE, writeLastLink } from './inertia.ts';
import { armKernels, type Kernels, STATE_SIZE, TRIANGLE_SIZE, writeTurns } from './kernels.ts';

export class ForwardDynamics {
  private readonly kernels: Kernels;
  /** Sine and cosine of each joint, alternating, of the last `look`. */
  readonly turns = new Float64Array(12);
  /** Ten numbers of link 6 with its payload (inertia.ts). */
  readonly last = new Float64Array(INERTIA_SIZE);
  private readonly values = new Float64Array(STATE_SIZE);
  private readonly right = new Float64Array(6);

  /** Joint-space inertia (kg m²), lower triangle row by row, of the last `look`. */
  readonly inertia = this.values.subarray(0, TRIANGLE_SIZE);
  /** Torques (N m) at no acceleration: gravity, centrifugal, Coriolis. */
  readonly bias = this.values.subarray(TRIANGLE_SIZE, TRIANGLE_SIZE + 6);
  /** Generalised momentum (N m s) of each joint. */
  readonly momentum = this.values.subarray(TRIANGLE_SIZE + 6, TRIANGLE_SIZE + 12);
  /** What changes the momentum beside the joint torques (N m): slope of T minus gravity. */
  readonly beta = this.values.subarray(TRIANGLE_SIZE + 12, STATE_SIZE);

  constructor(payload_kg = 0, kernels: Kernels = armKernels()) {
    this.kernels = kernels;
    this.setPayload(payload_kg);
  }

  /** Payload at the flange (kg) from the next `look` on. */
  setPayload(payload_kg: number): void {
    writeLastLink(payload_kg, this.last);
  }

  /** Takes the state of the arm: angles (rad) and rates (rad/s). No allocation. */
  look(q: Numbers, rates: Float64Array): void {
    writeTurns(q, this.turns);
    this.kernels.state(this.turns, rates, this.last, this.values);
  }

  /** Writes the torques (N m) that hold the arm still where it was last looked at. */
  gravity(out: Float64Array): void {
    this.kernels.gravity(this.turns, this.last, out);
  }

  /** Writes the torques (N m) that give `acceleration` (rad/s²) at the state last looked at. */
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

  /** Writes the accelerations (rad/s²) that `torque` (N m) causes at that state. */
  acceleration(torque: Float64Array, out: Float64Array): void {
    for (let j = 0; j < 6; j++) this.right[j] = torque[j]! - this.bias[j]!;
    this.kernels.solve(this.inertia, this.right, out);
  }
}
