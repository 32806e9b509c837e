/** A run as the wire shows it: tasks, labware, moves, plan, and what waits for what. */
import type { LabwarePlace, RunMove, RunTask, WaitingTask } from '../../contract/types.ts';
import type { WorkflowModel } from './model.ts';
import { moveReasons, taskReasons } from './readiness.ts';
import type { Run } from './run.ts';

/** The state of every task. */
export function tasksOf(model: WorkflowModel, { progress }: Run): RunTask[] {
  return progress.tasks.map(({ state, instrument, start_s, end_s, error }, task) => ({
    id: model.tasks[task]!.id,
    state,
    instrument_id: model.instruments[instrument]?.id ?? null,
    started_at_s: start_s,
    ended_at_s: end_s,
    error,
  }));
}

/** Where every piece of labware is. */
export function labwareOf(model: WorkflowModel, { progress }: Run): LabwarePlace[] {
  return progress.places.map((place, labware) => ({
    labware_id: model.labware[labware]!.id,
    instrument_id: place ? model.instruments[place.instrument]!.id : null,
    slot: place?.slot ?? null,
  }));
}

/** The moves that have begun. */
export function movesOf({ instruments, labware }: WorkflowModel, { progress }: Run): RunMove[] {
  return progress.moves.map(({ move, start_s, end_s }) => ({
    labware_id: labware[move.labware]!.id,
    source_instrument_id: instruments[move.from.instrument]!.id,
    source_slot: move.from.slot,
    destination_instrument_id: instruments[move.to.instrument]!.id,
    destination_slot: move.to.slot,
    started_at_s: start_s,
    ended_at_s: end_s,
  }));
}

/** Every task that has not begun, with what it waits for. */
export function waitingOf(model: WorkflowModel, run: Run): WaitingTask[] {
  const { progress, plan, floor } = run;
  return model.tasks.flatMap(({ id }, task) => {
    if (progress.tasks[task]!.state !== 'waiting') return [];
    const planned = plan.taskTimes(task);
    const reasons = taskReasons(floor, task, planned?.instrument ?? -1);
    const moves = plan.current.moves.filter(
      (move) => move.task === task && !progress.hasBegun(move),
    );
    reasons.push(...moves.flatMap((move) => moveReasons(floor, move)), ...plan.faults);
    const start_s = Math.round(planned?.start_s ?? 0);
    if (reasons.length === 0) reasons.push(`it is planned for ${start_s} s`);
    return [{ task_id: id, reasons: [...new Set(reasons)] }];
  });
}
