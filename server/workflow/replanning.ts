/**
 * When a run plans anew and tells of it: after drift that matters or because somebody asks, at most
 * once a tick, and never of a plan that is the one before (facts: which hook fires, NewPlan).
 */
import type { Timers } from '../clock/timers.ts';
import type { TwinTime } from '../clock/twin-time.ts';
import type { Cancel } from '../clock/wall-clock.ts';
import type { PlannedMove, PlannedTask } from './plan/problem.ts';
import type { RunLog } from './run-log.ts';
import type { RunPlan } from './run-plan.ts';

export interface ReplanningParts {
  readonly plan: RunPlan;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly log: RunLog;
  /** Seconds since the run's beginning. */
  readonly now_s: () => number;
}

export class Replanning {
  /** True when something has happened that the plan did not foresee. */
  isDue = false;
  private told_tick = -1;
  private telling: Cancel = () => {};
  private readonly parts: ReplanningParts;

  constructor(parts: ReplanningParts) {
    this.parts = parts;
  }

  /** Tells of the plan: now, or at the next tick where this one has had its plan. */
  tell(): void {
    const { plan, time, timers, log, now_s } = this.parts;
    this.telling();
    if (this.isToldNow) this.telling = timers.at(time.tick + 1, () => this.tell());
    else {
      this.told_tick = time.tick;
      log.plan({ remaining_worktime: plan.remaining_s(now_s()) });
    }
  }

  /** True when a plan was told at this tick. */
  get isToldNow(): boolean {
    return this.told_tick === this.parts.time.tick;
  }

  /** Notes when an operation begins or ends; what is far from its planned time asks for a plan. */
  note(one: PlannedMove | PlannedTask, actual_s: number, planned_s: number): void {
    const { plan } = this.parts;
    if (plan.isDrift(planned_s, actual_s, one.end_s - one.start_s)) this.isDue = true;
  }

  /** Plans anew and tells of it if it differs; answers whether it does. */
  renew(): boolean {
    this.isDue = false;
    const changed = this.parts.plan.renew(this.parts.now_s());
    if (changed) this.tell();
    return changed;
  }

  /** Plans anew if that is due; a second plan in a tick waits for the next one. */
  renewIfDue(): boolean {
    return this.isDue && !this.isToldNow && this.renew();
  }

  /** Plans anew for a run that goes on after a pause, and tells of it in any case. */
  renewForResume(): void {
    if (!this.renew() && !this.isToldNow) this.tell();
  }

  /** Nothing is told any more. */
  stop(): void {
    this.telling();
  }
}
