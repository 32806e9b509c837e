/** How tasks end on simulated instruments: what fails, and what each returns. */

import type { DataOutputs, RunFault } from '../../contract/types.generated.ts';
import { createPrng, type Prng } from '../../physics/math/prng.ts';
import { BARCODE } from '../definition/barcodes.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';

/** How a task ends. */
export interface TaskResult {
  /** Null if the instrument has done it. */
  readonly error: string | null;
  readonly outputs: DataOutputs;
}

/** Returns the requested faults that name unknown tasks. */
export function unknownFaults(
  { tasks }: WorkflowModel,
  faults: readonly RunFault[],
): { readonly path: string; readonly problem: string }[] {
  return faults.flatMap(({ task_id }, i) =>
    tasks.some(({ id }) => id === task_id)
      ? []
      : [{ path: `/faults/${i}/task_id`, problem: `there is no task ${task_id}` }],
  );
}

interface OpenFault extends Omit<RunFault, 'task_id' | 'times'> {
  times: number;
}

/**
 * The results of simulated instruments, in the order in which tasks end: by the faults that the start
 * of a run asks for, else by what the task says, else by what its instrument says, else by what is printed
 * on the piece.
 */
export class SimulatedResults {
  private readonly faults = new Map<number, OpenFault>();
  /** How many tasks have ended on each instrument. */
  private readonly counts = new Map<number, number>();
  private readonly random: Prng;
  private readonly model: WorkflowModel;

  constructor(model: WorkflowModel, faults: readonly RunFault[], seed: number) {
    this.model = model;
    this.random = createPrng(seed);
    for (const { task_id, times = 1, ...rest } of faults) {
      const task = model.tasks.findIndex(({ id }) => id === task_id);
      if (task >= 0) this.faults.set(task, { ...rest, times });
    }
  }

  /** How a task ends now on an instrument. */
  next(task: number, instrument: number): TaskResult {
    const { outputs = {}, succeeds } = this.model.tasks[task]!;
    const usual = { ...this.printedOn(task), ...this.returnedBy(instrument), ...outputs };
    const fault = this.faults.get(task);
    if (fault && fault.times > 0) {
      fault.times -= 1;
      const { data_outputs: other } = fault;
      if (other === undefined || fault.error !== undefined)
        return { error: fault.error ?? 'injected fault', outputs: {} };
      return { error: null, outputs: { ...usual, ...other } };
    }
    return succeeds
      ? { error: null, outputs: usual }
      : { error: 'the simulated instrument failed', outputs: {} };
  }

  /** What a reader finds on the piece, unless something else is said. */
  private printedOn(task: number): DataOutputs {
    const { barcode } = this.model.labware[this.model.tasks[task]!.reads ?? -1] ?? {};
    return barcode === undefined ? {} : { [BARCODE]: barcode };
  }

  private returnedBy(instrument: number): DataOutputs {
    const count = this.counts.get(instrument) ?? 0;
    this.counts.set(instrument, count + 1);
    const { outputs = {} } = this.model.instruments[instrument] ?? {};
    return Object.fromEntries(
      Object.entries(outputs).map(([name, { values, order }]) => {
        const at = order === 'drawn' ? Math.floor(this.random() * values.length) : count;
        return [name, values[at % values.length]];
      }),
    );
  }
}
