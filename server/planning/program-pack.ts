/**
 * Steps of a program with all their numbers in one buffer: a worker hands that over without
 * copying, and the thread that receives it has one allocation to make instead of several for each
 * motion.
 */
import { assert } from '../../physics/math/assert.ts';
import type { JointPath } from '../../physics/motion/path.ts';
import type { TimeProfile } from '../../physics/motion/time-profile.ts';
import type { PlannedMove, Step } from '../../physics/toolpath/program.ts';

function arraysOfPath(path: JointPath): Float64Array[] {
  if (path.kind === 'line') return [path.start, path.end];
  return [path.s, path.q, path.q1, path.q2, path.q3_left, path.q3_right];
}

function arraysOfMove({ path, automatic, teach }: PlannedMove): Float64Array[] {
  const { knots_s, coefficients } = teach;
  return [
    ...arraysOfPath(path),
    automatic.knots_s,
    automatic.coefficients,
    ...(teach === automatic ? [] : [knots_s, coefficients]),
  ];
}

class Packer {
  private readonly places = new Map<Float64Array, Float64Array>();
  private readonly moves = new Map<PlannedMove, PlannedMove>();
  readonly whole: Float64Array<ArrayBuffer>;

  constructor(arrays: Set<Float64Array>) {
    let length = 0;
    for (const array of arrays) length += array.length;
    this.whole = new Float64Array(length);
    let at = 0;
    for (const array of arrays) {
      this.whole.set(array, at);
      this.places.set(array, this.whole.subarray(at, at + array.length));
      at += array.length;
    }
  }

  array(array: Float64Array): Float64Array {
    const packed = this.places.get(array);
    assert(packed, 'every array was collected before packing');
    return packed;
  }

  move(move: PlannedMove): PlannedMove {
    let packed = this.moves.get(move);
    if (!packed) {
      const automatic = this.profile(move.automatic);
      const teach = move.teach === move.automatic ? automatic : this.profile(move.teach);
      packed = { ...move, path: this.path(move.path), automatic, teach };
      this.moves.set(move, packed);
    }
    return packed;
  }

  private path(path: JointPath): JointPath {
    if (path.kind === 'line') {
      return { kind: 'line', start: this.array(path.start), end: this.array(path.end) };
    }
    return {
      kind: 'table',
      s: this.array(path.s),
      q: this.array(path.q),
      q1: this.array(path.q1),
      q2: this.array(path.q2),
      q3_left: this.array(path.q3_left),
      q3_right: this.array(path.q3_right),
    };
  }

  private profile({ duration_s, knots_s, coefficients }: TimeProfile): TimeProfile {
    const packed = { knots_s: this.array(knots_s), coefficients: this.array(coefficients) };
    return { duration_s, ...packed };
  }
}

function moveOf(step: Step): PlannedMove | null {
  return step.kind === 'move' || step.kind === 'return' ? step.move : null;
}

function arraysOf(steps: readonly Step[]): Set<Float64Array> {
  const arrays = new Set<Float64Array>();
  const seen = new Set<PlannedMove>();
  for (const step of steps) {
    const move = moveOf(step);
    if (!move || seen.has(move)) continue;
    seen.add(move);
    for (const array of arraysOfMove(move)) arrays.add(array);
  }
  return arrays;
}

/** Bytes that the numbers of the steps take; shared moves count once. */
export function bytesOfSteps(steps: readonly Step[]): number {
  let bytes = 0;
  for (const array of arraysOf(steps)) bytes += array.byteLength;
  return bytes;
}

/** Steps whose numbers lie in one buffer of their own. */
export interface PackedSteps {
  readonly steps: readonly Step[];
  readonly buffer: ArrayBuffer;
}

/** The same steps with their numbers in one new buffer; moves that were shared stay shared. */
export function packSteps(steps: readonly Step[]): PackedSteps {
  const packer = new Packer(arraysOf(steps));
  const packed = steps.map((step): Step => {
    const move = moveOf(step);
    return move ? ({ ...step, move: packer.move(move) } as Step) : step;
  });
  return { steps: packed, buffer: packer.whole.buffer };
}
