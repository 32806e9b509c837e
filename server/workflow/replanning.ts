/**
 * When a run plans anew and tells of it: after drift that matters or because somebody asks, at most
 * once a tick, and never of a plan that is the one before (facts: which hook fires, NewPlan). A
 * plan is made over several ticks, so much work in each, while the run goes on by the one before:
 * when the new one is there depends on no machine and no pace.
 */
import type { Timers } from '../clock/timers.ts';
import type { TwinTime } from '../clock/twin-time.ts';
import type { Cancel, WallClock } from '../clock/wall-clock.ts';
import { patiently } from './patient-planning.ts';
import type { PlannedMove, PlannedTask } from './plan/problem.ts';
import type { RunLog } from './run-log.ts';
import type { RunPlan } from './run-plan.ts';

export interface ReplanningParts {
  readonly plan: RunPlan;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly wall: WallClock;
  readonly log: RunLog;
  /** Seconds since the run's beginning. */
  readonly now_s: () => number;
}

/** Tasks and moves that a tick may look at: a tenth of a millisecond once the code is warm. */
const WORK_PER_TICK = 96;

export class Replanning {
  /** True when something has happened that neither the plan nor the one in the making foresees. */
  isDue = false;
  private told_tick = -1;
  /** How much was done for a plan at which tick. */
  private work_tick = -1;
  private work = 0;
  /** True when somebody is to hear of the next plan even if it is the one before. */
  private isAwaited = false;
  private telling: Cancel = () => {};
  private readonly parts: ReplanningParts;

  constructor(parts: ReplanningParts) {
    this.parts = parts;
  }

  /** True while there is work to do at the next tick. */
  get isOn(): boolean {
    return this.isDue || this.parts.plan.isMaking;
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
  private get isToldNow(): boolean {
    return this.told_tick === this.parts.time.tick;
  }

  /** Notes when an operation begins or ends; what is far from its planned time asks for a plan. */
  note(one: PlannedMove | PlannedTask, actual_s: number, planned_s: number): void {
    const { plan } = this.parts;
    const isDrift = plan.isDrift(planned_s, actual_s, one.end_s - one.start_s);
    if (isDrift || plan.isMaking) this.isDue = true;
  }

  /** Does this tick's work for a new plan, if one is due; true when the run has got another. */
  advance(): boolean {
    const { plan, time } = this.parts;
    if (this.work_tick !== time.tick) this.work = 0;
    this.work_tick = time.tick;
    if (!this.isToldNow) this.beginIfDue();
    while (plan.isMaking && this.work < WORK_PER_TICK) if (this.step()) return true;
    return false;
  }

  private beginIfDue(): void {
    if (this.isDue) this.parts.plan.begin(this.parts.now_s());
    this.isDue = false;
  }

  private step(): boolean {
    const { plan } = this.parts;
    const { work, isNew } = plan.make();
    this.work += work;
    if (plan.isMaking) return false;
    if (isNew || (this.isAwaited && !this.isToldNow)) this.tell();
    this.isAwaited = false;
    return isNew;
  }

  /** Plans anew because somebody asks and waits; `isTold` tells of the plan in any case. */
  async renew({ isTold }: { readonly isTold: boolean }): Promise<void> {
    const { plan, wall } = this.parts;
    this.isDue = true;
    if (isTold) this.isAwaited = true;
    await patiently(wall, () => {
      this.beginIfDue();
      if (plan.isMaking) this.step();
      return plan.isMaking || this.isDue ? null : true;
    });
  }

  /** No plan is made and nothing is told any more. */
  stop(): void {
    this.isDue = false;
    this.parts.plan.drop();
    this.telling();
  }
}
