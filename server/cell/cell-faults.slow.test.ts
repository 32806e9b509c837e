/** Faults of a cell on the plant rapier. */
import { describe, it } from 'vitest';
import { checkFaults, FAULT_CASES } from './cell-faults.cases.ts';

describe('faults of a cell on rapier', () => {
  it.each(FAULT_CASES)('have their outcome in the cell $name', async (given) => {
    await checkFaults('rapier', given);
  });
});
