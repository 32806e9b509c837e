import type { Timers } from '../../server/clock/timers.ts';
import type { TwinTime } from '../../server/clock/twin-time.ts';
import type { Cancel } from '../../server/clock/wall-clock.ts';
import type { RunLog } from './run-log.ts';
import type { RunPlan } from './run-plan.ts';

interface PublisherParts {
  readonly plan: RunPlan;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly log: RunLog;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
  /** Called after a publication that had to wait for its tick. */
  readonly onLate: () => void;
}

/** Publishes the plans of a run: at most one at a tick (docs/decisions). */
export class PlanPublisher {
  /** True if the next plan is published even if it is unchanged. */
  mustPublish = false;
  /** True while a plan waits for the tick at which it can be published. */
  isAwaited = false;
  private published_tick = -1;
  /** Why the plan that is published next was made, in words; empty for none. */
  private reason = '';
  private cancelPublish: Cancel = () => {};
  private readonly parts: PublisherParts;

  constructor(parts: PublisherParts) {
    this.parts = parts;
  }

  /** True if a plan was published at this tick. */
  get isPublishedNow(): boolean {
    return this.published_tick === this.parts.time.tick;
  }

  /** Publishes the plan now, or at the next tick if this one has had a NewPlan event. */
  publish(): void {
    const { plan, time, timers, log, now_s, onLate } = this.parts;
    this.cancelPublish();
    this.isAwaited = this.isPublishedNow;
    if (!this.isAwaited) {
      this.published_tick = time.tick;
      const content = { remaining_worktime: plan.remaining_s(now_s()) };
      log.publish('NewPlanHook', content, this.reason);
      this.reason = '';
      return;
    }
    this.cancelPublish = timers.at(time.tick + 1, () => {
      this.publish();
      onLate();
    });
  }

  /** Publishes the result of a planning if it differs, or if a publication is wanted. */
  settle(isNew: boolean, reason = ''): void {
    if (isNew || (this.mustPublish && !this.isPublishedNow)) {
      this.reason = reason;
      this.publish();
    }
    this.mustPublish = false;
  }

  /** Stops publishing. */
  stop(): void {
    this.cancelPublish();
  }
}
