/**
 * The limits of time between the tasks of a run (`time_constraints`): watches them on the clock of
 * the twin, records what is broken once, and reports the slack that is left. A broken limit no
 * longer binds the planner.
 */

import type {
  LimitViolation,
  RunLimit,
  WorkflowTimeConstraint,
} from '../../contract/types.generated.ts';
import type { Timers } from '../../server/clock/timers.ts';
import { type TwinTime, tickOf } from '../../server/clock/twin-time.ts';
import type { Cancel } from '../../server/clock/wall-clock.ts';
import { limitsOf, type TaskLimit } from '../definition/task-limit.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { Plan } from '../plan/problem.ts';
import { EPSILON_S } from '../plan/time-tolerance.ts';
import type { RunProgress } from './progress.ts';

interface TimeLimitsParts {
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
  readonly time: TwinTime;
  readonly timers: Timers;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
  readonly onViolation: (violation: LimitViolation) => void;
  /** Called when a task may start because its least time has passed. */
  readonly onReleased: () => void;
}

/** Describes a violation in one sentence. */
export function violationText({ constraint_id, kind, elapsed_s, limit_s }: LimitViolation): string {
  const elapsed = Math.round(elapsed_s * 10) / 10;
  const text = kind === 'too_long' ? `more than ${limit_s}` : `${elapsed} instead of ${limit_s}`;
  return `limit ${constraint_id} is broken: ${text} s`;
}

export class TimeLimits {
  readonly violations: LimitViolation[] = [];
  private readonly limits: readonly TaskLimit[];
  private readonly parts: TimeLimitsParts;
  private cancelWake: Cancel = () => {};
  private hasStopped = false;

  constructor(parts: TimeLimitsParts) {
    this.parts = parts;
    this.limits = limitsOf(parts.model);
  }

  /** The same limits on a copy of the progress. */
  copyFor(progress: RunProgress): TimeLimits {
    const copy = new TimeLimits({ ...this.parts, progress });
    copy.violations.push(...this.violations);
    return copy;
  }

  isBroken(constraint_id: string): boolean {
    return this.violations.some((one) => one.constraint_id === constraint_id);
  }

  /** When a task started or successfully ended (s); null if it has not. */
  private mark_s(task: number, isEnd: boolean): number | null {
    const { state, start_s, end_s } = this.parts.progress.tasks[task]!;
    if (state === 'succeeded' || state === 'completed_manually') return isEnd ? end_s : start_s;
    return state === 'running' && !isEnd ? start_s : null;
  }

  /** Whether the limit can still begin or end. */
  private isVoid({ from, to }: TaskLimit): boolean {
    const { tasks } = this.parts.progress;
    const never = ['skipped', 'cancelled', 'aborted'];
    return never.includes(tasks[from]!.state) || never.includes(tasks[to]!.state);
  }

  private marksOf({ from, from_end, to, to_end }: TaskLimit) {
    return { from_s: this.mark_s(from, from_end), to_s: this.mark_s(to, to_end) };
  }

  /** Records new violations, and wakes up at the next time that matters. */
  check(): void {
    for (const limit of this.limits) {
      // A limit that is broken can end the run, and with it the others.
      if (!this.hasStopped) this.checkLimit(limit);
    }
    this.cancelWake();
    if (this.hasStopped) return;
    const { time, timers, now_s } = this.parts;
    const now = now_s();
    const wake_s = Math.min(...this.limits.flatMap((limit) => this.wakesOf(limit, now)));
    if (!Number.isFinite(wake_s)) return;
    // A limit is broken after its last moment, at the next tick.
    const wake_tick = tickOf(time.now_s + wake_s - now) + 1;
    this.cancelWake = timers.at(wake_tick, () => {
      this.check();
      this.parts.onReleased();
    });
  }

  private checkLimit(limit: TaskLimit): void {
    if (this.isVoid(limit)) return;
    const { constraint, min_s, max_s } = limit;
    const { from_s, to_s } = this.marksOf(limit);
    if (from_s === null) return;
    const elapsed_s = (to_s ?? this.parts.now_s()) - from_s;
    const known = this.violations.findIndex((one) => one.constraint_id === constraint.id);
    if (known >= 0) {
      if (to_s !== null) this.violations[known] = { ...this.violations[known]!, elapsed_s };
    } else if (elapsed_s > max_s + EPSILON_S) {
      this.add(constraint, { kind: 'too_long', limit_s: max_s, elapsed_s });
    } else if (to_s !== null && elapsed_s < min_s - EPSILON_S) {
      this.add(constraint, { kind: 'too_short', limit_s: min_s, elapsed_s });
    }
  }

  private add(
    { id, on_violation = 'continue' }: WorkflowTimeConstraint,
    found: Pick<LimitViolation, 'kind' | 'limit_s' | 'elapsed_s'>,
  ): void {
    const at_s = this.parts.now_s();
    const violation: LimitViolation = { constraint_id: id, ...found, at_s, on_violation };
    this.violations.push(violation);
    this.parts.onViolation(violation);
  }

  /** The future times at which a limit breaks or releases its task (s). */
  private wakesOf(limit: TaskLimit, now_s: number): number[] {
    const { from_s, to_s } = this.marksOf(limit);
    if (from_s === null || to_s !== null || this.isVoid(limit)) return [];
    const wakes = this.isBroken(limit.constraint.id) ? [] : [from_s + limit.max_s];
    wakes.push(this.release_s(limit, from_s));
    return wakes.filter((time_s) => Number.isFinite(time_s) && time_s >= now_s - EPSILON_S);
  }

  private release_s({ to, to_end, min_s }: TaskLimit, from_s: number): number {
    const own_s = to_end ? this.parts.model.tasks[to]!.estimate_s : 0;
    return from_s + min_s - own_s;
  }

  /** Whether a task waits for the begin of a limit: its start, not its end, would be too early. */
  private holds({ from, to, to_end, min_s }: TaskLimit): boolean {
    return from !== to && (min_s > 0 || !to_end);
  }

  /** Whether a task waits for a limit that has not begun. */
  isUnbegun(task: number): boolean {
    return this.limits.some(
      (limit) =>
        limit.to === task &&
        this.holds(limit) &&
        !this.isVoid(limit) &&
        this.marksOf(limit).from_s === null,
    );
  }

  /** Returns why a task must not start yet; empty if it may. */
  reasons(task: number): string[] {
    return this.limits.flatMap((limit) => {
      if (limit.to !== task || !this.holds(limit) || this.isVoid(limit)) return [];
      const { from_s } = this.marksOf(limit);
      const { id } = limit.constraint;
      if (from_s === null) return [`limit ${id} has not begun`];
      const left_s = this.release_s(limit, from_s) - this.parts.now_s();
      return left_s > EPSILON_S ? [`limit ${id} holds it for ${Math.ceil(left_s)} s`] : [];
    });
  }

  /** Returns the state of every limit and its slack in a plan. */
  states({ tasks }: Plan): RunLimit[] {
    const planned = new Map(tasks.map((one) => [one.task, one]));
    return this.limits.map((limit) => {
      const { constraint, from, from_end, to, to_end, max_s, min_s } = limit;
      const { from_s, to_s } = this.marksOf(limit);
      const [first, last] = [planned.get(from), planned.get(to)];
      const begin_s = from_s ?? (first && (from_end ? first.end_s : first.start_s));
      const end_s = to_s ?? (last && (to_end ? last.end_s : last.start_s));
      const planned_s = begin_s === undefined || end_s === undefined ? null : end_s - begin_s;
      const isLimited = Number.isFinite(max_s);
      return {
        constraint_id: constraint.id,
        state: this.stateOf(limit),
        min_s,
        max_s: isLimited ? max_s : null,
        elapsed_s: from_s === null ? null : (to_s ?? this.parts.now_s()) - from_s,
        planned_s,
        slack_s: isLimited && planned_s !== null ? max_s - planned_s : null,
      };
    });
  }

  private stateOf(limit: TaskLimit): RunLimit['state'] {
    const { from_s, to_s } = this.marksOf(limit);
    if (this.isBroken(limit.constraint.id)) return 'broken';
    if (this.isVoid(limit)) return 'void';
    if (from_s === null) return 'waiting';
    return to_s === null ? 'running' : 'held';
  }

  /** Stops watching. */
  stop(): void {
    this.hasStopped = true;
    this.cancelWake();
  }
}
