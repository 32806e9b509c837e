/** 60 random contacts of a robot on servos of each kind; the set prints what it found as a table. */

import { afterAll, describe, it } from 'vitest';
import {
  type ContactRow,
  expectLeft,
  lineOf,
  playServoContact,
} from './servo-random-contacts.cases.ts';
import { SERVO_DRIVERS } from './servo-robot.cases.ts';

const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1);

const tables = new Map<string, ContactRow[]>();

describe.each(SERVO_DRIVERS)('random contacts of $family servos', ({ family, create }) => {
  it.each(SEEDS)('seed %i ends by force, in a true state, and is left', async (seed) => {
    const row = await playServoContact(create, seed);
    tables.set(family, [...(tables.get(family) ?? []), row]);
    expectLeft(row);
  });
});

afterAll(() => {
  for (const [family, rows] of tables) process.stdout.write(`${lineOf(family, rows)}\n`);
});
