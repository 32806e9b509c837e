/**
 * How much work a build may do, counted in units and not in seconds, so that the same toolpath
 * ends the same way on a fast machine and on a slow one (decision D16: beyond it, a hard error).
 */

/** What a build says when it stops for want of budget. */
export const TOO_MUCH_WORK = 'takes more planning than one toolpath is allowed';

/** A unit is about a microsecond of planning on a small machine. */
export const COSTS = {
  node: 100,
  joint_space: 60,
  linear: 2_500,
  spline: 12_000,
  setpoint: 2,
} as const;

/** A minute of planning: far beyond any toolpath that a person teaches. */
export const DEFAULT_BUDGET = 60_000_000;

export class Budget {
  private left: number;

  constructor(units: number) {
    this.left = units;
  }

  /** Takes `units` off; false once nothing is left, for good. */
  spend(units: number): boolean {
    this.left -= units;
    return this.left >= 0;
  }
}
