/** The operations of a run that take longer than planned, in words and on the wire. */

import type { LateOperation } from '../../contract/types.generated.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import { expectedEnd_s, isLate, type RunningTimes } from './lateness.ts';
import type { RunningOperation, RunProgress } from './progress.ts';

type Running = RunningTimes & RunningOperation;

/** The name of an operation that runs, as the texts of a run say it. */
export function operationName({ tasks, labware }: WorkflowModel, { task, move }: Running): string {
  return task === undefined ? `the move of ${labware[move.labware]!.id}` : tasks[task]!.id;
}

/** Says which operation is late and by how much. */
export function lateText(model: WorkflowModel, one: Running, now_s: number): string {
  const late_s = Math.round(now_s - one.planned_end_s);
  return `${operationName(model, one)} is late by ${late_s} s`;
}

/** Returns the operations that are late: whose, where, since when, and when they are expected to end. */
export function lateOperations(
  model: WorkflowModel,
  progress: RunProgress,
  now_s: number,
): LateOperation[] {
  return progress.running
    .filter((one) => isLate(one, now_s))
    .map((one) => {
      const { task, move, planned_end_s } = one;
      const instrument = task === undefined ? move.to.instrument : progress.tasks[task]!.instrument;
      return {
        task_id: task === undefined ? null : model.tasks[task]!.id,
        labware_id: move ? model.labware[move.labware]!.id : null,
        instrument_id: model.instruments[instrument]?.id ?? null,
        planned_end_s,
        late_s: now_s - planned_end_s,
        expected_end_s: expectedEnd_s(one, now_s),
      };
    });
}
