import type { Feedback } from '../../bridge/arm-driver.ts';

const PRIME = 0x01000193;
const BASIS = 0x811c9dc5;

/** 32-bit FNV-1a over the bits of numbers. */
function fingerprint(values: Float64Array): number {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  let hash = BASIS;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    hash = Math.imul(hash ^ (word & 0xffff), PRIME);
    hash = Math.imul(hash ^ (word >>> 16), PRIME);
  }
  return hash >>> 0;
}

/** Fingerprints of the joints, one per tick, as runs of equal ticks. */
export class TickRuns {
  private runs: number[] = [];

  /** Records `ticks` ticks that end with this feedback, and with these states of a cell. */
  record(feedback: Feedback, ticks: number, cell: Float64Array | null = null): void {
    const joints = fingerprint(feedback.position_rad);
    const position = cell ? (joints ^ fingerprint(cell)) >>> 0 : joints;
    const velocity = fingerprint(feedback.velocity_rad_s);
    const { runs } = this;
    const last = runs.length - 3;
    if (last >= 0 && runs[last + 1] === position && runs[last + 2] === velocity) {
      runs[last] = runs[last]! + ticks;
    } else runs.push(ticks, position, velocity);
  }

  /** True while all ticks since the last `take` are equal. */
  get still(): boolean {
    return this.runs.length <= 3;
  }

  /** The runs since the last call. */
  take(): number[] {
    const { runs } = this;
    this.runs = [];
    return runs;
  }
}

/** A position in a sequence of runs. */
class RunCursor {
  readonly runs: readonly number[];
  at = 0;
  left: number;

  constructor(runs: readonly number[]) {
    this.runs = runs;
    this.left = runs[0] ?? 0;
  }

  get ended(): boolean {
    return this.at >= this.runs.length;
  }

  pass(ticks: number): void {
    this.left -= ticks;
    if (this.left > 0) return;
    this.at += 3;
    this.left = this.runs[this.at] ?? 0;
  }
}

/** Values of joints that are compared: part 1 and 2 of a run. */
export const FIELDS = ['position_rad', 'velocity_rad_s'] as const;
type JointField = (typeof FIELDS)[number];

/** Where two sequences of runs differ: in ticks from their start, with both fingerprints. */
export interface TickDivergence {
  readonly ticks: number;
  readonly field: JointField;
  readonly recorded: number | undefined;
  readonly replayed: number | undefined;
}

/** The first difference of two sequences of runs, or null. */
export function firstTickDivergence(
  a: readonly number[],
  b: readonly number[],
): TickDivergence | null {
  const [left, right] = [new RunCursor(a), new RunCursor(b)];
  let ticks = 0;
  while (!left.ended && !right.ended) {
    for (const [i, field] of FIELDS.entries()) {
      const [recorded, replayed] = [left.runs[left.at + i + 1], right.runs[right.at + i + 1]];
      if (recorded !== replayed) return { ticks, field, recorded, replayed };
    }
    const step = Math.min(left.left, right.left);
    ticks += step;
    left.pass(step);
    right.pass(step);
  }
  return null;
}
