/** The part of the way that playback repeats, set by keys, handles or on the ruler. Pure. */

export interface LoopRange {
  readonly from_s: number;
  readonly to_s: number;
}

/** A shorter range than this is no range (s): a few frames. */
export const LOOP_LEAST_S = 0.1;

/** The range between two times in whatever order, within the way; null where it is too short. */
export function rangeBetween(a_s: number, b_s: number, whole_s: number): LoopRange | null {
  const within = (time_s: number) => Math.min(Math.max(time_s, 0), whole_s);
  const [from_s, to_s] = [within(Math.min(a_s, b_s)), within(Math.max(a_s, b_s))];
  return to_s - from_s < LOOP_LEAST_S - 1e-9 ? null : { from_s, to_s };
}

/** The ends of a range. */
export type LoopEnd = 'from_s' | 'to_s';

/**
 * The range with one end at a time; where there was none, the other end is the way's. An end that
 * would come too near the other stops short of it.
 */
export function withEnd(
  range: LoopRange | null,
  { end, time_s, whole_s }: { readonly end: LoopEnd; time_s: number; whole_s: number },
): LoopRange | null {
  const { from_s, to_s } = range ?? { from_s: 0, to_s: whole_s };
  return end === 'from_s'
    ? rangeBetween(Math.min(time_s, to_s - LOOP_LEAST_S), to_s, whole_s)
    : rangeBetween(from_s, Math.max(time_s, from_s + LOOP_LEAST_S), whole_s);
}

/** How the preview plays: how long the way is, whether it repeats, and which part of it. */
export interface Course {
  readonly whole_s: number;
  readonly looping: boolean;
  readonly range: LoopRange | null;
}

/** Where the cursor is after `by_s` more of playing, and whether that is the end of it. */
export function advanced(
  cursor_s: number,
  by_s: number,
  { whole_s, looping, range }: Course,
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
