/** Faults of a cell on the plant fast. */
import { describe, it } from 'vitest';
import { checkFaults, FAULT_CASES } from './cell-faults.cases.ts';

describe('faults of a cell on fast', () => {
  it.each(FAULT_CASES)('have their outcome in the cell $name', async (given) => {
    await checkFaults('fast', given);
  });
});
