/**
 * Interprets a program step by step: the next effect, given whether conditions hold (§2.2, D18).
 * Pure: time and I/O are arguments. The robot's program runner and the viewer's preview use it.
 * The cursor is plain data for snapshots.
 */

import type { Condition } from './conditions.ts';
import { END_OF_LOOP, type PlannedMove, type Program, type StepIndex } from './program.ts';
import type { SignalAddress } from './signal-address.ts';

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
