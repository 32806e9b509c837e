/**
 * Generalised-momentum observer for contact detection: compares the joints' momentum with the
 * momentum that the motor torques should have produced; the residual is the external torque. Runs
 * in every plant step. Needs no force sensor and no knowledge of the environment (D30).
 */
import { DETECTION, JOINT_COUNT } from '../arm/arm-model.ts';
import { Layout } from '../math/layout.ts';
import { PLANT_STEP_S } from './plant-step.ts';

const GAIN = DETECTION.observer_gain_per_s;

/** Numbers of an observer's state. */
export const OBSERVER = new Layout({
  integral: JOINT_COUNT,
  residual: JOINT_COUNT,
  lastBeta: JOINT_COUNT,
  drive: JOINT_COUNT,
});

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

  /** Uses `memory`, of the layout OBSERVER, for its whole state. */
  constructor(memory: Float64Array) {
    const { integral, residual, lastBeta, drive } = OBSERVER.views(memory);
    this.integral = integral;
    this.residual = residual;
    this.lastBeta = lastBeta;
    this.drive = drive;
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
