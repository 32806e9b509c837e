/**
 * The fault that ends a build: the first motion that cannot be made, and where it is in the
 * toolpath.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { type SegmentPlan, segmentProblem } from '../motion/segment.ts';

/**
 * A motion of a toolpath that cannot be made, with its position in the toolpath (§2.3: a soft
 * error).
 */
export interface BuildFault {
  readonly code: MotionError;
  /** JSON pointer of the action. */
  readonly path: string;
  /** The problem and what to do about it. */
  readonly message: string;
  /** Position in the lowered toolpath; orders the faults. */
  readonly order: number;
}

/** Position of a motion in the toolpath, and a preface for its message. */
export interface BuildFaultLocation {
  readonly path: string;
  readonly order: number;
  readonly preface?: string;
}

/** The fault of a plan, or null for a valid one. */
export function buildFaultOf(
  plan: SegmentPlan,
  { path, order, preface = '' }: BuildFaultLocation,
): BuildFault | null {
  const problem = segmentProblem(plan);
  return problem && { code: problem.code, path, message: preface + problem.message, order };
}
