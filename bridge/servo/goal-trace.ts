/**
 * What servos were told and for how long, from sample to sample by their own clock. A model that is
 * told the same is compared with them at the moment of a sample, however late this machine was to
 * send, to ask or to read. It stands apart from the cycle, which goes on without it.
 */
import type { JointUnits } from './joint-units.ts';

/** Goals (rad), as the servos' steps have them, and how long they held. */
export interface Stretch {
  readonly goal_rad: Float64Array;
  readonly duration_ms: number;
}

/** After a silence this long a new trace begins (ms). */
const FORGET_MS = 1000;
/** So many goals without a sample say as much. */
const GOALS_MAX = 128;

export class GoalTrace {
  private readonly units: readonly JointUnits[];
  private readonly tell: (told: readonly Stretch[]) => void;
  private sent: { readonly goal_rad: Float64Array; readonly at_ms: number }[] = [];
  private taken_ms = Number.NaN;

  /** `tell` is called at each sample of all joints; with nothing when a new trace begins. */
  constructor(units: readonly JointUnits[], tell: (told: readonly Stretch[]) => void) {
    this.units = units;
    this.tell = tell;
  }

  /** The next sample is the first. */
  begin(): void {
    this.sent = [];
    this.taken_ms = Number.NaN;
  }

  /** Goals (rad) went out, by the driver's clock, and the question for a sample behind them. */
  send(goal_rad: Float64Array, at_ms: number): void {
    if (this.sent.length === GOALS_MAX) this.begin();
    const rounded = goal_rad.map((angle, j) => {
      const units = this.units[j]!;
      return units.toAngle(units.toTicks(angle));
    });
    this.sent.push({ goal_rad: rounded, at_ms });
  }

  /** The sample asked for last was taken at this count of the servos' milliseconds. */
  take(servo_ms: number): void {
    const passed_ms = servo_ms - this.taken_ms;
    const follows = passed_ms >= 0 && passed_ms < FORGET_MS;
    const told = follows ? this.stretches(passed_ms) : [];
    this.taken_ms = servo_ms;
    this.sent = this.sent.slice(-1);
    this.tell(told);
  }

  /** Servos hear goals when they hear the question; of those unanswered it is known when sent. */
  private stretches(passed_ms: number): Stretch[] {
    const start_ms = this.sent[0]!.at_ms;
    const scale = passed_ms / (this.sent.at(-1)!.at_ms - start_ms || 1);
    const since = (at_ms: number) => Math.round((at_ms - start_ms) * scale);
    return this.sent.slice(0, -1).map(({ goal_rad, at_ms }, i) => ({
      goal_rad,
      duration_ms: since(this.sent[i + 1]!.at_ms) - since(at_ms),
    }));
  }
}
