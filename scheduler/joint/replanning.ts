/** Decides when the runs on a workcell need a new plan, and has it computed beside the ticks. */

import { runCooperatively } from '../../server/clock/turns.ts';
import { TICKS_PER_S, type TwinTime } from '../../server/clock/twin-time.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import type { PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import type { RunPlan } from '../run/run-plan.ts';
import type { JointPlan } from './joint-plan.ts';
import type { JointResult } from './joint-problem.ts';
import type { Member } from './member.ts';

interface ReplanningParts {
  readonly joint: JointPlan;
  readonly members: readonly Member[];
  readonly time: TwinTime;
  readonly wall: WallClock;
}

/** Candidate tasks and moves that a plan may take for each tick: less than 1 ms of warm code. */
export const WORK_PER_TICK = 750;
/** A new plan begins no sooner after the last one was adopted, unless an operator asks for it. */
const INTERVAL_TICKS = TICKS_PER_S;

/**
 * Replans after what no plan accounts for, or on request, while the runs follow their previous
 * plans. A plan is adopted at the tick at which a fixed amount of work for each tick since its begin
 * would have made it. So that tick depends neither on the machine nor on the clock pace; the work
 * itself is done between ticks where there is time, and else in them.
 */
export class Replanning {
  /** True if something has happened that no plan accounts for. */
  isDue = false;
  /** What has happened, in words. */
  private readonly reasons = new Set<string>();
  private earliest_tick = 0;
  private begun_tick = 0;
  /** Work done for the plan that is made, and the plan once it is made. */
  private work = 0;
  private found: JointResult | null = null;
  /** Number of plans that were begun. */
  private begun = 0;
  /** The paused run whose operator asked for the plan; null for none. */
  private asking: Member | null = null;
  private readonly parts: ReplanningParts;

  constructor(parts: ReplanningParts) {
    this.parts = parts;
  }

  private get isPlanning(): boolean {
    return this.found !== null || this.parts.joint.isPlanning;
  }

  /** True while there is work to do at a later tick. */
  get isActive(): boolean {
    return this.isDue || this.isPlanning;
  }

  /** The next tick with work to do, if there is any. */
  get next_tick(): number {
    const next_tick = this.parts.time.tick + 1;
    return this.isPlanning ? next_tick : Math.max(next_tick, this.earliest_tick);
  }

  /** Makes a new plan due for a reason. */
  request(reason: string): void {
    this.isDue = true;
    this.reasons.add(reason);
  }

  /** Compares a start or end of a run with its planned time; drift makes a new plan due. */
  recordTiming(
    one: PlannedLabwareMove | PlannedTask,
    { plan, actual_s, planned_s }: { plan: RunPlan; actual_s: number; planned_s: number },
  ): void {
    const isDrift = plan.isDrift(planned_s, actual_s, one.end_s - one.start_s);
    if (isDrift || this.isPlanning) this.isDue = true;
  }

  /** Begins or adopts a plan, if it is time; returns true if a run has a new plan. */
  advance(): boolean {
    const { time, members } = this.parts;
    const mayBegin = this.isPlanning || time.tick >= this.earliest_tick;
    if (mayBegin && !members.some(({ publisher }) => publisher.isPublishedNow)) {
      this.startIfDue(null);
    }
    if (!this.isPlanning) return false;
    const most = (time.tick - this.begun_tick + 1) * WORK_PER_TICK;
    while (this.found === null && this.work < most) this.step();
    return this.found !== null && this.work <= most && this.adoptFound(this.found);
  }

  private startIfDue(asking: Member | null): void {
    if (!this.isDue) return;
    const { joint, time, wall } = this.parts;
    this.isDue = false;
    this.asking = asking;
    // A tick has work for one plan: one that is begun anew waits for the next.
    this.begun_tick = this.isPlanning ? time.tick + 1 : time.tick;
    [this.work, this.found] = [0, null];
    joint.startPlanning(time.tick, asking);
    const own = ++this.begun;
    void runCooperatively(wall, () => {
      if (own !== this.begun || !joint.isPlanning) return true;
      this.step();
      return null;
    });
  }

  private step(): void {
    const { work, found } = this.parts.joint.step();
    this.work += work;
    this.found = found;
  }

  private adoptFound(found: JointResult): boolean {
    this.found = null;
    this.earliest_tick = this.parts.time.tick + INTERVAL_TICKS;
    return this.adopt(found, this.asking);
  }

  /** Gives the runs their plans, in the order of the members; returns whether one is new. */
  adopt({ faults, plans }: JointResult, asking: Member | null): boolean {
    let hasNew = false;
    const reason = [...this.reasons].join('; ');
    this.reasons.clear();
    this.parts.members.forEach((member, i) => {
      if (!member.isActive && member !== asking) return;
      member.plan.faults = faults;
      const plan = plans[i];
      if (!plan) return;
      const isNew = member.plan.adopt(plan);
      member.isProvisional = false;
      member.publisher.settle(isNew, reason);
      hasNew ||= isNew;
    });
    return hasNew;
  }

  /** Replans on request of a run; `alwaysPublish` publishes its plan even if it is unchanged. */
  async replanNow(
    asking: Member,
    { alwaysPublish }: { readonly alwaysPublish: boolean },
  ): Promise<void> {
    const { joint, wall, members, time } = this.parts;
    if (alwaysPublish) asking.publisher.mustPublish = true;
    if (!asking.isActive && members.some(({ isActive }) => isActive)) {
      // The other runs do not wait for a paused one.
      const found = await joint.planFor(
        { run: asking, progress: asking.progress },
        time.tick,
        wall,
      );
      asking.plan.faults = found.ok ? [] : found.error.messages;
      if (found.ok) asking.publisher.settle(asking.plan.adopt(found.value));
      return;
    }
    this.isDue = true;
    await runCooperatively(wall, () => {
      this.startIfDue(asking);
      if (joint.isPlanning) this.step();
      if (this.found !== null) this.adoptFound(this.found);
      return this.isActive ? null : true;
    });
  }

  /** Gives up the plan that is being made. */
  cancel(): void {
    this.begun += 1;
    this.found = null;
    this.parts.joint.cancelPlanning();
  }

  /** Stops planning. */
  stop(): void {
    this.isDue = false;
    this.cancel();
  }
}
