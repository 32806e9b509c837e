/** A plan of a workflow in the wire format. */

import type {
  PlannedTransport,
  PlannedWorkflowTask,
  WorkflowPlan,
} from '../../contract/types.generated.ts';
import { criticalPath } from '../plan/critical-path.ts';
import type { Plan, UnitCycle } from '../plan/problem.ts';
import type { WorkflowModel } from './workflow-model.ts';

function cycleReply(
  { instruments }: WorkflowModel,
  cycle: UnitCycle | undefined,
): Pick<WorkflowPlan, 'cycle'> {
  if (!cycle) return {};
  const reply = {
    period_s: cycle.cycle_s / cycle.units_per_cycle,
    lower_bound_s: cycle.lower_bound_s,
    equal_groups: cycle.units,
    pieces_per_group: cycle.pieces_per_unit,
    groups_per_cycle: cycle.units_per_cycle,
    instrument_id: instruments[cycle.resource]?.id ?? null,
  };
  return { cycle: reply };
}

/** Converts a plan to the wire format: names instead of indices, whole seconds. */
export function planReply(id: number, model: WorkflowModel, plan: Plan): WorkflowPlan {
  const { instruments, labware } = model;
  const tasks: Record<string, PlannedWorkflowTask> = {};
  for (const { task, instrument, start_s, end_s } of plan.tasks) {
    const pieces = model.tasks[task]!.uses.map((use) => labware[use.labware]!.id);
    tasks[model.tasks[task]!.id] = {
      start: Math.round(start_s),
      end: Math.round(end_s),
      instrument: instruments[instrument]?.id ?? null,
      labware_in: pieces,
      labware_out: pieces,
    };
  }
  const transports = plan.moves.map(
    (move): PlannedTransport => ({
      labware_id: labware[move.labware]!.id,
      source_instrument_id: instruments[move.from.instrument]!.id,
      source_slot: move.from.slot,
      destination_instrument_id: instruments[move.to.instrument]!.id,
      destination_slot: move.to.slot,
      start: Math.round(move.start_s),
      end: Math.round(move.end_s),
    }),
  );
  return {
    id,
    makespan: Math.round(plan.makespan_s),
    lower_bound: Math.round(plan.lower_bound_s),
    tasks,
    transports,
    critical_path: criticalPath(model, plan),
    ...cycleReply(model, plan.cycle),
  };
}
