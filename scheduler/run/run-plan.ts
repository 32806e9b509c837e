/** The plan of a run: the next operations, and how far the run is from it. */

import { moveKey } from '../plan/move-key.ts';
import type { Plan, PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import { isSameLocation } from '../plan/slot-location.ts';
import { isSameTime } from '../plan/time-tolerance.ts';
import type { RunProgress } from './progress.ts';

type Planned = PlannedTask | PlannedLabwareMove;

const DRIFT_S = 1;
const DRIFT_SHARE = 0.1;
/** Times of joint plans differ by rounding (s). */
const JOINT_ROUNDING_S = 1e-5;

function isSameOne(a: Planned, b: Planned): boolean {
  if (a.task !== b.task || !isSameTime(a.start_s, b.start_s, JOINT_ROUNDING_S)) return false;
  if (!isSameTime(a.end_s, b.end_s, JOINT_ROUNDING_S)) return false;
  if ('instrument' in a) return 'instrument' in b && a.instrument === b.instrument;
  return (
    'labware' in b &&
    a.labware === b.labware &&
    isSameLocation(a.from, b.from) &&
    isSameLocation(a.to, b.to)
  );
}

function isSame(one: readonly Planned[], other: readonly Planned[]): boolean {
  return one.length === other.length && one.every((entry, i) => isSameOne(entry, other[i]!));
}

export class RunPlan {
  current: Plan;
  private readonly firstTasks: ReadonlyMap<number, PlannedTask>;
  private readonly firstMoves: ReadonlyMap<number, PlannedLabwareMove>;
  /** Why the latest replanning failed; empty if it succeeded. */
  faults: readonly string[] = [];
  private readonly progress: RunProgress;

  constructor(progress: RunProgress, first: Plan) {
    this.progress = progress;
    this.current = first;
    this.firstTasks = new Map(first.tasks.map((one) => [one.task, one]));
    this.firstMoves = new Map(first.moves.map((one) => [moveKey(one), one]));
  }

  /** A task or move by the first plan of the run; undefined if that did not contain it. */
  firstPlanned(one: number | PlannedLabwareMove): Planned | undefined {
    return typeof one === 'number' ? this.firstTasks.get(one) : this.firstMoves.get(moveKey(one));
  }

  /** The moves that have not begun, in the order of the plan; none of labware on hold. */
  get openMoves(): PlannedLabwareMove[] {
    const { progress } = this;
    const held = progress.heldTasks();
    return this.current.moves.filter((one) => !progress.hasStarted(one) && !held.has(one.task));
  }

  /** The tasks that wait, in the order of the plan; none of labware on hold. */
  get openTasks(): PlannedTask[] {
    const { tasks } = this.progress;
    const held = this.progress.heldTasks();
    return this.current.tasks.filter(
      ({ task, instrument }) =>
        // Without an instrument: a branch that the plan does not count.
        instrument >= 0 && tasks[task]!.state === 'waiting' && !held.has(task),
    );
  }

  /** The next planned start after a time (s); null for none. */
  nextStart_s(after_s: number): number | null {
    let next_s = Number.POSITIVE_INFINITY;
    for (const { start_s } of [...this.openMoves, ...this.openTasks]) {
      if (start_s > after_s && start_s < next_s) next_s = start_s;
    }
    return Number.isFinite(next_s) ? next_s : null;
  }

  /** The planned times of a task. */
  taskTimes(task: number): PlannedTask | undefined {
    return this.current.tasks.find((one) => one.task === task);
  }

  /** The planned end of a move (s). */
  moveEnd_s({ task, labware, end_s, toBuffer }: PlannedLabwareMove): number {
    const isIt = (one: PlannedLabwareMove) =>
      one.task === task && one.labware === labware && one.toBuffer === toBuffer;
    return this.current.moves.find(isIt)?.end_s ?? end_s;
  }

  /** True if a time is far enough from its planned value to require a new plan. */
  isDrift(planned_s: number, actual_s: number, duration_s: number): boolean {
    return Math.abs(actual_s - planned_s) > Math.max(DRIFT_S, DRIFT_SHARE * duration_s);
  }

  /** The planned operations that have not started. */
  private rest({ tasks, moves }: Plan): readonly Planned[] {
    const { progress } = this;
    return [
      ...tasks.filter(({ task }) => progress.tasks[task]!.state === 'waiting'),
      ...moves.filter((move) => !progress.hasStarted(move)),
    ];
  }

  /** Takes a new plan; returns whether what has not started differs. */
  adopt(plan: Plan): boolean {
    const before = this.rest(this.current);
    this.current = plan;
    return !isSame(before, this.rest(plan));
  }

  /** Remaining work (whole seconds). */
  remaining_s(now_s: number): number {
    return Math.max(0, Math.ceil(this.current.makespan_s - now_s - 1e-6));
  }
}
