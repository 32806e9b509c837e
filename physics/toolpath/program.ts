/**
 * Program: a built toolpath as the robot plays it, a graph of steps. The pose after an `if` depends
 * on the branch taken, so each distinct entry pose has its own copy of the following steps (D22).
 * Plain data: it crosses worker boundaries and is part of recordings. Also: its interpreter and its
 * planned times.
 */

import type { RunMode } from '../../contract/types.ts';
import type { TimeProfile } from '../motion/jerk-phases.ts';
import type { JointPath } from '../motion/segment.ts';

/** One path with both timings: builds plan at the automatic cap, teach mode re-times (D24). */
export interface PlannedMove {
  readonly path: JointPath;
  readonly automatic: TimeProfile;
  readonly teach: TimeProfile;
  /** Tool speed requested by the toolpath, before the mode's cap (m/s). */
  readonly tool_speed_m_s: number;
}

/** Address of the input or output that a step reads or writes (§2.5). */
export interface SignalAddress {
  readonly location: 'base' | 'end_effector';
  readonly type: 'analog' | 'digital';
  readonly index: number;
}

/** A condition of §2.2, checked and complete. */
export type Condition =
  | { readonly type: 'time'; readonly duration: number }
  | {
      readonly type: 'input' | 'output-test';
      readonly io: SignalAddress;
      readonly operator?: 'equal' | 'below' | 'above' | 'inside' | 'outside';
      readonly thresholds?: { readonly lower?: number; readonly upper?: number };
      readonly value?: boolean | number;
    };

/** Index of the step that follows; END_OF_LOOP when the timeline is done. */
export type StepIndex = number;
export const END_OF_LOOP: StepIndex = -1;

interface StepBase {
  /** JSON pointer of the action in the toolpath, e.g. /timeline/3/timeline/0. */
  readonly at: string;
  /** Grid cell, row-major, innermost last; empty outside grids. */
  readonly cell: readonly number[];
}

export type ProgramStep =
  | (StepBase & { readonly kind: 'move'; readonly move: PlannedMove; readonly next: StepIndex })
  | (StepBase & {
      readonly kind: 'output';
      readonly io: SignalAddress;
      readonly value: boolean | number;
      readonly next: StepIndex;
    })
  | (StepBase & { readonly kind: 'wait'; readonly condition: Condition; readonly next: StepIndex })
  | (StepBase & {
      readonly kind: 'branch';
      readonly branches: readonly { readonly condition: Condition; readonly next: StepIndex }[];
      readonly otherwise: StepIndex;
    })
  | (StepBase & { readonly kind: 'restart' })
  /**
   * End of a loop at a pose other than home: the return move, played only before another loop
   * (D28).
   */
  | (StepBase & { readonly kind: 'return'; readonly move: PlannedMove });

/** A toolpath ready to run. A run starts at the home waypoint with step `first`. */
export interface Program {
  readonly home: Float64Array;
  readonly steps: readonly ProgramStep[];
  readonly first: StepIndex;
  readonly payload_kg: number;
  /** Tool tip in the flange frame (m) and radius (m). */
  readonly tool_offset_m: readonly [number, number, number];
  readonly analog_modes: {
    readonly i0: 'voltage' | 'current';
    readonly i1: 'voltage' | 'current';
    readonly o0: 'voltage' | 'current';
    readonly o1: 'voltage' | 'current';
  };
  readonly output_on_error: { readonly io: SignalAddress; readonly value: boolean | number } | null;
  /** Joint-space speed of approaches to home (m/s). */
  readonly default_tool_speed_m_s: number;
}

/**
 * Interprets a program step by step: the next effect, given time and I/O, and the conditions of
 * waits and branches (§2.2, D18). Pure: time and I/O are arguments. The robot's program runner and
 * the viewer's preview use it. The cursor is plain data for snapshots.
 */

/** Inputs of a condition. */
export interface ConditionInputs {
  /** Elapsed time of the wait (s). */
  readonly elapsed_s: number;
  /** Current value of an input or output: boolean for digital, number for analog. */
  read(side: 'inputs' | 'outputs', io: SignalAddress): unknown;
}

type IoCondition = Exclude<Condition, { type: 'time' }>;

/**
 * Tolerance of elapsed time (s): ticks are summed in floating point, and rounding must not extend a
 * wait by a tick.
 */
const ELAPSED_SLACK_S = 1e-9;

/** True when `condition` holds; false when the test lacks what its operator needs. */
export function conditionHolds(condition: Condition, view: ConditionInputs): boolean {
  if (condition.type === 'time') return view.elapsed_s >= condition.duration - ELAPSED_SLACK_S;
  const value = view.read(condition.type === 'input' ? 'inputs' : 'outputs', condition.io);
  const operator = condition.operator ?? 'equal';
  if (operator === 'equal') return condition.value !== undefined && value === condition.value;
  return typeof value === 'number' && compare(value, operator, condition.thresholds);
}

/** Range test; a value on a threshold is neither below, above, inside nor outside. */
function compare(
  value: number,
  operator: Exclude<NonNullable<IoCondition['operator']>, 'equal'>,
  thresholds: IoCondition['thresholds'],
): boolean {
  const { lower = Number.NaN, upper = Number.NaN } = thresholds ?? {};
  const below = value < lower;
  const above = value > upper;
  switch (operator) {
    case 'below':
      return below;
    case 'above':
      return above;
    case 'inside':
      return value > lower && value < upper;
    case 'outside':
      return below || above;
  }
}

/** Position of a run in its program. */
export interface ProgramCursor {
  step: StepIndex;
  /** Twin time at which the current wait started (s), or null. */
  wait_started_s: number | null;
}

/** Evaluates a condition; `since_s` is the start of the wait it belongs to. */
export type ConditionTest = (condition: Condition, since_s: number) => boolean;

/** Effect of a step. `waiting` and `loop_done` leave the cursor where it is. */
export type StepEffect =
  | { readonly kind: 'move'; readonly move: PlannedMove; readonly at: string }
  | {
      readonly kind: 'output';
      readonly io: SignalAddress;
      readonly value: boolean | number;
      readonly at: string;
    }
  | { readonly kind: 'waiting'; readonly at: string }
  | { readonly kind: 'passed'; readonly at: string }
  | { readonly kind: 'restart'; readonly at: string }
  | { readonly kind: 'loop_done'; readonly way_back: PlannedMove | null };

/** The cursor at the first step of a program. */
export function startCursor(program: Program): ProgramCursor {
  return { step: program.first, wait_started_s: null };
}

/** Executes one step at twin time `now_s`, advances the cursor and returns the effect. */
export function executeStep(
  program: Program,
  cursor: ProgramCursor,
  environment: { readonly now_s: number; readonly holds: ConditionTest },
): StepEffect {
  if (cursor.step === END_OF_LOOP) return { kind: 'loop_done', way_back: null };
  const step = program.steps[cursor.step]!;
  switch (step.kind) {
    case 'move':
      cursor.step = step.next;
      return { kind: 'move', move: step.move, at: step.at };
    case 'output':
      cursor.step = step.next;
      return { kind: 'output', io: step.io, value: step.value, at: step.at };
    case 'wait': {
      cursor.wait_started_s ??= environment.now_s;
      if (!environment.holds(step.condition, cursor.wait_started_s)) {
        return { kind: 'waiting', at: step.at };
      }
      cursor.wait_started_s = null;
      cursor.step = step.next;
      return { kind: 'passed', at: step.at };
    }
    case 'branch': {
      const taken = step.branches.find((branch) =>
        environment.holds(branch.condition, environment.now_s),
      );
      cursor.step = taken ? taken.next : step.otherwise;
      return { kind: 'passed', at: step.at };
    }
    case 'restart':
      cursor.step = program.first;
      return { kind: 'restart', at: step.at };
    case 'return':
      return { kind: 'loop_done', way_back: step.move };
  }
}

/** Most branches followed for one estimate of the rest of a loop. */
const BRANCHES_MAX = 10_000;

/** Planned time from a step to the next branch or to the end of the loop. */
interface Straight {
  readonly time_s: number;
  /** The branch step, or END_OF_LOOP. */
  readonly end: StepIndex;
}

/** Planned times in a program; waits for inputs count as zero (D22). Keeps each step's result. */
export class ProgramTimes {
  private readonly program: Program;
  private readonly mode: RunMode;
  private readonly known: (Straight | undefined)[];
  /** Move steps by the step that follows them. */
  private readonly movesBefore = new Map<StepIndex, number[]>();

  constructor(program: Program, mode: RunMode) {
    this.program = program;
    this.mode = mode;
    this.known = new Array(program.steps.length).fill(undefined);
    for (const [index, step] of program.steps.entries()) {
      if (step.kind !== 'move') continue;
      const moves = this.movesBefore.get(step.next) ?? [];
      moves.push(index);
      this.movesBefore.set(step.next, moves);
    }
  }

  isOf(program: Program, mode: RunMode): boolean {
    return this.program === program && this.mode === mode;
  }

  /** Planned time (s) from a step to the end of the loop; branches are taken by `choose`. */
  rest_s(from: StepIndex, choose: (branch: StepIndex) => StepIndex): number {
    let total_s = 0;
    let step = from;
    for (let branches = 0; step !== END_OF_LOOP && branches < BRANCHES_MAX; branches++) {
      const { time_s, end } = this.straight(step);
      total_s += time_s;
      step = end === END_OF_LOOP ? END_OF_LOOP : choose(end);
    }
    return total_s;
  }

  /** The step that is played: the cursor is already at the step after a move. */
  playing(cursor: StepIndex, at: string): StepIndex {
    if (this.program.steps[cursor]?.at === at) return cursor;
    const moves = this.movesBefore.get(cursor) ?? [];
    return moves.find((index) => this.program.steps[index]!.at === at) ?? cursor;
  }

  private straight(from: StepIndex): Straight {
    const visited: StepIndex[] = [];
    let step = from;
    while (step !== END_OF_LOOP && !this.known[step] && this.next(step) !== null) {
      visited.push(step);
      step = this.next(step)!;
      if (visited.length > this.known.length) {
        throw new Error('the steps of the toolpath form a cycle without a branch');
      }
    }
    const isBranch = this.program.steps[step]?.kind === 'branch';
    let rest = this.known[step] ?? { time_s: 0, end: isBranch ? step : END_OF_LOOP };
    for (const index of visited.reverse()) {
      rest = { time_s: this.duration_s(index) + rest.time_s, end: rest.end };
      this.known[index] = rest;
    }
    return rest;
  }

  /** The only step that can follow; null for a branch and for the end of the loop. */
  private next(index: StepIndex): StepIndex | null {
    const step = this.program.steps[index];
    return step && 'next' in step ? step.next : null;
  }

  private duration_s(index: StepIndex): number {
    const step = this.program.steps[index]!;
    if (step.kind === 'move') return step.move[this.mode].duration_s;
    const timed = step.kind === 'wait' && step.condition.type === 'time';
    return timed ? (step.condition as { duration: number }).duration : 0;
  }
}
