/** The cells of the fixtures, and faults of their parts, on the plant fast. */
import { describe, it } from 'vitest';
import { checkFaults, FAULT_CASES } from './cell-faults.cases.ts';
import { CELL_RUNS, checkCellRun, IN_PROCESS } from './cells.cases.ts';

describe('on fast', () => {
  it.each(CELL_RUNS)(
    'the cell $name does what it should',
    async (run) => {
      await checkCellRun(IN_PROCESS, 'fast', run);
    },
    120_000,
  );

  it.each(FAULT_CASES.slice(0, 1))(
    'faults have their outcome in the cell $name',
    async (given) => {
      await checkFaults(IN_PROCESS, 'fast', given);
    },
    120_000,
  );
});
