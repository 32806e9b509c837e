/** Both plants do as computed by hand, within the bounds of the matrix in docs/plants.md. */
import { describe, expect, it } from 'vitest';
import { DRIVERS } from '../carried/carried.cases.ts';
import { SCENES } from './scenes.cases.ts';

describe.each(SCENES)('$what', ({ byHand, within, measure }) => {
  it.each(DRIVERS)('on %s', (driver) => {
    const figure = measure(driver);
    expect(Math.abs(figure - byHand)).toBeLessThanOrEqual(within);
  });
});
