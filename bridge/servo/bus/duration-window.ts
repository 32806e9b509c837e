/** About eight seconds at 125 cycles a second. */
const WINDOW_SIZE = 1024;

/** The latest durations of the bus cycle, for percentiles. */
export class DurationWindow {
  private readonly durations_ms = new Float64Array(WINDOW_SIZE);
  private count = 0;

  add(duration_ms: number): void {
    this.durations_ms[this.count % WINDOW_SIZE] = duration_ms;
    this.count += 1;
  }

  /** Percentile of the durations (ms) for a share from 0 to 1; 0 without durations. */
  percentile(share: number): number {
    const size = Math.min(this.count, WINDOW_SIZE);
    if (size === 0) return 0;
    const sorted = this.durations_ms.slice(0, size).sort();
    return sorted[Math.ceil(share * (size - 1))]!;
  }
}
