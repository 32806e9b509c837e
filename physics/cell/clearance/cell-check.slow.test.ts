/** Random programs in random cells against sweeps by brute force. */
import { expect, it } from 'vitest';
import { disagreements, heldDisagreements } from './clearance.cases.ts';

it('agrees with a sweep at 1 kHz on 200 programs in 10 cells', () => {
  const { wrong, contacts } = disagreements(1, 10, 20);
  expect(wrong).toEqual([]);
  expect(contacts).toBeGreaterThan(200);
});

it('agrees with samples of what is held among random boxes', () => {
  const { wrong, contacts } = heldDisagreements(1, 20);
  expect(wrong).toEqual([]);
  expect(contacts).toBeGreaterThan(10);
});
