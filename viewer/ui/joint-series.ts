/** The ring buffer of six joint values over time. */

export const JOINTS = 6;

/** The values of six joints over a time window. Pure: time is an argument. */
export interface JointSeries {
  readonly span_ms: number;
  /** Adds six values; drops them if they come sooner than `step_ms` after the last ones. */
  add(values: ArrayLike<number>, now_ms: number): void;
  /** Number of stored points. */
  length(): number;
  time_ms(index: number): number;
  value(index: number, joint: number): number;
  clear(): void;
}

/** A ring buffer for `span_ms` with one point each `step_ms`, and some spare capacity. */
export function createJointSeries(span_ms: number, step_ms: number): JointSeries {
  const capacity = Math.ceil((span_ms / step_ms) * 1.25) + 4;
  const times = new Float64Array(capacity);
  const values = new Float64Array(capacity * JOINTS);
  let first = 0;
  let count = 0;
  const slot = (index: number) => (first + index) % capacity;

  return {
    span_ms,
    add(next, now_ms) {
      if (count > 0 && now_ms - times[slot(count - 1)]! < step_ms * 0.75) return;
      if (count === capacity) {
        first = (first + 1) % capacity;
        count--;
      }
      const at = slot(count);
      times[at] = now_ms;
      for (let j = 0; j < JOINTS; j++) values[at * JOINTS + j] = next[j]!;
      count++;
      while (count > 2 && times[slot(1)]! < now_ms - span_ms) {
        first = (first + 1) % capacity;
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
