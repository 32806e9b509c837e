/**
 * The parts that a run consists of, connected: progress, plan, limits of time, moves and tasks. The
 * run itself (`run.ts`) decides what follows from what they report.
 */
import type { LimitViolation } from '../../contract/types.ts';
import { TICKS_PER_S } from '../clock/twin-time.ts';
import { DueOperations } from './due-operations.ts';
import type { SchedulingTerms } from './joint-problem.ts';
import type { WorkflowModel } from './model.ts';
import type { Plan, PlannedLabwareMove, PlannedTask } from './plan/problem.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { RunProgress } from './progress.ts';
import type { WorkcellState } from './readiness.ts';
import { PlanPublisher, type Replanning } from './replanning.ts';
import type { RunParts } from './run-log.ts';
import { type MoveFailure, RunMoves } from './run-moves.ts';
import { RunPlan } from './run-plan.ts';
import { RunTasks } from './run-tasks.ts';
import type { Member, SharedWorkcell } from './shared-workcell.ts';
import { TimeLimits } from './time-limits.ts';

export abstract class RunCore implements Member {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly schedule: SchedulingTerms;
  readonly shared: SharedWorkcell;
  readonly progress: RunProgress;
  readonly plan: RunPlan;
  readonly publisher: PlanPublisher;
  readonly workcell: WorkcellState;
  readonly limits: TimeLimits;
  readonly tasks: RunTasks;
  readonly replanning: Replanning;
  readonly start_tick: number;
  isProvisional = false;
  protected readonly parts: RunParts;
  protected readonly labwareMoves: RunMoves;
  protected readonly due: DueOperations;

  constructor(parts: RunParts, first: Plan) {
    const { model, loop, moves, schedule, shared: cell, progress } = parts;
    this.parts = parts;
    this.start_tick = loop.tick;
    [this.model, this.moves, this.schedule] = [model, moves, schedule];
    [this.shared, this.progress] = [cell, progress];
    const isDown = (instrument: number) =>
      instrument >= 0 && parts.isDown(model.instruments[instrument]!.id);
    const shared = { ...parts, now_s: () => this.now_s, time: loop };
    this.limits = new TimeLimits({
      ...shared,
      onViolation: (violation) => this.limitBroken(violation),
      onReleased: () => this.dispatch(),
    });
    const { limits } = this;
    this.plan = new RunPlan(progress, first);
    this.workcell = { model, progress, isDown, limits, neighbours: cell.neighboursOf(this) };
    this.replanning = cell.replanning;
    this.publisher = new PlanPublisher({ ...shared, plan: this.plan });
    this.labwareMoves = new RunMoves({
      ...shared,
      onDone: (move) => this.moveDone(move),
      onFailed: (move, failure) => this.moveFailed(move, failure),
    });
    this.tasks = new RunTasks({
      ...shared,
      onEnded: (task, error) => this.taskEnded(task, error),
    });
    const { plan, workcell, labwareMoves, tasks, replanning } = this;
    const order = {
      isNextMove: (move: PlannedLabwareMove) => cell.isNextMove(this, move),
      isNextTask: (task: PlannedTask) => cell.isNextTask(this, task),
    };
    const operations = { plan, workcell, labwareMoves, tasks, replanning, order };
    const dispatch = () => this.dispatch();
    this.due = new DueOperations({ ...shared, ...operations, dispatch });
    if (parts.held) this.labwareMoves.hold(parts.held);
  }

  /** Seconds since the start of the run. */
  get now_s(): number {
    return (this.parts.loop.tick - this.start_tick) / TICKS_PER_S;
  }

  get tick(): number {
    return this.parts.loop.tick;
  }

  /** Starts whatever is ready in the runs of the workcell; called after every change. */
  dispatch(): void {
    this.shared.dispatch();
  }

  abstract get isActive(): boolean;
  abstract get canStart(): boolean;
  abstract proceed(): boolean;
  protected abstract moveDone(move: PlannedLabwareMove): void;
  protected abstract moveFailed(move: PlannedLabwareMove, failure: MoveFailure): void;
  protected abstract taskEnded(task: number, error: string | null): void;
  protected abstract limitBroken(violation: LimitViolation): void;
}
