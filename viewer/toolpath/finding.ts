/** A finding of the check of a toolpath, and the deepest point of a collision that it reports. */

import type { MotionError } from '../../contract/motion-errors.ts';
import type { Joints } from '../../contract/types.generated.ts';
import type { BranchChoices } from './timed-path.ts';

/** The deepest point of a collision. */
export interface Deepest {
  /** Time on the path (s). */
  readonly at_s: number;
  /** By how much the bodies are nearer than allowed (m). */
  readonly depth_m: number;
  /** The part of the arm, and the other part. */
  readonly a: string;
  readonly b: string;
  readonly joints: Joints;
  /** Tool tip at that time (m). */
  readonly tip_m: readonly number[];
}

/** An error or a warning at an action of the toolpath. */
export interface Finding {
  readonly kind: 'error' | 'warning';
  readonly code: MotionError;
  /** States what is wrong and what to do. */
  readonly message: string;
  /** JSON pointer of the action. */
  readonly at: string;
  /** Branches to take to reach the action. */
  readonly choices: BranchChoices;
  /** When: the cell of the grid, and the time in the step (s); absent where the path says it. */
  readonly moment?: { readonly cell: readonly number[]; readonly into_s: number };
  /** Place (m), the tool point unless it is known better; null if no run reaches it. */
  readonly tip_m: readonly [number, number, number] | null;
}
