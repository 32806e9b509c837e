import { expect, it } from 'vitest';
import {
  ageText,
  angleText,
  cursorText,
  decimal,
  lengthText,
  minutesText,
  recordTimeText,
  runTimeText,
  timeOfDayText,
} from './value-text.ts';

it('formats a true minus, and none before zero', () => {
  expect(decimal(-2.234, 2)).toBe('−2.23');
  expect(decimal(-0.001, 2)).toBe('0.00');
  expect(decimal(12, 1)).toBe('12.0');
});

it('formats angles in degrees with two decimals', () => {
  expect(angleText(Math.PI / 2)).toBe('90.00');
  expect(angleText(-2.409)).toBe('−138.03');
});

it('formats ages and times', () => {
  expect(ageText(3210)).toBe('3.2 s');
  expect(ageText(125_000)).toBe('2 min');
  expect(ageText(Number.POSITIVE_INFINITY)).toBe('an unknown time');
  expect(ageText(2 * 3600_000 + 1)).toBe('2 h');
  expect(minutesText(41.2)).toBe('0:42');
  expect(minutesText(3724.5)).toBe('1:02:05');
  expect([lengthText(6.44), lengthText(65.2), lengthText(7200)]).toEqual([
    '6.4 s',
    '1:06',
    '2:00:00',
  ]);
  expect([cursorText(4.24), cursorText(3725)]).toEqual(['0:04.24', '1:02:05.00']);
  expect(runTimeText(29.49)).toBe('0:00:29.4');
  expect(runTimeText(3725)).toBe('1:02:05.0');
  expect(timeOfDayText(new Date(2026, 0, 2, 9, 4, 5, 6))).toBe('09:04:05.006');
});

it('formats the time of a record with its zone', () => {
  expect(recordTimeText('2026-11-25T22:37:22.420Z')).toBe('2026-11-25 22:37:22 UTC');
  expect(recordTimeText('unknown')).toBe('unknown');
});
