import type { PlanInstrument } from './problem.ts';

/** The times at which instruments become free. */
export class InstrumentAvailability {
  /** When each instrument can start its next task (s). */
  readonly idle_s: Float64Array;
  /** When the tasks of each instrument so far have ended and it is cool: a closed one opens then (s). */
  readonly opens_s: Float64Array;
  /** End of the last task of each capacity unit (s), the units of all instruments in sequence. */
  private readonly busy_s: Float64Array;
  private readonly cool_s: Float64Array;
  /** Index of the first unit of each instrument. */
  private readonly first: Int32Array;

  constructor(instruments: readonly PlanInstrument[], tasks: number, now_s: number) {
    this.idle_s = Float64Array.from(instruments, ({ from_s = now_s, warm_s = now_s }) =>
      Math.max(now_s, from_s, warm_s),
    );
    this.cool_s = Float64Array.from(instruments, ({ cool_s = 0 }) => cool_s);
    this.opens_s = new Float64Array(instruments.length).fill(now_s);
    this.first = new Int32Array(instruments.length + 1);
    instruments.forEach(({ capacity }, i) => {
      this.first[i + 1] = this.first[i]! + Math.max(1, Math.min(capacity, tasks));
    });
    this.busy_s = new Float64Array(this.first[instruments.length]!);
    instruments.forEach((_, i) => {
      this.busy_s.fill(this.idle_s[i]!, this.first[i], this.first[i + 1]);
    });
  }

  /** Returns the candidate that is free first. */
  earliestIdle(candidates: readonly number[]): number {
    let best = candidates[0]!;
    for (const one of candidates) {
      if (this.idle_s[one]! < this.idle_s[best]!) best = one;
    }
    return best;
  }

  /** Reserves a unit of an instrument until the end of a task. */
  reserve(instrument: number, end_s: number): void {
    const { busy_s } = this;
    const first = this.first[instrument]!;
    const next = this.first[instrument + 1]!;
    let least = first;
    for (let i = first + 1; i < next; i++) if (busy_s[i]! < busy_s[least]!) least = i;
    const cool_s = end_s + this.cool_s[instrument]!;
    busy_s[least] = Math.max(busy_s[least]!, cool_s);
    this.opens_s[instrument] = Math.max(this.opens_s[instrument]!, cool_s);
    let idle_s = busy_s[first]!;
    for (let i = first + 1; i < next; i++) idle_s = Math.min(idle_s, busy_s[i]!);
    this.idle_s[instrument] = idle_s;
  }

  /** Keeps a closed instrument open until the end of a move: no task starts before. */
  holdOpen(instrument: number, end_s: number): void {
    const { busy_s } = this;
    for (let i = this.first[instrument]!; i < this.first[instrument + 1]!; i++) {
      busy_s[i] = Math.max(busy_s[i]!, end_s);
    }
    this.idle_s[instrument] = Math.max(this.idle_s[instrument]!, end_s);
  }
}
