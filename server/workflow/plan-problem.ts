/** The planner's problem of a workflow: as it is before a run, or what a run has left to do. */
import type { WorkflowModel } from './model.ts';
import type { PlanProblem, PlanTask, Started, TimeConstraint } from './plan/problem.ts';

export interface Situation {
  readonly now_s: number;
  readonly started: readonly Started[];
  /** Tasks that are left out although the definition has them. */
  readonly skipped: ReadonlySet<number>;
  readonly isDown: (instrument: number) => boolean;
}

/** Before anything has begun. */
export const FRESH: Situation = {
  now_s: 0,
  started: [],
  skipped: new Set(),
  isDown: () => false,
};

function taskOf(model: WorkflowModel, index: number, situation: Situation): PlanTask {
  const { id, estimate_s, candidates, after, uses, skip } = model.tasks[index]!;
  if (skip || situation.skipped.has(index)) {
    return { id, duration_s: 0, candidates: [], after, uses: [] };
  }
  const isAnyDown = candidates.some(situation.isDown);
  const isBegun = isAnyDown && situation.started.some((one) => one.task === index);
  const able =
    isAnyDown && !isBegun ? candidates.filter((one) => !situation.isDown(one)) : candidates;
  return { id, duration_s: estimate_s, candidates: able, after, uses };
}

function constraintsOf(model: WorkflowModel): TimeConstraint[] {
  if (model.constraints.length === 0) return [];
  const index = new Map(model.tasks.map(({ id }, i) => [id, i]));
  return model.constraints.map((one) => ({
    id: one.id,
    from: index.get(one.start_task_id)!,
    from_end: one.type.startsWith('end'),
    to: index.get(one.end_task_id)!,
    to_end: one.type.endsWith('end'),
    min_s: one.min_duration ?? 0,
    max_s: one.max_duration ?? Number.POSITIVE_INFINITY,
  }));
}

/** Makes the problem. */
export function planProblem(
  model: WorkflowModel,
  move_s: PlanProblem['move_s'],
  situation: Situation,
): PlanProblem {
  const labware = model.labware.map(({ id, place, tasks }) => ({
    id,
    place,
    tasks: tasks.filter((task) => !situation.skipped.has(task)),
  }));
  return {
    instruments: model.instruments,
    tasks: model.tasks.map((_, index) => taskOf(model, index, situation)),
    labware,
    constraints: constraintsOf(model),
    move_s,
    now_s: situation.now_s,
    started: situation.started,
  };
}
