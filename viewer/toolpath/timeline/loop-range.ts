/**
 * The loop range on the timeline: a band on the ruler with two handles, moved by pointer or keys,
 * and a chip that shows and clears the range.
 */

export interface LoopRange {
  readonly from_s: number;
  readonly to_s: number;
}

/** Minimum length of a range (s): a few frames. */
export const LOOP_MIN_S = 0.1;

/** The range between two times in any order, clamped to the path; null if too short. */
export function rangeBetween(a_s: number, b_s: number, whole_s: number): LoopRange | null {
  const within = (time_s: number) => Math.min(Math.max(time_s, 0), whole_s);
  const [from_s, to_s] = [within(Math.min(a_s, b_s)), within(Math.max(a_s, b_s))];
  return to_s - from_s < LOOP_MIN_S - 1e-9 ? null : { from_s, to_s };
}

/** An end of the range. */
export type LoopEnd = 'from_s' | 'to_s';

/**
 * The range with one end set to a time. Without a range, the other end is the path's. The ends keep
 * the minimum distance.
 */
export function withLoopEnd(
  range: LoopRange | null,
  { end, time_s, whole_s }: { readonly end: LoopEnd; time_s: number; whole_s: number },
): LoopRange | null {
  const { from_s, to_s } = range ?? { from_s: 0, to_s: whole_s };
  return end === 'from_s'
    ? rangeBetween(Math.min(time_s, to_s - LOOP_MIN_S), to_s, whole_s)
    : rangeBetween(from_s, Math.max(time_s, from_s + LOOP_MIN_S), whole_s);
}

/** Playback range: duration of the path, whether it repeats, and the repeated part. */
export interface PlaybackRange {
  readonly whole_s: number;
  readonly looping: boolean;
  readonly range: LoopRange | null;
}

/** The cursor after `by_s` more of playing, and whether playback has ended. */
export function advanceCursor(
  cursor_s: number,
  by_s: number,
  { whole_s, looping, range }: PlaybackRange,
): { readonly cursor_s: number; readonly ended: boolean } {
  const part = range && rangeBetween(range.from_s, range.to_s, whole_s);
  if (part) {
    const inside = cursor_s >= part.from_s && cursor_s <= part.to_s;
    if (!inside) return { cursor_s: part.from_s, ended: false };
    const gone_s = cursor_s + by_s - part.from_s;
    const over = gone_s >= part.to_s - part.from_s;
    const on_s = over ? gone_s % (part.to_s - part.from_s) : gone_s;
    return { cursor_s: part.from_s + on_s, ended: false };
  }
  const next_s = cursor_s + by_s;
  if (next_s < whole_s) return { cursor_s: next_s, ended: false };
  return looping ? { cursor_s: 0, ended: false } : { cursor_s: whole_s, ended: true };
}
