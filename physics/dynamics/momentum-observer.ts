/**
 * Generalised-momentum observer for contact detection: compares the joints' momentum with the
 * momentum that the motor torques should have produced; the residual is the external torque. Runs
 * in every plant step. Needs no force sensor and no knowledge of the environment (D30).
 */
import { DETECTION } from '../arm/arm-model.ts';
import { PLANT_STEP_S } from './plant-step.ts';

const GAIN = DETECTION.observer_gain_per_s;

/** Size of an observer's state: integral, residual, last beta and drive torque. */
export const OBSERVER_SIZE = 24;

/** Input of one observer step; arrays of six. */
export interface ObserverInput {
  /** Momentum (N m s) and beta (N m) at the present state. */
  readonly momentum: Float64Array;
  readonly beta: Float64Array;
}

export class MomentumObserver {
  private readonly integral: Float64Array;
  private readonly lastBeta: Float64Array;
  /** Drive torque (N m) of the last step minus friction; the caller writes it in every step. */
  readonly drive: Float64Array;
  /**
   * Estimated external torque at each joint (N m), first-order filtered with time constant 1 /
   * gain.
   */
  readonly residual: Float64Array;

  /** Uses OBSERVER_SIZE numbers of `memory` from `at` for its whole state. */
  constructor(memory: Float64Array, at: number) {
    this.integral = memory.subarray(at, at + 6);
    this.residual = memory.subarray(at + 6, at + 12);
    this.lastBeta = memory.subarray(at + 12, at + 18);
    this.drive = memory.subarray(at + 18, at + 24);
  }

  /** Resets the observer to a state without external torque. */
  reset(step: ObserverInput): void {
    this.residual.fill(0);
    this.integral.set(step.momentum);
    this.lastBeta.set(step.beta);
    for (let j = 0; j < 6; j++) this.drive[j] = -step.beta[j]!;
  }

  /** Removes the momentum of the old masses; call before the masses change. */
  beforeModelChange(step: ObserverInput): void {
    for (let j = 0; j < 6; j++) this.integral[j]! -= step.momentum[j]!;
  }

  /**
   * Adds the momentum of the new masses at unchanged angles and rates; call after the masses
   * change.
   */
  afterModelChange(step: ObserverInput): void {
    for (let j = 0; j < 6; j++) this.integral[j]! += step.momentum[j]!;
    this.lastBeta.set(step.beta);
  }

  /** Processes the state that the drive torques have led to. No allocation. */
  update(step: ObserverInput): void {
    for (let j = 0; j < 6; j++) {
      const beta = step.beta[j]!;
      const rate = this.drive[j]! + 0.5 * (beta + this.lastBeta[j]!) + this.residual[j]!;
      this.integral[j]! += rate * PLANT_STEP_S;
      this.residual[j] = GAIN * (step.momentum[j]! - this.integral[j]!);
      this.lastBeta[j] = beta;
    }
  }
}
