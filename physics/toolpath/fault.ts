/**
 * A motion of a toolpath that cannot be made, and where the toolpath asks for it (spec §2.3: a soft
 * error). Its own file because the step graph and the reply find faults alike.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { type Leg, problemOf } from './leg.ts';

export interface Fault {
  readonly code: MotionError;
  /** JSON pointer of the action. */
  readonly path: string;
  /** What is wrong and what a person can do about it. */
  readonly message: string;
  /** Position in the layout, for telling which fault comes first. */
  readonly order: number;
}

/** Where a motion stands in the toolpath, and what to say before its problem. */
export interface FaultPlace {
  readonly path: string;
  readonly order: number;
  readonly preface?: string;
}

/** The fault of a leg, or null for a sound one. */
export function faultOf(leg: Leg, { path, order, preface = '' }: FaultPlace): Fault | null {
  const problem = problemOf(leg);
  return problem && { code: problem.code, path, message: preface + problem.message, order };
}
