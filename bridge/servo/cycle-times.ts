/** Durations of the last turns of the bus cycle, and their percentiles when somebody asks. */

/** About eight seconds at 125 turns a second. */
const KEPT = 1024;

export class CycleTimes {
  private readonly kept_ms = new Float64Array(KEPT);
  private count = 0;

  add(duration_ms: number): void {
    this.kept_ms[this.count % KEPT] = duration_ms;
    this.count += 1;
  }

  /** The duration (ms) that so large a share (0..1) does not exceed; 0 before the first. */
  percentile(share: number): number {
    const size = Math.min(this.count, KEPT);
    if (size === 0) return 0;
    const sorted = this.kept_ms.slice(0, size).sort();
    return sorted[Math.ceil(share * (size - 1))]!;
  }
}
