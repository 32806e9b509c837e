import type { RunMode } from '../../contract/types.generated.ts';
import { END_OF_LOOP, type Program, type StepIndex } from './program.ts';

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
