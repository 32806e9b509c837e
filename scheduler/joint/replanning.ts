/** Decides when the runs on a workcell need a new plan, and has it computed tick by tick. */

import { runCooperatively } from '../../server/clock/turns.ts';
import type { TwinTime } from '../../server/clock/twin-time.ts';
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

/** Candidate tasks and moves per tick: about 0.1 ms of warm code. */
export const WORK_PER_TICK = 96;

/**
 * Replans after significant drift or on request. Planning is spread over ticks with a fixed amount
 * of work per tick, while the runs follow their previous plans, so the tick of a new plan depends
 * neither on the machine nor on the clock pace.
 */
export class Replanning {
  /** True if something has happened that no plan accounts for. */
  isDue = false;
  /** Planning work of the tick `work_tick`. */
  private work_tick = -1;
  private work = 0;
  /** The paused run whose operator asked for the plan; null for none. */
  private asking: Member | null = null;
  private readonly parts: ReplanningParts;

  constructor(parts: ReplanningParts) {
    this.parts = parts;
  }

  /** True while there is work to do at the next tick. */
  get isActive(): boolean {
    return this.isDue || this.parts.joint.isPlanning;
  }

  /** Compares a start or end of a run with its planned time; drift makes a new plan due. */
  recordTiming(
    one: PlannedLabwareMove | PlannedTask,
    { plan, actual_s, planned_s }: { plan: RunPlan; actual_s: number; planned_s: number },
  ): void {
    const isDrift = plan.isDrift(planned_s, actual_s, one.end_s - one.start_s);
    if (isDrift || this.parts.joint.isPlanning) this.isDue = true;
  }

  /** Does this tick's planning work, if any; returns true if a run has a new plan. */
  advance(): boolean {
    const { joint, time, members } = this.parts;
    if (this.work_tick !== time.tick) this.work = 0;
    this.work_tick = time.tick;
    if (!members.some(({ publisher }) => publisher.isPublishedNow)) this.startIfDue(null);
    while (joint.isPlanning && this.work < WORK_PER_TICK) if (this.step()) return true;
    return false;
  }

  private startIfDue(asking: Member | null): void {
    if (this.isDue) {
      this.asking = asking;
      this.parts.joint.startPlanning(this.parts.time.tick, asking);
    }
    this.isDue = false;
  }

  private step(): boolean {
    const { work, found } = this.parts.joint.step();
    this.work += work;
    return found !== null && this.adopt(found, this.asking);
  }

  /** Gives the runs their plans, in the order of the members; returns whether one is new. */
  adopt({ faults, plans }: JointResult, asking: Member | null): boolean {
    let hasNew = false;
    this.parts.members.forEach((member, i) => {
      if (!member.isActive && member !== asking) return;
      member.plan.faults = faults;
      const plan = plans[i];
      if (!plan) return;
      const isNew = member.plan.adopt(plan);
      member.isProvisional = false;
      member.publisher.settle(isNew);
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
      return joint.isPlanning || this.isDue ? null : true;
    });
  }

  /** Stops planning. */
  stop(): void {
    this.isDue = false;
    this.parts.joint.cancelPlanning();
  }
}
