/**
 * Starts the planned tasks and moves of a run once their time has come and the workcell is ready
 * for them: labware in place, instrument and arm free.
 */
import type { PlannedLabwareMove, PlannedTask } from './plan/problem.ts';
import { moveReasons, taskReasons, type WorkcellState } from './readiness.ts';
import type { Replanning } from './replanning.ts';
import type { RunMoves } from './run-moves.ts';
import type { RunPlan } from './run-plan.ts';
import type { RunTasks } from './run-tasks.ts';
import type { LabwareTransporter } from './transporter.ts';

const EPSILON_S = 1e-6;

export interface DueOperationsParts {
  readonly plan: RunPlan;
  readonly workcell: WorkcellState;
  readonly labwareMoves: RunMoves;
  readonly tasks: RunTasks;
  readonly replanning: Replanning;
  readonly transporter: LabwareTransporter;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
}

export class DueOperations {
  /** True while a move waits for the arm to come to rest after an earlier motion. */
  isArmAwaited = false;
  private readonly parts: DueOperationsParts;

  constructor(parts: DueOperationsParts) {
    this.parts = parts;
  }

  private isDue({ start_s }: { readonly start_s: number }): boolean {
    return this.parts.now_s() >= start_s - EPSILON_S;
  }

  /** The next planned start in the future (s); null for none. */
  nextStart_s(): number | null {
    return this.parts.plan.nextStart_s(this.parts.now_s() + EPSILON_S);
  }

  private get dueMove(): PlannedLabwareMove | null {
    const { plan, labwareMoves, workcell } = this.parts;
    const move = plan.nextMove;
    if (!move || !labwareMoves.isFree || !this.isDue(move)) return null;
    return moveReasons(workcell, move).length > 0 ? null : move;
  }

  /** Starts the next move if it is due; returns its fault, if it cannot start. */
  startMove(): { readonly hasStarted: boolean; readonly fault: string | null } {
    const { labwareMoves, replanning, transporter, now_s } = this.parts;
    const move = this.dueMove;
    this.isArmAwaited = move !== null && !transporter.isReady;
    if (move === null || this.isArmAwaited) return { hasStarted: false, fault: null };
    const fault = labwareMoves.start(move);
    if (fault === null) replanning.recordTiming(move, now_s(), move.start_s);
    return { hasStarted: fault === null, fault };
  }

  /** Starts the tasks that are due; returns whether there was one. */
  startTasks(): boolean {
    const { plan, workcell, tasks, replanning, now_s } = this.parts;
    const isReady = (one: PlannedTask) =>
      this.isDue(one) && taskReasons(workcell, one.task, one.instrument).length === 0;
    let hasStarted = false;
    for (const one of plan.nextTasks) {
      if (!isReady(one)) continue;
      tasks.start(one);
      replanning.recordTiming(one, now_s(), one.start_s);
      hasStarted = true;
    }
    return hasStarted;
  }
}
