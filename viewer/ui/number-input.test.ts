import { describe, expect, it } from 'vitest';
import { numberProblem, steppedNumber, typedNumber } from './number-input.ts';

describe('a typed number', () => {
  it.each([
    ['1.5', 1.5],
    [' −2,5 ', -2.5],
    ['12,5', 12.5],
    ['0,125', 0.125],
    ['1234,567', 1234.567],
    ['.5', 0.5],
    ['12,', 12],
    ['-1e3', -1000],
    ['+7', 7],
    // One thousand two hundred and thirty-four, or one and a bit?
    ['1,234', null],
    ['12,500', null],
    ['1.234,5', null],
    ['1,234.5', null],
    ['1.234.5', null],
    ['0x10', null],
    ['1 000', null],
    ['', null],
    ['-', null],
    ['ten', null],
    ['Infinity', null],
    ['1e999', null],
  ])('%j is %j', (text, value) => expect(typedNumber(text)).toBe(value));
});

it('says what is wrong with a number', () => {
  const bounds = { min: 0, max: 1000, whole: true };
  const problems = ['', ' ', '7', '1,5', '-1', '1001', '1.2.3'].map((text) =>
    numberProblem(text, bounds),
  );
  expect(problems).toEqual([
    '',
    '',
    '',
    'Enter a whole number',
    'Enter 0 or more',
    'Enter 1000 or less',
    'Enter a number, such as 12.5',
  ]);
});

it('steps without rounding noise, within the bounds, and from numbers alone', () => {
  expect(steppedNumber('0,2', 1, { step: 0.1 })).toBe(0.3);
  expect(steppedNumber('9.5', 1, { max: 10 })).toBe(10);
  expect(steppedNumber('0', -1, { min: 0 })).toBe(0);
  expect(steppedNumber('ten', 1, {})).toBeNull();
});
