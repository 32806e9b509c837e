/**
 * Lower bounds of the makespan: the longest chain, and the load of the arm, of each group of
 * instruments and of each slot. Times in seconds; started operations keep their times.
 */

import type { Operations } from './operations.ts';
import { type LabwareUse, type PlanProblem, type PlanTask, placesFor } from './problem.ts';
import { shortestMove_s } from './shortest-move.ts';
import { type MachineJob, singleMachineBound_s } from './single-machine-bound.ts';
import { ANY_SLOT, isSameLocation } from './slot-location.ts';
import { topological } from './topological-order.ts';

/** A move that has not started and is unavoidable. */
interface NeededMove {
  readonly task: number;
  /** The previous task of the piece; −1 for none. */
  readonly previous: number;
  readonly time_s: number;
}

/** The started operations of a problem. */
interface StartedState {
  /** End of each task (s); NaN before its start. */
  readonly end_s: Float64Array;
  /** Ends of the moves that brought a piece for a task (s), by `pieceKey`. */
  readonly brought_s: ReadonlyMap<number, number>;
  /** Earliest next move of the arm (s). */
  readonly arm_s: number;
}

function pieceKey(task: number, labware: number): number {
  return task * 4096 + labware;
}

function startedStateOf({ tasks, started, now_s }: PlanProblem): StartedState {
  const end_s = new Float64Array(tasks.length).fill(Number.NaN);
  const brought_s = new Map<number, number>();
  let arm_s = now_s;
  for (const one of started) {
    if (one.kind === 'task') end_s[one.task] = one.end_s;
    else {
      if (!one.toBuffer) brought_s.set(pieceKey(one.task, one.labware), one.end_s);
      arm_s = Math.max(arm_s, one.end_s);
    }
  }
  return { end_s, brought_s, arm_s };
}

function useOf({ uses }: PlanTask, labware: number): LabwareUse {
  return uses.find((one) => one.labware === labware)!;
}

/** The remaining moves before each task. */
function neededMoves(problem: PlanProblem, { end_s, brought_s }: StartedState): NeededMove[][] {
  const moves: NeededMove[][] = problem.tasks.map(() => []);
  problem.labware.forEach((piece, l) => {
    piece.tasks.forEach((task, i) => {
      if (!Number.isNaN(end_s[task]!) || brought_s.has(pieceKey(task, l))) return;
      const time_s = shortestMove_s(problem, l, i);
      moves[task]!.push({ task, previous: piece.tasks[i - 1] ?? -1, time_s });
    });
  });
  return moves;
}

interface BoundInputs {
  readonly operations: Operations;
  readonly started: StartedState;
  readonly moves: readonly (readonly NeededMove[])[];
}

/** The earliest end of each task (s). */
function earliestEnds({ operations, started, moves }: BoundInputs): Float64Array {
  const { problem, before } = operations;
  const { now_s, tasks } = problem;
  const end_s = Float64Array.from(started.end_s);
  for (const task of topological(before)) {
    if (!Number.isNaN(end_s[task]!)) continue;
    let start_s = now_s;
    for (const other of tasks[task]!.after) start_s = Math.max(start_s, end_s[other]!);
    for (const { labware } of tasks[task]!.uses) {
      start_s = Math.max(start_s, started.brought_s.get(pieceKey(task, labware)) ?? now_s);
    }
    const fetching = moves[task]!.map(({ previous, time_s }) => {
      const head_s = previous < 0 ? now_s : Math.max(now_s, end_s[previous]!);
      return { head_s: Math.max(head_s, started.arm_s), work_s: time_s, tail_s: 0 };
    });
    end_s[task] = Math.max(start_s, singleMachineBound_s(fetching)) + tasks[task]!.duration_s;
  }
  return end_s;
}

/** Least time from the start of each task to the end of the plan, the task included (s). */
function followingTimes({ operations, moves }: BoundInputs): Float64Array {
  const { problem, before } = operations;
  const after_s = new Float64Array(operations.tasks);
  const order = topological(before);
  for (let i = order.length - 1; i >= 0; i--) {
    const task = order[i]!;
    const own_s = after_s[task]! + problem.tasks[task]!.duration_s;
    after_s[task] = own_s;
    for (const other of problem.tasks[task]!.after) {
      after_s[other] = Math.max(after_s[other]!, own_s);
    }
    for (const { previous, time_s } of moves[task]!) {
      if (previous >= 0) after_s[previous] = Math.max(after_s[previous]!, time_s + own_s);
    }
  }
  return after_s;
}

/** Lower bound from the load of the arm (s). */
function armBound_s(inputs: BoundInputs, end_s: Float64Array, after_s: Float64Array): number {
  const { operations, started, moves } = inputs;
  const jobs = moves.flat().flatMap(({ task, previous, time_s }): MachineJob[] => {
    const ready_s = previous < 0 ? operations.problem.now_s : end_s[previous]!;
    const head_s = Math.max(started.arm_s, ready_s);
    return time_s > 0 ? [{ head_s, work_s: time_s, tail_s: after_s[task]! }] : [];
  });
  return singleMachineBound_s(jobs);
}

/** Lower bound from the tasks that share the same group of candidate instruments (s). */
function loadBound_s(inputs: BoundInputs, end_s: Float64Array, after_s: Float64Array): number {
  const { problem } = inputs.operations;
  const groups = new Map<string, MachineJob[]>();
  const capacities = new Map<string, number>();
  problem.tasks.forEach(({ candidates, duration_s }, t) => {
    if (candidates.length === 0 || !Number.isNaN(inputs.started.end_s[t]!)) return;
    const key = [...candidates].sort((a, b) => a - b).join();
    const head_s = end_s[t]! - duration_s;
    const job = { head_s, work_s: duration_s, tail_s: after_s[t]! - duration_s };
    const group = groups.get(key);
    if (group) group.push(job);
    else groups.set(key, [job]);
    const capacity = candidates.reduce((sum, one) => sum + problem.instruments[one]!.capacity, 0);
    capacities.set(key, capacity);
  });
  let bound_s = 0;
  for (const [key, jobs] of groups) {
    // Relaxation: one instrument does all tasks, faster by the capacity of the group.
    const capacity = capacities.get(key)!;
    const shared = jobs.map((job) => ({ ...job, work_s: job.work_s / capacity }));
    bound_s = Math.max(bound_s, singleMachineBound_s(shared));
  }
  return bound_s;
}

/** Least time of the arm to take a piece away after the i-th task of its chain (s). */
function leavingMove_s(problem: PlanProblem, labware: number, i: number): number {
  const { tasks } = problem.labware[labware]!;
  const next = problem.tasks[tasks[i + 1] ?? -1];
  if (!next) return 0;
  const task = problem.tasks[tasks[i]!]!;
  const from = { instrument: task.candidates[0]!, slot: useOf(task, labware).slot_after };
  const targets = placesFor(problem, next.candidates, useOf(next, labware).slot);
  if (targets.some((to) => isSameLocation(to, from))) return 0;
  const times_s = [...targets, ...problem.buffers].map(
    (to) => problem.move_s(from, to) ?? Number.POSITIVE_INFINITY,
  );
  const least_s = Math.min(...times_s);
  return Number.isFinite(least_s) ? least_s : 0;
}

/**
 * Lower bound from the slots (s): a slot is taken from the start of the move into it until the arm
 * has taken the piece away, because the arm fetches the next piece only then.
 */
function slotBound_s(
  { operations, started }: BoundInputs,
  end_s: Float64Array,
  after_s: Float64Array,
) {
  const { problem } = operations;
  const jobs = new Map<string, MachineJob[]>();
  problem.labware.forEach((piece, l) => {
    piece.tasks.forEach((t, i) => {
      const task = problem.tasks[t]!;
      const [instrument, other] = task.candidates;
      const { slot, slot_after } = useOf(task, l);
      if (instrument === undefined || other !== undefined || slot !== slot_after) return;
      if (slot === ANY_SLOT) return;
      if (problem.instruments[instrument]!.slotless || !Number.isNaN(started.end_s[t]!)) return;
      const brought_s = started.brought_s.get(pieceKey(t, l));
      const previous = piece.tasks[i - 1];
      const ready_s = previous === undefined ? problem.now_s : end_s[previous]!;
      const head_s = Math.max(problem.now_s, brought_s ?? ready_s);
      const bringing_s = brought_s === undefined ? shortestMove_s(problem, l, i) : 0;
      const next = piece.tasks[i + 1];
      const work_s = bringing_s + task.duration_s + leavingMove_s(problem, l, i);
      const tail_s = next === undefined ? after_s[t]! - task.duration_s : after_s[next]!;
      const key = `${instrument}/${slot}`;
      const job = { head_s, work_s, tail_s };
      const ofSlot = jobs.get(key);
      if (ofSlot) ofSlot.push(job);
      else jobs.set(key, [job]);
    });
  });
  return Math.max(0, ...[...jobs.values()].map(singleMachineBound_s));
}

/** Returns a time before which no plan can end (s). */
export function lowerBound_s(operations: Operations): number {
  const { problem } = operations;
  const started = startedStateOf(problem);
  const inputs = { operations, started, moves: neededMoves(problem, started) };
  const end_s = earliestEnds(inputs);
  const after_s = followingTimes(inputs);
  let bound_s = problem.now_s;
  for (let t = 0; t < operations.tasks; t++) {
    bound_s = Math.max(bound_s, end_s[t]! + after_s[t]! - problem.tasks[t]!.duration_s);
  }
  const work_s = Math.max(
    armBound_s(inputs, end_s, after_s),
    loadBound_s(inputs, end_s, after_s),
    slotBound_s(inputs, end_s, after_s),
  );
  return Math.ceil(Math.max(bound_s, work_s) - 1e-9);
}
