/** What is said of a body that slips in jaws. */

import { expect, it } from 'vitest';
import { slipText } from './slip.ts';

it.each([
  [5.04, 1.63, '5.0 N needed, friction holds 1.6 N'],
  [1.6201, 1.6196, '1.6201 N needed, friction holds 1.6196 N'],
  [1.64, 1.62, '1.64 N needed, friction holds 1.62 N'],
])('a slip under %d N names forces that differ', (needed_n, most_n, text) => {
  expect(slipText({ needed_n, most_n })).toBe(text);
});
