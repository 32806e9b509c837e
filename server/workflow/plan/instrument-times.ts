/** When instruments can begin their next task, while a plan is being made. */
import type { PlanInstrument } from './problem.ts';

export class InstrumentTimes {
  /** When each instrument can next begin a task. */
  readonly idle_s: Float64Array;
  /** When each of the tasks that an instrument does at a time ends. */
  private readonly busy_s: readonly Float64Array[];

  constructor(instruments: readonly PlanInstrument[], tasks: number, now_s: number) {
    this.idle_s = new Float64Array(instruments.length).fill(now_s);
    this.busy_s = instruments.map(({ capacity }) =>
      new Float64Array(Math.max(1, Math.min(capacity, tasks))).fill(now_s),
    );
  }

  /** The instrument that can begin first. */
  firstIdle(candidates: readonly number[]): number {
    let best = candidates[0]!;
    for (const one of candidates) {
      if (this.idle_s[one]! < this.idle_s[best]!) best = one;
    }
    return best;
  }

  /** Gives an instrument a task that ends at a time. */
  engage(instrument: number, end_s: number): void {
    const ends_s = this.busy_s[instrument]!;
    let least = 0;
    for (let i = 1; i < ends_s.length; i++) if (ends_s[i]! < ends_s[least]!) least = i;
    ends_s[least] = Math.max(ends_s[least]!, end_s);
    let idle_s = ends_s[0]!;
    for (let i = 1; i < ends_s.length; i++) idle_s = Math.min(idle_s, ends_s[i]!);
    this.idle_s[instrument] = idle_s;
  }
}
