/**
 * Two cells of the fixtures on the plant fast; the slow tests have all, on both plants.
 * @module-tag ci
 */
import { describe, it } from 'vitest';
import { checkFaults, FAULT_CASES } from './cell-faults.cases.ts';
import { CELL_RUNS, checkCellRun, IN_PROCESS } from './cells.cases.ts';

describe('on fast', () => {
  it.each(CELL_RUNS.slice(0, 2))('the cell $name does what it should', async (run) => {
    await checkCellRun(IN_PROCESS, 'fast', run);
  });

  it.each(FAULT_CASES.slice(0, 1))(
    'faults have their outcome in the cell $name',
    { tags: ['slow'], timeout: 120_000 },
    async (given) => {
      await checkFaults(IN_PROCESS, 'fast', given);
    },
  );
});
