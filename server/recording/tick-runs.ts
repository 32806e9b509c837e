/**
 * A fingerprint of the joints at every tick, kept as runs of equal ticks: an arm that rests costs
 * nothing. Small, because its one purpose is to find the first tick at which two runs part.
 */
import type { Feedback } from '../../bridge/arm-driver.ts';

const PRIME = 0x01000193;
const BASIS = 0x811c9dc5;

/** 32-bit FNV-1a over the bits of six numbers. */
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

export class TickRuns {
  private runs: number[] = [];

  /** Notes `ticks` ticks that ended with this feedback. */
  note(feedback: Feedback, ticks: number): void {
    const position = fingerprint(feedback.position_rad);
    const velocity = fingerprint(feedback.velocity_rad_s);
    const { runs } = this;
    const last = runs.length - 3;
    if (last >= 0 && runs[last + 1] === position && runs[last + 2] === velocity) {
      runs[last] = runs[last]! + ticks;
    } else runs.push(ticks, position, velocity);
  }

  /** True while the ticks since the last `take` are alike. */
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

/** Steps through runs tick by tick, or as many ticks at once as are alike. */
class RunCursor {
  private readonly runs: readonly number[];
  private at = 0;
  left: number;

  constructor(runs: readonly number[]) {
    this.runs = runs;
    this.left = runs[0] ?? 0;
  }

  get ended(): boolean {
    return this.at >= this.runs.length;
  }

  /** Fingerprint of the angles (1) or velocities (2). */
  part(which: 1 | 2): number | undefined {
    return this.runs[this.at + which];
  }

  pass(ticks: number): void {
    this.left -= ticks;
    if (this.left > 0) return;
    this.at += 3;
    this.left = this.runs[this.at] ?? 0;
  }
}

/** Where two sequences of runs part: ticks from their start, and which fingerprint; or null. */
export function firstParting(
  a: readonly number[],
  b: readonly number[],
): { readonly ticks: number; readonly field: 'position_rad' | 'velocity_rad_s' } | null {
  const [left, right] = [new RunCursor(a), new RunCursor(b)];
  let ticks = 0;
  while (!left.ended && !right.ended) {
    if (left.part(1) !== right.part(1)) return { ticks, field: 'position_rad' };
    if (left.part(2) !== right.part(2)) return { ticks, field: 'velocity_rad_s' };
    const step = Math.min(left.left, right.left);
    ticks += step;
    left.pass(step);
    right.pass(step);
  }
  return null;
}
