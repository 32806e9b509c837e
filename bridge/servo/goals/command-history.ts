/**
 * The commands that were active between two samples of the servos, with their durations by the
 * clock of the servos. A model that runs the same commands is comparable at the time of a sample,
 * however late this machine sent or read.
 */
import type { JointUnits } from '../calibration/joint-units.ts';
import type { CommandInterval } from '../joint-bus.ts';

/** A longer silence restarts the history (ms). */
const FORGET_MS = 1000;
/** More commands without a sample restart the history too. */
const COMMANDS_MAX = 128;

export class CommandHistory {
  private readonly units: readonly JointUnits[];
  private readonly onIntervals: (intervals: readonly CommandInterval[]) => void;
  private sent: { readonly goal_rad: Float64Array; readonly at_ms: number }[] = [];
  private taken_ms = Number.NaN;

  /** Calls `onIntervals` at each sample of all joints; with no interval after a restart. */
  constructor(
    units: readonly JointUnits[],
    onIntervals: (intervals: readonly CommandInterval[]) => void,
  ) {
    this.units = units;
    this.onIntervals = onIntervals;
  }

  /** Restarts the history at the next sample. */
  reset(): void {
    this.sent = [];
    this.taken_ms = Number.NaN;
  }

  /** Adds goals (rad) sent at `at_ms` (clock of the driver) together with a sample request. */
  addCommand(goal_rad: Float64Array, at_ms: number): void {
    if (this.sent.length === COMMANDS_MAX) this.reset();
    const rounded = goal_rad.map((angle, j) => {
      const units = this.units[j]!;
      return units.toAngle(units.toTicks(angle));
    });
    this.sent.push({ goal_rad: rounded, at_ms });
  }

  /** Adds the sample of the last request, taken at this time of the servo clock (ms). */
  addSample(servo_ms: number): void {
    const passed_ms = servo_ms - this.taken_ms;
    const follows = passed_ms >= 0 && passed_ms < FORGET_MS;
    const intervals = follows ? this.intervals(passed_ms) : [];
    this.taken_ms = servo_ms;
    this.sent = this.sent.slice(-1);
    this.onIntervals(intervals);
  }

  /** Goals take effect with the request; send times divide the time between unanswered requests. */
  private intervals(passed_ms: number): CommandInterval[] {
    const start_ms = this.sent[0]!.at_ms;
    const scale = passed_ms / (this.sent.at(-1)!.at_ms - start_ms || 1);
    const since = (at_ms: number) => Math.round((at_ms - start_ms) * scale);
    return this.sent.slice(0, -1).map(({ goal_rad, at_ms }, i) => ({
      goal_rad,
      duration_ms: since(this.sent[i + 1]!.at_ms) - since(at_ms),
    }));
  }
}
