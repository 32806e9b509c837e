import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceCursor, LOOP_MIN_S, rangeBetween, withLoopEnd } from './loop-range.ts';

const WHOLE_S = 10;

describe('a loop range', () => {
  it('orders its ends and clamps them to the path, or is null', () => {
    expect(rangeBetween(4, 2, WHOLE_S)).toEqual({ from_s: 2, to_s: 4 });
    expect(rangeBetween(-1, 99, WHOLE_S)).toEqual({ from_s: 0, to_s: WHOLE_S });
    expect(rangeBetween(3, 3.05, WHOLE_S)).toBeNull();
    expect(rangeBetween(11, 12, WHOLE_S)).toBeNull();
  });

  it("starts with one end set and the other at the path's end", () => {
    const at = { time_s: 3, whole_s: WHOLE_S };
    expect(withLoopEnd(null, { ...at, end: 'from_s' })).toEqual({ from_s: 3, to_s: WHOLE_S });
    expect(withLoopEnd(null, { ...at, end: 'to_s' })).toEqual({ from_s: 0, to_s: 3 });
  });

  it('keeps the minimum distance between its ends', () => {
    const range = { from_s: 2, to_s: 4 };
    const pulled = withLoopEnd(range, { end: 'from_s', time_s: 9, whole_s: WHOLE_S })!;
    expect(pulled.to_s).toBe(4);
    expect(pulled.from_s).toBeCloseTo(4 - LOOP_MIN_S, 9);
    const pushed = withLoopEnd(range, { end: 'to_s', time_s: 0, whole_s: WHOLE_S })!;
    expect(pushed.from_s).toBe(2);
    expect(pushed.to_s).toBeCloseTo(2 + LOOP_MIN_S, 9);
  });
});

describe('playback', () => {
  it('plays to the end and stays there, or repeats', () => {
    const course = { whole_s: WHOLE_S, looping: false, range: null };
    expect(advanceCursor(1, 0.5, course)).toEqual({ cursor_s: 1.5, ended: false });
    expect(advanceCursor(9.9, 0.5, course)).toEqual({ cursor_s: WHOLE_S, ended: true });
    expect(advanceCursor(9.9, 0.5, { ...course, looping: true })).toEqual({
      cursor_s: 0,
      ended: false,
    });
  });

  it('repeats the range and carries the overshoot over', () => {
    const course = { whole_s: WHOLE_S, looping: true, range: { from_s: 2, to_s: 4 } };
    expect(advanceCursor(3.9, 0.3, course).cursor_s).toBeCloseTo(2.2, 9);
    expect(advanceCursor(7, 0.1, course).cursor_s).toBe(2);
  });

  it('never leaves the range, for any step', () => {
    const times = fc.double({ min: 0, max: WHOLE_S, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(times, times),
        times,
        fc.double({ min: 0, max: 3, noNaN: true }),
        ([a, b], at, by) => {
          const range = rangeBetween(a, b, WHOLE_S);
          fc.pre(range !== null);
          const { cursor_s, ended } = advanceCursor(at, by, {
            whole_s: WHOLE_S,
            looping: true,
            range,
          });
          expect(ended).toBe(false);
          expect(cursor_s).toBeGreaterThanOrEqual(range!.from_s);
          expect(cursor_s).toBeLessThanOrEqual(range!.to_s);
        },
      ),
    );
  });

  it('ignores a range beyond the end of a shorter path', () => {
    const course = { whole_s: 1, looping: false, range: { from_s: 2, to_s: 4 } };
    expect(advanceCursor(0.9, 0.5, course)).toEqual({ cursor_s: 1, ended: true });
  });
});
