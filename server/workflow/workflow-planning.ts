/**
 * Connects workflows with the planner: builds the planning problem of a workflow or of the rest of
 * a run, plans without blocking the event loop, and converts plans to the wire format.
 */

import type { Result } from '../../contract/refusal.ts';
import type {
  PlanAnalysis,
  PlannedTransport,
  PlannedWorkflowTask,
  WorkflowPlan,
} from '../../contract/types.ts';
import type { WallClock } from '../clock/clock.ts';
import type { WorkflowModel } from './model.ts';
import { bottleneckText, criticalPath, planSlack } from './plan/bounds.ts';
import { type PlanOptions, planSteps } from './plan/planner.ts';
import type {
  Plan,
  PlanFault,
  PlanJob,
  PlanProblem,
  PlanTask,
  StartedOperation,
  TimeConstraint,
  UnitCycle,
} from './plan/problem.ts';
import { limitsOf } from './progress.ts';

/** Longest work between two turns of the event loop (ms). The plan does not depend on it. */
const SLICE_MS = 2;

/** Slices of work that wait for their turn of the event loop; each returns whether it is done. */
const waiting: (() => boolean)[] = [];
let isTaking = false;

/** Runs one slice in each turn of the event loop, however many pieces of work there are. */
function takeTurns(wall: WallClock): void {
  const slice = waiting.shift();
  isTaking = slice !== undefined;
  if (!slice) return;
  if (!slice()) waiting.push(slice);
  wall.soon(() => takeTurns(wall));
}

/** Calls `step` in short slices until it returns something other than null; resolves to that. */
export function runCooperatively<Answer>(
  wall: WallClock,
  step: () => Answer | null,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const slice = (): boolean => {
      const end_ms = wall.now_ms() + SLICE_MS;
      try {
        do {
          const answer = step();
          if (answer !== null) {
            resolve(answer);
            return true;
          }
        } while (wall.now_ms() < end_ms);
        return false;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    waiting.push(slice);
    if (isTaking) return;
    isTaking = true;
    wall.soon(() => takeTurns(wall));
  });
}

/** Resolves in a turn of the event loop without other slices: what follows may take one. */
export async function ownTurn(wall: WallClock): Promise<void> {
  await runCooperatively(wall, () => true);
}

/** Divides work that other tasks interrupt into slices. */
export class Slices {
  private readonly wall: WallClock;
  private end_ms = Number.NEGATIVE_INFINITY;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  /** Resolves at once within a slice, else in a turn of its own, where the next one begins. */
  async next(): Promise<void> {
    if (this.wall.now_ms() < this.end_ms) return;
    await ownTurn(this.wall);
    this.end_ms = this.wall.now_ms() + SLICE_MS;
  }
}

/** Like `plan`, without blocking the event loop. */
export function planCooperatively(
  problem: PlanProblem,
  options: PlanOptions,
  wall: WallClock,
): Promise<Result<Plan, PlanFault>> {
  const steps = planSteps(problem, options);
  return runCooperatively(wall, () => {
    const { done, value } = steps.next();
    return done ? value : null;
  });
}

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

export interface PlanSituation {
  readonly now_s: number;
  readonly started: readonly StartedOperation[];
  /** Tasks that an operator has skipped. */
  readonly skipped: ReadonlySet<number>;
  readonly isDown: (instrument: number) => boolean;
  /** Whether a limit of time is broken already and no longer binds. */
  readonly isBroken: (constraint_id: string) => boolean;
}

/** The situation before a run. */
export const NOTHING_STARTED: PlanSituation = {
  now_s: 0,
  started: [],
  skipped: new Set(),
  isDown: () => false,
  isBroken: () => false,
};

function planTaskOf(model: WorkflowModel, index: number, situation: PlanSituation): PlanTask {
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

function constraintsOf(model: WorkflowModel, situation: PlanSituation): TimeConstraint[] {
  if (model.constraints.length === 0) return [];
  const isSkipped = (task: number) => situation.skipped.has(task) || model.tasks[task]!.skip;
  return limitsOf(model)
    .filter(({ from, to }) => !isSkipped(from) && !isSkipped(to))
    .filter(({ constraint }) => !situation.isBroken(constraint.id))
    .map(({ constraint, ...limit }) => ({ id: constraint.id, ...limit }));
}

/** The batches as jobs: earlier ones weigh more. */
function batchJobs({ batches, tasks }: WorkflowModel): PlanJob[] {
  const taken = new Set<number>();
  return batches.map((pieces, i) => {
    const own = tasks.flatMap(({ uses }, task) => {
      const isOwn = !taken.has(task) && uses.some(({ labware }) => pieces.includes(labware));
      return isOwn ? [task] : [];
    });
    for (const task of own) taken.add(task);
    const rank = batches.length - 1 - i;
    return { tasks: own, rank, weight: 1 + rank, due_s: Number.POSITIVE_INFINITY };
  });
}

/** Builds the planning problem of a workflow in a situation. */
export function planProblem(
  model: WorkflowModel,
  move_s: PlanProblem['move_s'],
  situation: PlanSituation,
): PlanProblem {
  const labware = model.labware.map(({ id, location, tasks }) => ({
    id,
    location,
    tasks: tasks.filter((task) => !situation.skipped.has(task)),
  }));
  return {
    instruments: model.instruments,
    tasks: model.tasks.map((_, index) => planTaskOf(model, index, situation)),
    labware,
    constraints: constraintsOf(model, situation),
    buffers: model.buffers.filter(({ instrument }) => !situation.isDown(instrument)),
    move_s,
    now_s: situation.now_s,
    started: situation.started,
    ...(model.batches.length > 1 && { jobs: batchJobs(model) }),
  };
}
