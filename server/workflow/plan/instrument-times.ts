/** When instruments can begin their next task, while a plan is being made. */
import type { PlanInstrument } from './problem.ts';

export class InstrumentTimes {
  /** When each instrument can next begin a task. */
  readonly idle_s: Float64Array;
  /** When each of the tasks that an instrument does at a time ends; one after the other. */
  private readonly busy_s: Float64Array;
  /** Where those of each instrument begin. */
  private readonly first: Int32Array;

  constructor(instruments: readonly PlanInstrument[], tasks: number, now_s: number) {
    this.idle_s = new Float64Array(instruments.length).fill(now_s);
    this.first = new Int32Array(instruments.length + 1);
    instruments.forEach(({ capacity }, i) => {
      this.first[i + 1] = this.first[i]! + Math.max(1, Math.min(capacity, tasks));
    });
    this.busy_s = new Float64Array(this.first[instruments.length]!).fill(now_s);
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
    const { busy_s } = this;
    const first = this.first[instrument]!;
    const next = this.first[instrument + 1]!;
    let least = first;
    for (let i = first + 1; i < next; i++) if (busy_s[i]! < busy_s[least]!) least = i;
    busy_s[least] = Math.max(busy_s[least]!, end_s);
    let idle_s = busy_s[first]!;
    for (let i = first + 1; i < next; i++) idle_s = Math.min(idle_s, busy_s[i]!);
    this.idle_s[instrument] = idle_s;
  }
}
