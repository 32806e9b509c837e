/** The last while of six values over time, for a plot. Pure: time is an argument. */

const JOINTS = 6;

export interface Series {
  readonly span_ms: number;
  /** Takes six values; those nearer than `step_ms` to the one before are dropped. */
  add(values: ArrayLike<number>, now_ms: number): void;
  /** Number of points kept. */
  length(): number;
  time_ms(index: number): number;
  value(index: number, joint: number): number;
  clear(): void;
}

/** A ring that holds `span_ms` at one point each `step_ms`, with some to spare. */
export function createSeries(span_ms: number, step_ms: number): Series {
  const room = Math.ceil((span_ms / step_ms) * 1.25) + 4;
  const times = new Float64Array(room);
  const values = new Float64Array(room * JOINTS);
  let first = 0;
  let count = 0;
  const slot = (index: number) => (first + index) % room;

  return {
    span_ms,
    add(next, now_ms) {
      if (count > 0 && now_ms - times[slot(count - 1)]! < step_ms * 0.75) return;
      if (count === room) {
        first = (first + 1) % room;
        count--;
      }
      const at = slot(count);
      times[at] = now_ms;
      for (let j = 0; j < JOINTS; j++) values[at * JOINTS + j] = next[j]!;
      count++;
      while (count > 2 && times[slot(1)]! < now_ms - span_ms) {
        first = (first + 1) % room;
        count--;
      }
    },
    length: () => count,
    time_ms: (index) => times[slot(index)]!,
    value: (index, joint) => values[slot(index) * JOINTS + joint]!,
    clear() {
      count = 0;
    },
  };
}
