/** Random drops and throws end alike on both plants, or the fast one says what it has not computed. */
import { expect, it } from 'vitest';
import { differencesOf, FALLS } from './drops.cases.ts';

it.each(FALLS)(
  '$count $what end within 15 mm of each other, or an event of fast says why not',
  (falls) => {
    const { within5, within20, untold } = differencesOf(falls);
    expect(within5).toBeGreaterThanOrEqual(falls.share5 * falls.count);
    expect(within20).toBeGreaterThanOrEqual(falls.share20 * falls.count);
    expect(untold.length).toBeLessThanOrEqual(falls.untold);
  },
);
