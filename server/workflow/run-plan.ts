/** The plan that a run follows: what comes next, whether a new one differs, when drift matters. */
import type { WorkflowModel } from './model.ts';
import type { Moves } from './moves.ts';
import { plan } from './plan/planner.ts';
import type { Plan, PlannedMove, PlannedTask } from './plan/problem.ts';
import { planProblem } from './plan-problem.ts';
import type { Progress } from './progress.ts';

export interface RunPlanParts {
  readonly model: WorkflowModel;
  readonly moves: Moves;
  readonly progress: Progress;
  readonly seed: number;
  readonly isDown: (instrument: number) => boolean;
}

/** Share of the usual attempts for a new plan in the midst of a run. */
const EFFORT = 0.05;
const DRIFT_S = 1;
const DRIFT_SHARE = 0.1;

export class RunPlan {
  current: Plan;
  /** Why the latest new plan could not be made; empty when it could. */
  faults: readonly string[] = [];
  private readonly parts: RunPlanParts;

  constructor(parts: RunPlanParts, first: Plan) {
    this.parts = parts;
    this.current = first;
  }

  /** The next move that has not begun; undefined for none. */
  get nextMove(): PlannedMove | undefined {
    return this.current.moves.find((move) => !this.parts.progress.hasBegun(move));
  }

  /** The first waiting task of each instrument, and of none. */
  get nextTasks(): PlannedTask[] {
    const found = new Map<number, PlannedTask>();
    for (const one of this.current.tasks) {
      const waits = this.parts.progress.tasks[one.task]!.state === 'waiting';
      if (waits && !found.has(one.instrument)) found.set(one.instrument, one);
    }
    return [...found.values()];
  }

  /** When something is to begin next, after a time (s); null for nothing. */
  nextStart_s(after_s: number): number | null {
    const starts = [this.nextMove, ...this.nextTasks].flatMap((one) =>
      one && one.start_s > after_s ? [one.start_s] : [],
    );
    return starts.length === 0 ? null : Math.min(...starts);
  }

  /** The planned times of a task. */
  taskTimes(task: number): PlannedTask | undefined {
    return this.current.tasks.find((one) => one.task === task);
  }

  /** The planned end of a move (s). */
  moveEnd_s({ task, labware, end_s }: PlannedMove): number {
    const { moves } = this.current;
    return moves.find((one) => one.task === task && one.labware === labware)?.end_s ?? end_s;
  }

  /** True when something is so late or early that the plan may be wrong. */
  isDrift(planned_s: number, actual_s: number, duration_s: number): boolean {
    return Math.abs(actual_s - planned_s) > Math.max(DRIFT_S, DRIFT_SHARE * duration_s);
  }

  private text({ tasks, moves }: Plan): string {
    const { progress } = this.parts;
    const rest = [
      ...tasks.filter(({ task }) => progress.tasks[task]!.state === 'waiting'),
      ...moves.filter((move) => !progress.hasBegun(move)),
    ];
    return JSON.stringify(rest);
  }

  /** Plans what has not begun; true when there is a plan and it differs from the one before. */
  renew(now_s: number): boolean {
    const { model, moves, progress, seed, isDown } = this.parts;
    const started = progress.started(now_s);
    const situation = { now_s, started, skipped: progress.skipped, isDown };
    const problem = planProblem(model, moves.time_s, situation);
    const found = plan(problem, { seed, effort: EFFORT, like: this.current });
    this.faults = found.ok ? [] : found.error.sentences;
    if (!found.ok) return false;
    const before = this.text(this.current);
    this.current = found.value;
    return this.text(found.value) !== before;
  }

  /** Work left (whole seconds). */
  remaining_s(now_s: number): number {
    return Math.max(0, Math.ceil(this.current.makespan_s - now_s - 1e-6));
  }
}
