/** The history of a run as it is now, in wire format. */

import type {
  LabwarePlace,
  RunMove,
  RunTask,
  WorkflowPlan,
} from '../../contract/types.generated.ts';
import type { RunHistory } from '../archive/run-history.ts';
import { planReply } from '../definition/plan-reply.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { PlannedLabwareMove } from '../plan/problem.ts';
import { GONE } from '../plan/slot-location.ts';
import { barcodeRead } from './barcode-fault.ts';
import type { LiveRun } from './live-run.ts';
import type { Run } from './run.ts';

function plannedTimes(one: { start_s: number; end_s: number } | undefined) {
  return { planned_start_s: one?.start_s ?? null, planned_end_s: one?.end_s ?? null };
}

/** Returns the state of every task. */
export function tasksOf(model: WorkflowModel, { progress, plan }: Run): RunTask[] {
  return progress.tasks.map(({ state, instrument, start_s, end_s, error, outputs }, task) => ({
    id: model.tasks[task]!.id,
    state,
    instrument_id: model.instruments[instrument]?.id ?? null,
    // A task that another run has done has its times there.
    started_at_s: model.tasks[task]!.ended ? null : start_s,
    ended_at_s: model.tasks[task]!.ended ? null : end_s,
    error,
    data_outputs: outputs,
    ...plannedTimes(plan.firstPlanned(task)),
  }));
}

/** Returns the location of every piece of labware. */
export function labwareOf(
  model: WorkflowModel,
  { progress }: Pick<Run, 'progress'>,
): LabwarePlace[] {
  return progress.locations.map((location, labware) => ({
    labware_id: model.labware[labware]!.id,
    instrument_id: model.instruments[location?.instrument ?? -1]?.id ?? null,
    slot: location && location !== GONE ? location.slot : null,
    barcode: barcodeRead({ model, progress }, labware),
  }));
}

/** Returns the moves that the arm has begun. */
export function movesOf(
  { instruments, labware }: WorkflowModel,
  { progress, plan, moves }: Run,
): RunMove[] {
  const planned = (move: PlannedLabwareMove) => {
    const first = plan.firstPlanned(move);
    return plannedTimes(first && moves.pieceTimes({ ...move, ...first }));
  };
  return progress.moves.map(({ move, start_s, end_s, picked_s, placed_s }) => ({
    labware_id: labware[move.labware]!.id,
    source_instrument_id: instruments[move.from.instrument]!.id,
    source_slot: move.from.slot,
    destination_instrument_id: instruments[move.to.instrument]!.id,
    destination_slot: move.to.slot,
    started_at_s: picked_s,
    ended_at_s: placed_s,
    ...planned(move),
    arm_started_at_s: start_s,
    arm_ended_at_s: end_s,
  }));
}

/** Returns the current history of a run; reuses `known` if it is the current plan. */
export function historyOf(
  { run, model, plan_id }: Pick<LiveRun, 'run' | 'model' | 'plan_id'>,
  known: WorkflowPlan | null = null,
): RunHistory {
  return {
    now_s: run.now_s,
    tasks: tasksOf(model, run),
    labware: labwareOf(model, run),
    moves: movesOf(model, run),
    violations: [...run.limits.violations],
    plan: known?.id === plan_id ? known : planReply(plan_id, model, run.plan.current),
  };
}
