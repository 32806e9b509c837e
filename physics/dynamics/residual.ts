/**
 * Tells from inside that the arm touches something: the momentum observer compares the momentum of
 * the joints with what the motors should have made of it, and what is left over is the torque from
 * outside. Runs at plant rate. Needs neither a force sensor nor the world (decision D30).
 */
import { DETECTION } from '../arm/arm-model.ts';
import { STEP_S } from './servo.ts';

const GAIN = DETECTION.observer_gain_per_s;
const THRESHOLDS = Float64Array.from(DETECTION.threshold_n_m);

/** Numbers of an observer's memory: integral, residual, beta and drive torque of the last step. */
export const OBSERVER_SIZE = 24;

/** What one step gives to the observer; arrays of six. */
export interface ObservedStep {
  /** Momentum (N m s) and beta (N m) at the present state. */
  readonly momentum: Float64Array;
  readonly beta: Float64Array;
}

export class MomentumObserver {
  private readonly integral: Float64Array;
  private readonly lastBeta: Float64Array;
  /** Torque (N m) of the step that led here, friction taken off; the caller writes it each step. */
  readonly drive: Float64Array;
  /** External torque at each joint (N m), first-order filtered with 1 / gain. */
  readonly residual: Float64Array;

  /** Works in OBSERVER_SIZE numbers of `memory` from `at`: the whole state lies there. */
  constructor(memory: Float64Array, at: number) {
    this.integral = memory.subarray(at, at + 6);
    this.residual = memory.subarray(at + 6, at + 12);
    this.lastBeta = memory.subarray(at + 12, at + 18);
    this.drive = memory.subarray(at + 18, at + 24);
  }

  /** Starts anew at a state, with nothing pushing. */
  reset(step: ObservedStep): void {
    this.residual.fill(0);
    this.integral.set(step.momentum);
    this.lastBeta.set(step.beta);
    for (let j = 0; j < 6; j++) this.drive[j] = -step.beta[j]!;
  }

  /** The masses are about to change: forgets what they have to do with the past. */
  leave(step: ObservedStep): void {
    for (let j = 0; j < 6; j++) this.integral[j]! -= step.momentum[j]!;
  }

  /** The masses have changed, with angles and rates as they were. */
  enter(step: ObservedStep): void {
    for (let j = 0; j < 6; j++) this.integral[j]! += step.momentum[j]!;
    this.lastBeta.set(step.beta);
  }

  /** Takes the state that the drive torques have led to. No allocation. */
  update(step: ObservedStep): void {
    for (let j = 0; j < 6; j++) {
      const beta = step.beta[j]!;
      const rate = this.drive[j]! + 0.5 * (beta + this.lastBeta[j]!) + this.residual[j]!;
      this.integral[j]! += rate * STEP_S;
      this.residual[j] = GAIN * (step.momentum[j]! - this.integral[j]!);
      this.lastBeta[j] = beta;
    }
  }
}

export type Sensitivity = keyof typeof DETECTION.sensitivity;

function thresholdsAt(sensitivity: Sensitivity): Float64Array {
  return THRESHOLDS.map((threshold) => DETECTION.sensitivity[sensitivity] * threshold);
}

/** Largest residual (N m) of each joint that is no touch, by sensitivity. */
export const TOUCH_N_M: Readonly<Record<Sensitivity, Float64Array>> = {
  low: thresholdsAt('low'),
  medium: thresholdsAt('medium'),
  high: thresholdsAt('high'),
};
