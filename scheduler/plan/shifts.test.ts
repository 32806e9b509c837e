import { describe, expect, it } from 'vitest';
import { shiftOf, shiftStart_s, shiftsSince, timeOfDayText } from './shifts.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const early = shiftOf({ from: '06:00', to: '14:00' });
const night = shiftOf({ from: '22:00', to: '02:30' });

describe('shifts', () => {
  it('are read from times of day, over midnight too', () => {
    expect(early).toEqual({ from_s: 6 * HOUR_S, to_s: 14 * HOUR_S });
    expect(night).toEqual({ from_s: 22 * HOUR_S, to_s: 26.5 * HOUR_S });
    expect(shiftOf({ from: '00:00', to: '00:00' })).toEqual({ from_s: 0, to_s: DAY_S });
  });

  it.each([
    // Before, within, too late for the work, after, and two days on.
    [5, 1, 6],
    [7, 1, 7],
    [13, 1, 13],
    [13.5, 1, 22],
    [15, 1, 22],
    [23, 1, 23],
    [26, 1, 30],
    [49, 1, 49],
    [50.5, 1, 54],
    [0, 8, 6],
    [7, 8, 30],
    [0, 9, Number.POSITIVE_INFINITY],
  ])('take work from %d h on of %d h at %d h', (from_h, work_h, start_h) => {
    const start_s = shiftStart_s([early, night], from_h * HOUR_S, work_h * HOUR_S);
    expect(start_s / HOUR_S).toBe(start_h);
  });

  it('are those of the day before where they go on after midnight', () => {
    expect(shiftStart_s([night], HOUR_S, HOUR_S)).toBe(HOUR_S);
    expect(shiftStart_s([night], 2 * HOUR_S, HOUR_S)).toBe(22 * HOUR_S);
  });

  it('count from the time of day at which a clock is at 0', () => {
    const own = shiftsSince([early], 15 * HOUR_S);
    expect(shiftStart_s(own, 0, HOUR_S)).toBe(15 * HOUR_S);
    expect(timeOfDayText(15 * HOUR_S + shiftStart_s(own, 0, HOUR_S))).toBe('06:00');
  });
});
