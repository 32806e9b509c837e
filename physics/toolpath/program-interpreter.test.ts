/** Effects of the program interpreter step by step, on handwritten and on built programs. */
import { describe, expect, it } from 'vitest';
import type { Condition } from './conditions.ts';
import { END_OF_LOOP, type PlannedMove, type Program, type ProgramStep } from './program.ts';
import {
  executeStep,
  type ProgramCursor,
  type StepEffect,
  startCursor,
} from './program-interpreter.ts';

const REST = {
  duration_s: 0,
  knots_s: Float64Array.of(0, 0),
  coefficients: new Float64Array(4),
};
const MOVE: PlannedMove = {
  path: { kind: 'line', start: new Float64Array(6), end: new Float64Array(6) },
  automatic: REST,
  teach: REST,
  tool_speed_m_s: 0.25,
};
const IO = { location: 'base', type: 'digital', index: 0 } as const;
const PRESSED: Condition = { type: 'input', io: IO, value: true };
const PAUSE: Condition = { type: 'time', duration: 2 };

type Bare<Each> = Each extends ProgramStep ? Omit<Each, 'at' | 'cell'> : never;

function step(at: string, rest: Bare<ProgramStep>): ProgramStep {
  return { at, cell: [], ...rest } as ProgramStep;
}

function program(...steps: ProgramStep[]): Program {
  return {
    home: new Float64Array(6),
    steps,
    first: steps.length > 0 ? 0 : END_OF_LOOP,
    payload_kg: 0,
    tool_offset_m: [0, 0, 0],
    analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    output_on_error: null,
    default_tool_speed_m_s: 0.25,
  };
}

function play(made: Program, cursor: ProgramCursor, now_s = 0, pressed = false): StepEffect {
  const holds = (condition: Condition, since_s: number) =>
    condition.type === 'time' ? now_s - since_s >= condition.duration : pressed;
  return executeStep(made, cursor, { now_s, holds });
}

describe('the program interpreter', () => {
  it('returns moves and outputs in order and advances', () => {
    const made = program(
      step('/timeline/1', { kind: 'move', move: MOVE, next: 1 }),
      step('/timeline/2', { kind: 'output', io: IO, value: true, next: END_OF_LOOP }),
    );
    const cursor = startCursor(made);
    expect(play(made, cursor)).toEqual({ kind: 'move', move: MOVE, at: '/timeline/1' });
    expect(play(made, cursor)).toEqual({ kind: 'output', io: IO, value: true, at: '/timeline/2' });
    expect(play(made, cursor)).toEqual({ kind: 'loop_done', way_back: null });
  });

  it('waits from the moment the wait was first executed', () => {
    const made = program(
      step('/timeline/1', { kind: 'wait', condition: PAUSE, next: END_OF_LOOP }),
    );
    const cursor = startCursor(made);
    expect(play(made, cursor, 10).kind).toBe('waiting');
    expect(cursor.wait_started_s).toBe(10);
    expect(play(made, cursor, 11.9).kind).toBe('waiting');
    expect(play(made, cursor, 12).kind).toBe('passed');
    expect(cursor).toEqual({ step: END_OF_LOOP, wait_started_s: null });
  });

  it('gives each wait its own start', () => {
    const wait = { kind: 'wait', condition: PAUSE } as const;
    const made = program(
      step('/timeline/1', { ...wait, next: 1 }),
      step('/timeline/2', { ...wait, next: END_OF_LOOP }),
    );
    const cursor = startCursor(made);
    play(made, cursor, 0);
    expect(play(made, cursor, 2).kind).toBe('passed');
    expect(play(made, cursor, 3).kind).toBe('waiting');
    expect(play(made, cursor, 4.9).kind).toBe('waiting');
    expect(play(made, cursor, 5).kind).toBe('passed');
  });

  it('takes the first branch that holds, else continues', () => {
    const branches: { condition: Condition; next: number }[] = [
      { condition: PAUSE, next: 1 },
      { condition: PRESSED, next: 2 },
    ];
    const output = { kind: 'output', io: IO, value: true, next: END_OF_LOOP } as const;
    const made = program(
      step('/timeline/1', { kind: 'branch', branches, otherwise: END_OF_LOOP }),
      step('/a', output),
      step('/b', output),
    );
    const taken = startCursor(made);
    expect(play(made, taken, 0, true).kind).toBe('passed');
    expect(taken.step).toBe(2);
    const none = startCursor(made);
    play(made, none, 0, false);
    expect(none.step).toBe(END_OF_LOOP);
  });

  it('restarts at the first step', () => {
    const made = program(
      step('/timeline/1', { kind: 'move', move: MOVE, next: 1 }),
      step('/timeline/2/branches/0/timeline/0', { kind: 'restart' }),
    );
    const cursor = startCursor(made);
    play(made, cursor);
    expect(play(made, cursor).kind).toBe('restart');
    expect(cursor.step).toBe(0);
  });

  it('ends a loop with its return move and stays there', () => {
    const made = program(step('/timeline', { kind: 'return', move: MOVE }));
    const cursor = startCursor(made);
    expect(play(made, cursor)).toEqual({ kind: 'loop_done', way_back: MOVE });
    expect(play(made, cursor)).toEqual({ kind: 'loop_done', way_back: MOVE });
  });

  it('is done at once with an empty program', () => {
    const made = program();
    expect(play(made, startCursor(made))).toEqual({ kind: 'loop_done', way_back: null });
  });
});
