/** When a running operation is late, when it is expected to end, and when it is looked at again. */

import { describe, expect, it } from 'vitest';
import {
  expectedEnd_s,
  expectedReturn_s,
  isLate,
  nextMark_s,
  nextOutageMark_s,
} from './lateness.ts';

/** An operation that takes so long and should end at 100 s. */
const lasting = (duration_s: number) => ({ planned_end_s: 100, duration_s });

describe('an operation that runs', () => {
  it.each([
    [20, 101.9, false],
    [20, 102, true],
    [40, 102, true],
    [60, 102.9, false],
    [60, 103, true],
    [3600, 279, false],
    [3600, 280, true],
  ])('of %d s that should end at 100 s is late at %d s: %s', (duration_s, now_s, late) => {
    expect(isLate(lasting(duration_s), now_s)).toBe(late);
  });

  it.each([
    [50, 100],
    [100, 100],
    [101, 101],
    [102, 104],
    [130, 160],
    [3700, 7300],
  ])('is expected at %d s to end at %d s', (now_s, end_s) => {
    expect(expectedEnd_s(lasting(20), now_s)).toBe(end_s);
  });

  it('is looked at again when it is late for twice as long, a dozen times in an hour', () => {
    const marks = [0];
    while (marks.at(-1)! < 3600) marks.push(nextMark_s(lasting(20), marks.at(-1)!));
    expect(marks).toEqual([0, 102, 104, 108, 116, 132, 164, 228, 356, 612, 1124, 2148, 4196]);
  });

  it('has its next mark in the future, whatever the rounding of its times', () => {
    for (let i = 0; i < 2000; i++) {
      const one = { planned_end_s: 0.1 * i, duration_s: 0.3 * i };
      const mark_s = nextMark_s(one, nextMark_s(one, 0.7 * i));
      expect(nextMark_s(one, mark_s)).toBeGreaterThan(mark_s + 1);
    }
  });
});

describe('an instrument that is down', () => {
  it.each([
    [10, 70],
    [60, 120],
    [70, 130],
    [610, 1210],
  ])('since 10 s is expected at %d s to be back at %d s', (now_s, back_s) => {
    expect(expectedReturn_s(10, now_s)).toBe(back_s);
  });

  it('is looked at again when it has been down for twice as long', () => {
    const marks = [10];
    while (marks.length < 5) marks.push(nextOutageMark_s(10, marks.at(-1)!));
    expect(marks).toEqual([10, 70, 130, 250, 490]);
  });
});
