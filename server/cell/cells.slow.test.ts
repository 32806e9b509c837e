/** The cells of the fixtures and the faults of their parts on both plants. */
import { describe, it } from 'vitest';
import { checkFaults, FAULT_CASES } from './cell-faults.cases.ts';
import { CELL_RUNS, checkCellRun } from './cells.cases.ts';

describe.each(['fast', 'rapier'] as const)('on %s', (driver) => {
  it.each(CELL_RUNS)('the cell $name does what it should', async (run) => {
    await checkCellRun(driver, run);
  });

  it.each(FAULT_CASES)('faults have their outcome in the cell $name', async (given) => {
    await checkFaults(driver, given);
  });
});
