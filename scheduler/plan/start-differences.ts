import { TOLERANCE_S } from './time-tolerance.ts';

/** Longest paths between the starts of operations, from → to by `from * count + to`. */
export class StartDifferences {
  readonly least_s: Float64Array;
  private readonly count: number;

  constructor(count: number, least_s?: Float64Array) {
    this.count = count;
    this.least_s = least_s ?? new Float64Array(count * count).fill(Number.NEGATIVE_INFINITY);
    if (!least_s) for (let i = 0; i < count; i++) this.least_s[i * count + i] = 0;
  }

  copy(): StartDifferences {
    return new StartDifferences(this.count, this.least_s.slice());
  }

  between(from: number, to: number): number {
    return this.least_s[from * this.count + to]!;
  }

  /** Adds a condition; false if it contradicts the others. */
  add(from: number, to: number, least_s: number): boolean {
    if (this.between(to, from) + least_s > TOLERANCE_S) return false;
    if (this.between(from, to) >= least_s) return true;
    const { count, least_s: all_s } = this;
    for (let i = 0; i < count; i++) {
      const through_s = all_s[i * count + from]! + least_s;
      if (through_s === Number.NEGATIVE_INFINITY) continue;
      for (let j = 0; j < count; j++) {
        const path_s = through_s + all_s[to * count + j]!;
        if (path_s > all_s[i * count + j]!) all_s[i * count + j] = path_s;
      }
    }
    return true;
  }

  /** The earliest start of each operation (s). */
  get start_s(): Float64Array {
    const { count, least_s } = this;
    const start_s = new Float64Array(count);
    least_s.forEach((path_s, at) => {
      start_s[at % count] = Math.max(start_s[at % count]!, path_s);
    });
    return start_s;
  }
}
