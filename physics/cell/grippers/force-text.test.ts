/** What is said of a force that a grip does not hold. */

import { expect, it } from 'vitest';
import { needText } from './force-text.ts';

const WEIGHT = { weight_n: 1.21, inertia_n: 0, contact_n: 0 };

it.each([
  [5.04, 1.63, '5.0 N needed (weight 1.2 N), friction holds 1.6 N'],
  [1.6201, 1.6196, '1.6201 N needed (weight 1.2100 N), friction holds 1.6196 N'],
  [1.64, 1.62, '1.64 N needed (weight 1.21 N), friction holds 1.62 N'],
])('%d N name forces that differ, and what they are made of', (needed_n, most_n, text) => {
  expect(needText({ needed_n, most_n }, WEIGHT, { holder: 'friction' })).toBe(text);
});

it('a rule says how a force is made that is no plain sum, and a part that helps is taken off', () => {
  const balance = { weight_n: 0, inertia_n: -1, contact_n: 3.5 };
  const rule = 'pull + force across';
  expect(needText({ needed_n: 2.5, most_n: 2 }, balance, { holder: 'the vacuum', rule })).toBe(
    '2.5 N needed (pull + force across: contact 3.5 N, less inertia 1.0 N), the vacuum holds 2.0 N',
  );
});
