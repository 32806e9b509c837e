/** The cells of the fixtures and the faults of their parts on both plants, in the built program. */
import { describe, it } from 'vitest';
import { checkFaults, FAULT_CASES } from './cell-faults.cases.ts';
import { BUILT_PROGRAM, CELL_RUNS, checkAssayWorkflow, checkCellRun } from './cells.cases.ts';

describe.each(['fast', 'rapier'] as const)('the built program on %s', (plant) => {
  it.each(CELL_RUNS)('does with the cell $name what it should', async (run) => {
    await checkCellRun(BUILT_PROGRAM, plant, run);
  });

  it.each(FAULT_CASES)('gives faults their outcome in the cell $name', async (given) => {
    await checkFaults(BUILT_PROGRAM, plant, given);
  });

  it('runs the assay workflow in its cell', async () => {
    await checkAssayWorkflow(BUILT_PROGRAM, plant);
  });
});
