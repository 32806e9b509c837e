/**
 * Walks a program step by step: what the arm does next, given the I/O. Pure; the robot's runner
 * and the viewer's preview both play with it. The cursor is plain data for snapshots.
 */
import type { Condition, IoAddress, PlannedMove, Program, StepIndex } from './program.ts';
import { END_OF_LOOP } from './program.ts';

/** Where a run stands in its program. */
export interface PlayerCursor {
  step: StepIndex;
  /** Twin time at which the current wait began (s), or null outside one. */
  wait_started_s: number | null;
}

/** Tells whether a condition holds; `since_s` is the start of the wait it belongs to. */
export type ConditionTest = (condition: Condition, since_s: number) => boolean;

/** What is to be done next. `waiting` and `loop_done` leave the cursor where it is. */
export type Effect =
  | { readonly kind: 'move'; readonly move: PlannedMove; readonly at: string }
  | {
      readonly kind: 'output';
      readonly io: IoAddress;
      readonly value: boolean | number;
      readonly at: string;
    }
  | { readonly kind: 'waiting'; readonly at: string }
  | { readonly kind: 'passed'; readonly at: string }
  | { readonly kind: 'restart'; readonly at: string }
  | { readonly kind: 'loop_done'; readonly way_back: PlannedMove | null };

export function startCursor(program: Program): PlayerCursor {
  return { step: program.first, wait_started_s: null };
}

/** Takes one step at twin time `now_s`, moves the cursor past it and says what it demands. */
export function takeStep(
  program: Program,
  cursor: PlayerCursor,
  world: { readonly now_s: number; readonly holds: ConditionTest },
): Effect {
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
      cursor.wait_started_s ??= world.now_s;
      if (!world.holds(step.condition, cursor.wait_started_s)) {
        return { kind: 'waiting', at: step.at };
      }
      cursor.wait_started_s = null;
      cursor.step = step.next;
      return { kind: 'passed', at: step.at };
    }
    case 'branch': {
      const taken = step.branches.find((branch) => world.holds(branch.condition, world.now_s));
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
