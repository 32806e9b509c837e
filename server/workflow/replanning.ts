/** Decides when a run needs a new plan, has it computed tick by tick, and publishes it. */
import type { Timers } from '../clock/timers.ts';
import type { TwinTime } from '../clock/twin-time.ts';
import type { Cancel, WallClock } from '../clock/wall-clock.ts';
import type { PlannedLabwareMove, PlannedTask } from './plan/problem.ts';
import type { RunLog } from './run-log.ts';
import type { RunPlan } from './run-plan.ts';
import { runCooperatively } from './workflow-planning.ts';

export interface ReplanningParts {
  readonly plan: RunPlan;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly wall: WallClock;
  readonly log: RunLog;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
}

/** Candidate tasks and moves per tick: about 0.1 ms of warm code. */
const WORK_PER_TICK = 96;

/**
 * Replans after significant drift or on request and publishes NewPlan events: at most one per tick,
 * and only for plans that differ (docs/decisions). Planning is spread over ticks with a fixed
 * amount of work per tick, while the run follows the previous plan, so the tick of a new plan
 * depends neither on the machine nor on the clock pace.
 */
export class Replanning {
  /** True if something has happened that no plan accounts for. */
  isDue = false;
  private published_tick = -1;
  /** Planning work of the tick `work_tick`. */
  private work_tick = -1;
  private work = 0;
  /** True if the next plan is published even if it is unchanged. */
  private mustPublish = false;
  private cancelPublish: Cancel = () => {};
  private readonly parts: ReplanningParts;

  constructor(parts: ReplanningParts) {
    this.parts = parts;
  }

  /** True while there is work to do at the next tick. */
  get isActive(): boolean {
    return this.isDue || this.parts.plan.isPlanning;
  }

  /** Publishes the plan now, or at the next tick if this one has had a NewPlan event. */
  publish(): void {
    const { plan, time, timers, log, now_s } = this.parts;
    this.cancelPublish();
    if (this.isPublishedNow) this.cancelPublish = timers.at(time.tick + 1, () => this.publish());
    else {
      this.published_tick = time.tick;
      log.plan({ remaining_worktime: plan.remaining_s(now_s()) });
    }
  }

  /** True if a plan was published at this tick. */
  private get isPublishedNow(): boolean {
    return this.published_tick === this.parts.time.tick;
  }

  /** Compares a start or end with its planned time; drift makes a new plan due. */
  recordTiming(one: PlannedLabwareMove | PlannedTask, actual_s: number, planned_s: number): void {
    const { plan } = this.parts;
    const isDrift = plan.isDrift(planned_s, actual_s, one.end_s - one.start_s);
    if (isDrift || plan.isPlanning) this.isDue = true;
  }

  /** Does this tick's planning work, if any; returns true if the run has a new plan. */
  advance(): boolean {
    const { plan, time } = this.parts;
    if (this.work_tick !== time.tick) this.work = 0;
    this.work_tick = time.tick;
    if (!this.isPublishedNow) this.startIfDue();
    while (plan.isPlanning && this.work < WORK_PER_TICK) if (this.step()) return true;
    return false;
  }

  private startIfDue(): void {
    if (this.isDue) this.parts.plan.startPlanning(this.parts.now_s());
    this.isDue = false;
  }

  private step(): boolean {
    const { plan } = this.parts;
    const { work, isNew } = plan.step();
    this.work += work;
    if (plan.isPlanning) return false;
    if (isNew || (this.mustPublish && !this.isPublishedNow)) this.publish();
    this.mustPublish = false;
    return isNew;
  }

  /** Replans on request; `alwaysPublish` publishes the plan even if it is unchanged. */
  async replanNow({ alwaysPublish }: { readonly alwaysPublish: boolean }): Promise<void> {
    const { plan, wall } = this.parts;
    this.isDue = true;
    if (alwaysPublish) this.mustPublish = true;
    await runCooperatively(wall, () => {
      this.startIfDue();
      if (plan.isPlanning) this.step();
      return plan.isPlanning || this.isDue ? null : true;
    });
  }

  /** Stops planning and publishing. */
  stop(): void {
    this.isDue = false;
    this.parts.plan.cancelPlanning();
    this.cancelPublish();
  }
}
