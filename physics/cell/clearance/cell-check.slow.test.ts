/** 200 random programs in 10 random cells against a sweep at 1 kHz. */
import { expect, it } from 'vitest';
import { disagreements } from './clearance.cases.ts';

it('agrees with a sweep at 1 kHz on 200 programs in 10 cells', () => {
  const { wrong, contacts } = disagreements(1, 10, 20);
  expect(wrong).toEqual([]);
  expect(contacts).toBeGreaterThan(200);
});
