import type { Timers } from '../../clock/timers.ts';
import { tickOf } from '../../clock/twin-time.ts';
import type { Cancel } from '../../clock/wall-clock.ts';
import type { ControlLoop } from '../../robot/loop.ts';

/** N, robot frame. */
type ForceVector = readonly [number, number, number];

const NONE: ForceVector = [0, 0, 0];

/** External forces on the flange, with an optional duration; one acts at a time. */
export class ExternalForces {
  private readonly loop: ControlLoop;
  private readonly timers: Timers;
  private cancel: Cancel = () => {};
  private end_tick: number | null = null;

  constructor(loop: ControlLoop, timers: Timers) {
    this.loop = loop;
    this.timers = timers;
  }

  /** Tick at which the present force ends; null: none or without end. */
  get endTick(): number | null {
    return this.end_tick;
  }

  /** Applies a force and replaces the previous one; a null duration has no end. */
  apply(force_n: ForceVector, duration_s: number | null): void {
    this.loop.applyWorldAction({ kind: 'push', force_n });
    this.endAt(duration_s === null ? null : tickOf(this.loop.now_s + duration_s));
  }

  /** Sets the end of the present force: of a new one, or of the one in a restored world. */
  endAt(tick: number | null): void {
    this.cancel();
    this.cancel = () => {};
    this.end_tick = tick;
    if (tick === null) return;
    this.cancel = this.timers.at(tick, () => {
      this.end_tick = null;
      this.loop.applyWorldAction({ kind: 'push', force_n: NONE });
    });
  }
}
