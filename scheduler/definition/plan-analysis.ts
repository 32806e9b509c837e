import type { PlanAnalysis } from '../../contract/types.generated.ts';
import { bottleneckText } from '../plan/bottleneck.ts';
import { planSlack } from '../plan/plan-slack.ts';
import type { Plan } from '../plan/problem.ts';
import type { WorkflowModel } from './workflow-model.ts';

const CRITICAL_S = 1e-3;

/** Returns the slack of each operation of a plan, and its bottleneck. */
export function planAnalysis(model: WorkflowModel, plan: Plan): PlanAnalysis {
  const operations = planSlack(model, plan).map((one) => ({
    name: one.name,
    task_id: model.tasks[one.task]?.id ?? null,
    labware_id: model.labware[one.piece]?.id ?? null,
    instrument_id: model.instruments[one.instrument]?.id ?? null,
    start_s: one.start_s,
    end_s: one.end_s,
    slack_s: one.slack_s,
    is_critical: one.slack_s < CRITICAL_S,
  }));
  return { operations, bottleneck: bottleneckText(model, plan) };
}
