/** A few random contacts of a robot on servos of each kind, of those that the slow set plays. */

import { describe, it } from 'vitest';
import { expectLeft, playServoContact } from './servo-random-contacts.cases.ts';
import { SERVO_DRIVERS } from './servo-robot.cases.ts';

/** Without a load, and with one whose weight the gears of a joint carry by their friction. */
const SEEDS = [1, 14];

describe.each(SERVO_DRIVERS)('random contacts of $family servos', ({ create }) => {
  it.each(SEEDS)('seed %i ends by force, in a true state, and is left', async (seed) => {
    expectLeft(await playServoContact(create, seed));
  });
});
