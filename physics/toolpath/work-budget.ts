/**
 * The work of a build in units instead of seconds, so that the same toolpath ends the same way on
 * any machine (D16: over the budget, a hard error).
 */

/** Message of a build that exceeds its budget. */
export const OVER_BUDGET = 'exceeds the planning budget of one toolpath; split the toolpath';

/** Work units per operation; a unit is about a microsecond of planning on a small machine. */
export const WORK_COSTS = {
  node: 100,
  joint_space: 60,
  linear: 2_500,
  spline: 12_000,
  setpoint: 2,
} as const;

/** About a minute of planning: far more than any hand-taught toolpath needs. */
export const DEFAULT_WORK_BUDGET = 60_000_000;

export class WorkBudget {
  private left: number;

  constructor(units: number) {
    this.left = units;
  }

  /** Subtracts `units`; false once the budget is exceeded, permanently. */
  spend(units: number): boolean {
    this.left -= units;
    return this.left >= 0;
  }
}
