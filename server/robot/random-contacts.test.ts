import { expect, it } from 'vitest';
import { DRIVERS } from './arm-run.cases.ts';
import { drawContact, playContact } from './random-contacts.cases.ts';

/** Soft walls and posts, a load that is not the declared one, detection on and off, slow and fast. */
const SEEDS = [1, 10, 15, 36, 42, 50];
const CASES = DRIVERS.flatMap((driver) => SEEDS.map((seed) => ({ driver, seed })));

it.each(CASES)(
  'after contact $seed on $driver nothing presses, and the arm goes on',
  async (one) => {
    const contact = drawContact(one.driver, one.seed);
    const { faults } = await playContact(contact);
    expect(faults, JSON.stringify(contact)).toEqual([]);
  },
);
