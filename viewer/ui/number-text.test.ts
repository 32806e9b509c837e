import { expect, it } from 'vitest';
import { numberText, typedValue } from './number-text.ts';

it('keeps a number as it is typed until it has another value', () => {
  expect(numberText(null, 2.5)).toBe('2.5');
  expect(numberText('2,50', 2.5)).toBe('2,50');
  expect(numberText('2,50', 3)).toBe('3');
  expect([numberText('abc', undefined), numberText(null, undefined)]).toEqual(['abc', '']);
  expect(numberText('', 0)).toBe('');
});

it('shows a value in another unit, and reads it exactly', () => {
  const mm = { scale: 1000, digits: 3 };
  expect(numberText(null, 1 / 3, mm)).toBe('333.333');
  expect(typedValue('75', mm)).toBe(0.075);
  expect(numberText('12.3456', typedValue('12.3456', mm), mm)).toBe('12.3456');
  // An angle that went through another form.
  expect(numberText('90', 90 * (1 + 1e-12))).toBe('90');
});
