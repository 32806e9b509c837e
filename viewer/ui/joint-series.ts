/** The ring buffer of six joint values over time. */

export const JOINTS = 6;
const UNKNOWN: readonly number[] = Array(JOINTS).fill(Number.NaN);

/** The values of six joints over a time window. Pure: time is an argument. */
export interface JointSeries {
  readonly span_ms: number;
  /** Adds six values; drops them if they come sooner than `step_ms` after the last ones. */
  add(values: ArrayLike<number>, now_ms: number): void;
  /** Notes that nothing is known from a time on, until the next values: their place has NaN. */
  gap(now_ms: number): void;
  /**
   * Writes the values at a time, between those beside it; false where none are known: before the
   * first, after the last, and in a gap.
   */
  at(time_ms: number, out: Float64Array): boolean;
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
  const valueAt = (index: number, joint: number) => values[slot(index) * JOINTS + joint]!;

  function store(next: ArrayLike<number>, now_ms: number): void {
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
  }

  /** The last point that is not after a time; -1 before the first. */
  function lastAt(time_ms: number): number {
    let [low, high] = [-1, count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[slot(middle)]! <= time_ms) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  return {
    span_ms,
    add(next, now_ms) {
      const isSoon = count > 0 && now_ms - times[slot(count - 1)]! < step_ms * 0.75;
      // What ends a gap is kept: the time of a clock that is paused does not go on.
      if (isSoon && !Number.isNaN(valueAt(count - 1, 0))) return;
      store(next, now_ms);
    },
    gap(now_ms) {
      if (count > 0 && !Number.isNaN(valueAt(count - 1, 0))) store(UNKNOWN, now_ms);
    },
    at(time_ms, out) {
      const i = lastAt(time_ms);
      if (i < 0 || (i === count - 1 && times[slot(i)] !== time_ms)) return false;
      const next = Math.min(i + 1, count - 1);
      const span_ms = times[slot(next)]! - times[slot(i)]!;
      const share = span_ms === 0 ? 0 : (time_ms - times[slot(i)]!) / span_ms;
      for (let j = 0; j < JOINTS; j++) {
        const value = valueAt(i, j);
        const after = share === 0 ? value : valueAt(next, j);
        out[j] = value + share * (after - value);
      }
      return !Number.isNaN(out[0]);
    },
    length: () => count,
    time_ms: (index) => times[slot(index)]!,
    value: valueAt,
    clear() {
      count = 0;
    },
  };
}
