/**
 * What a grip needs to move a body, what it transmits, and the sentences that compare them (N).
 */

import type { CellGripper } from '../../../contract/types.ts';
import type { Numbers } from '../../math/vector.ts';

/** A force that a grip needs and the one that it transmits at most (N). */
export interface Need {
  readonly needed_n: number;
  readonly most_n: number;
}

/** The part of a force across the direction of approach (N). */
function acrossOf(vector: Numbers): number {
  return Math.sqrt(vector[0]! * vector[0]! + vector[1]! * vector[1]!);
}

/**
 * What a force (grasp frame) needs of the grip: along the pads, or of a vacuum the pull and the
 * force that makes enough friction across.
 */
export function neededOf(kind: CellGripper['kind'], coefficient: number, force: Numbers): number {
  if (kind === 'jaws') return Math.sqrt(force[1]! * force[1]! + force[2]! * force[2]!);
  const across_n = acrossOf(force);
  return Math.max(0, -force[2]!) + (across_n > 0 ? across_n / coefficient : 0);
}

/** Most digits of a force behind the point. */
const MOST_DIGITS = 6;

/** The needed force and the smaller one that holds (N), with digits that differ. */
function differing(needed_n: number, most_n: number): readonly [string, string] {
  let digits = 1;
  while (digits < MOST_DIGITS && needed_n.toFixed(digits) === most_n.toFixed(digits)) digits++;
  return [needed_n.toFixed(digits), most_n.toFixed(digits)];
}

/** The force that is needed and the smaller one that holds, as a part of a sentence. */
export function slipText(needed_n: number, most_n: number): string {
  const [needed, most] = differing(needed_n, most_n);
  return `${needed} N needed, friction holds ${most} N`;
}

/** Why a body came off a cup: the force that was needed and the smaller one of the vacuum. */
export function pullText(name: string, { needed_n, most_n }: Need, coefficient: number): string {
  const [needed, most] = differing(needed_n, most_n);
  const rule = `pull + force across / friction ${coefficient}`;
  return `came off ${name}: ${needed} N needed (${rule}), the vacuum holds ${most} N`;
}
