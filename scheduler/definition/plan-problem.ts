/** The planning problem of a workflow, or of the rest of a run of it. */
import type {
  PlanInstrument,
  PlanProblem,
  PlanTask,
  StartedOperation,
  TimeConstraint,
} from '../plan/problem.ts';
import { shiftsSince } from '../plan/shifts.ts';
import { uncountedTasks } from './task-condition.ts';
import { limitsOf } from './task-limit.ts';
import type { WorkflowModel } from './workflow-model.ts';

export interface PlanSituation {
  readonly now_s: number;
  readonly started: readonly StartedOperation[];
  /** Tasks that are not done: skipped, cancelled or given up. */
  readonly skipped: ReadonlySet<number>;
  /** Whether the result of a task is there already. */
  readonly isKnown: (task: number) => boolean;
  /** When an instrument that is down is expected back (s); null for one that is up. */
  readonly back_s: (instrument: number) => number | null;
  /** Since when the instruments warm up: the start of the first of the active runs (s). */
  readonly begun_s: number;
  /** The time of day at time 0 (s since midnight, UTC). */
  readonly clock_s: number;
  /** Whether each task needs an instrument that is up now. */
  readonly mustBeUp: boolean;
  /** Whether a limit of time is broken already and no longer binds. */
  readonly isBroken: (constraint_id: string) => boolean;
}

/** The situation before a run. */
export const NOTHING_STARTED: PlanSituation = {
  now_s: 0,
  started: [],
  skipped: new Set(),
  isKnown: () => false,
  back_s: () => null,
  begun_s: 0,
  clock_s: 0,
  mustBeUp: true,
  isBroken: () => false,
};

function planTaskOf(model: WorkflowModel, index: number, situation: PlanSituation): PlanTask {
  const { id, estimate_s, candidates, after, uses, skip } = model.tasks[index]!;
  if (skip || situation.skipped.has(index)) {
    return { id, duration_s: 0, candidates: [], after, uses: [] };
  }
  const isDown = (instrument: number) => situation.back_s(instrument) !== null;
  const isAnyDown = candidates.some(isDown);
  const isBegun = isAnyDown && situation.started.some((one) => one.task === index);
  const able = isAnyDown && !isBegun ? candidates.filter((one) => !isDown(one)) : candidates;
  const task = { id, duration_s: estimate_s, candidates: able, after, uses };
  if (able.length > 0) return task;
  const down = situation.mustBeUp && candidates.map((one) => model.instruments[one]!.id);
  return { ...task, candidates, ...(down && { down }) };
}

function constraintsOf(model: WorkflowModel, situation: PlanSituation): TimeConstraint[] {
  if (model.constraints.length === 0) return [];
  const isSkipped = (task: number) => situation.skipped.has(task) || model.tasks[task]!.skip;
  // A task that another run has done ends at the start of this one: what is left of its limit binds.
  const hasEnded = (task: number) => model.tasks[task]!.ended !== undefined;
  return limitsOf(model)
    .filter(({ from, to }) => (!isSkipped(from) || hasEnded(from)) && !isSkipped(to))
    .filter(({ constraint }) => !situation.isBroken(constraint.id))
    .map(({ constraint, ...limit }) => ({ id: constraint.id, ...limit }));
}

/** The instruments: each from when it is warm, and one that is down from when it is expected back. */
function instrumentsOf(
  { instruments }: WorkflowModel,
  { back_s, begun_s, clock_s }: PlanSituation,
): readonly PlanInstrument[] {
  return instruments.map((one, i) => {
    const { warm_up_s, shifts } = one;
    const from_s = back_s(i);
    if (from_s === null && warm_up_s === undefined && shifts === undefined) return one;
    return {
      ...one,
      ...(from_s !== null && { from_s }),
      ...(warm_up_s !== undefined && { warm_s: begun_s + warm_up_s }),
      ...(shifts && { shifts: shiftsSince(shifts, clock_s) }),
    };
  });
}

/** A situation in which what an open branch excludes is passed over. */
function withoutUncounted(model: WorkflowModel, given: PlanSituation): PlanSituation {
  const { skipped, isKnown } = given;
  const uncounted = uncountedTasks(model.tasks, isKnown, (task) => skipped.has(task));
  return uncounted.length === 0
    ? given
    : { ...given, skipped: new Set([...skipped, ...uncounted]) };
}

/** Builds the planning problem of a workflow in a situation. */
export function planProblem(
  model: WorkflowModel,
  move_s: PlanProblem['move_s'],
  given: PlanSituation,
): PlanProblem {
  const situation = withoutUncounted(model, given);
  const labware = model.labware.map(({ id, location, tasks }) => ({
    id,
    location,
    tasks: tasks.filter((task) => !situation.skipped.has(task)),
  }));
  return {
    instruments: instrumentsOf(model, situation),
    tasks: model.tasks.map((_, index) => planTaskOf(model, index, situation)),
    labware,
    constraints: constraintsOf(model, situation),
    buffers: model.buffers.filter(({ instrument }) => situation.back_s(instrument) === null),
    move_s,
    now_s: situation.now_s,
    started: situation.started,
  };
}
