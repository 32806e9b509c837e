/**
 * Interprets a program step by step: the next effect, given time and I/O, and the conditions of
 * waits and branches (§2.2, D18). Pure: time and I/O are arguments. The robot's program runner and
 * the viewer's preview use it. The cursor is plain data for snapshots.
 */
import {
  type Condition,
  END_OF_LOOP,
  type PlannedMove,
  type Program,
  type SignalAddress,
  type StepIndex,
} from './program.ts';

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
