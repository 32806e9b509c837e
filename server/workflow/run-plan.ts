/**
 * The plan that a run follows, and the one in the making: what comes next, whether a new plan
 * differs, when drift matters.
 */
import type { WorkflowModel } from './model.ts';
import type { Moves } from './moves.ts';
import { type Operations, operationsOf } from './plan/operations.ts';
import { type Planning, planning } from './plan/planner.ts';
import { type Plan, type PlannedMove, type PlannedTask, samePlace } from './plan/problem.ts';
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
const EFFORT = 0.015;
const DRIFT_S = 1;
const DRIFT_SHARE = 0.1;

function isSameOne(a: PlannedTask | PlannedMove, b: PlannedTask | PlannedMove): boolean {
  if (a.task !== b.task || a.start_s !== b.start_s || a.end_s !== b.end_s) return false;
  if ('instrument' in a) return 'instrument' in b && a.instrument === b.instrument;
  return (
    'labware' in b && a.labware === b.labware && samePlace(a.from, b.from) && samePlace(a.to, b.to)
  );
}

function isSame(
  one: readonly (PlannedTask | PlannedMove)[],
  other: readonly (PlannedTask | PlannedMove)[],
): boolean {
  return one.length === other.length && one.every((entry, i) => isSameOne(entry, other[i]!));
}

export class RunPlan {
  current: Plan;
  /** Why the latest new plan could not be made; empty when it could. */
  faults: readonly string[] = [];
  private readonly parts: RunPlanParts;
  private making: Planning | null = null;
  /** The operations of the latest problem, and how many tasks it left out. */
  private known: (Operations & { readonly skipped: number }) | null = null;

  constructor(parts: RunPlanParts, first: Plan) {
    this.parts = parts;
    this.current = first;
    this.operationsNow(0);
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

  /** What a plan says of everything that has not begun. */
  private rest({ tasks, moves }: Plan): readonly (PlannedTask | PlannedMove)[] {
    const { progress } = this.parts;
    return [
      ...tasks.filter(({ task }) => progress.tasks[task]!.state === 'waiting'),
      ...moves.filter((move) => !progress.hasBegun(move)),
    ];
  }

  /** True while a new plan is in the making. */
  get isMaking(): boolean {
    return this.making !== null;
  }

  /** What is left to do; all but its beginnings is worked out anew only where it has changed. */
  private operationsNow(now_s: number): Operations {
    const { model, moves, progress, isDown } = this.parts;
    const { skipped } = progress;
    const started = progress.started(now_s);
    // What has begun may stay on an instrument that is down: such operations are not kept.
    const isKept = !model.instruments.some((_, instrument) => isDown(instrument));
    const { known } = this;
    if (isKept && known?.skipped === skipped.size) {
      return { ...known, problem: { ...known.problem, now_s, started } };
    }
    const situation = { now_s, started, skipped, isDown };
    const operations = operationsOf(planProblem(model, moves.time_s, situation));
    this.known = isKept ? { ...operations, skipped: skipped.size } : null;
    return operations;
  }

  /** Begins a new plan for what has not begun now; one in the making is given up. */
  begin(now_s: number): void {
    const known = this.operationsNow(now_s);
    const { seed } = this.parts;
    this.making = planning(known.problem, { seed, effort: EFFORT, like: this.current, known });
  }

  /** Goes on with the plan in the making: how much work that was, and whether the plan is new. */
  make(): { readonly work: number; readonly isNew: boolean } {
    const step = this.making!.next();
    if (!step.done) return { work: step.value, isNew: false };
    this.making = null;
    const found = step.value;
    this.faults = found.ok ? [] : found.error.sentences;
    if (!found.ok) return { work: 0, isNew: false };
    const before = this.rest(this.current);
    this.current = found.value;
    return { work: 0, isNew: !isSame(before, this.rest(found.value)) };
  }

  /** Gives up the plan in the making. */
  drop(): void {
    this.making = null;
  }

  /** Work left (whole seconds). */
  remaining_s(now_s: number): number {
    return Math.max(0, Math.ceil(this.current.makespan_s - now_s - 1e-6));
  }
}
