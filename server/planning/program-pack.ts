/**
 * Packs the numeric data of program steps into one shared memory: threads receive it without a
 * copy, and the receiver makes one allocation instead of several for each motion. A message or a
 * copy with one of the steps would take the whole memory along if it were not shared, and V8 would
 * collect garbage as often as its size demands.
 */

import { createHash } from 'node:crypto';
import { assert } from '../../physics/math/assert.ts';
import type { JointPath } from '../../physics/motion/joint-path.ts';
import type { TimeProfile } from '../../physics/motion/time-profile.ts';
import type { PlannedMove, ProgramStep } from '../../physics/toolpath/program.ts';

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
  private readonly arrays = new Map<Float64Array, Float64Array>();
  private readonly moves = new Map<PlannedMove, PlannedMove>();

  constructor(arrays: Set<Float64Array>) {
    let length = 0;
    for (const array of arrays) length += array.length;
    const whole = new Float64Array(new SharedArrayBuffer(8 * length));
    let at = 0;
    for (const array of arrays) {
      whole.set(array, at);
      this.arrays.set(array, whole.subarray(at, at + array.length));
      at += array.length;
    }
  }

  array(array: Float64Array): Float64Array {
    const packed = this.arrays.get(array);
    assert(packed, 'every array was collected before packing');
    return packed;
  }

  move(move: PlannedMove): PlannedMove {
    let packed = this.moves.get(move);
    if (!packed) {
      const automatic = this.profile(move.automatic);
      const teach = move.teach === move.automatic ? automatic : this.profile(move.teach);
      packed = { ...move, path: this.path(move.path), automatic, teach: teach };
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

function stepMove(step: ProgramStep): PlannedMove | null {
  return step.kind === 'move' || step.kind === 'return' ? step.move : null;
}

function collectArrays(steps: readonly ProgramStep[]): Set<Float64Array> {
  const arrays = new Set<Float64Array>();
  const seen = new Set<PlannedMove>();
  for (const step of steps) {
    const move = stepMove(step);
    if (!move || seen.has(move)) continue;
    seen.add(move);
    for (const array of arraysOfMove(move)) arrays.add(array);
  }
  return arrays;
}

/** Size and SHA-256 of the steps' numeric data; shared moves count once. */
export function measured(steps: readonly ProgramStep[]): { bytes: number; sha256: string } {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const array of collectArrays(steps)) {
    hash.update(array);
    bytes += array.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Copies the steps' numeric data to one new memory; shared moves stay shared. */
export function packSteps(steps: readonly ProgramStep[]): readonly ProgramStep[] {
  const packer = new Packer(collectArrays(steps));
  return steps.map((step): ProgramStep => {
    const move = stepMove(step);
    return move ? ({ ...step, move: packer.move(move) } as ProgramStep) : step;
  });
}
