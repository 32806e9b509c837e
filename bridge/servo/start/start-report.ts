/** What a start found at each servo and joint, and wrote into it. */

import type { LineQuality } from '../bus/line-quality.ts';
import type { JointHold } from './holding-torque.ts';

/** A register that a start wrote, with its value before. */
export interface WrittenRegister {
  readonly register: string;
  readonly before: number;
  readonly after: number;
}

/** What a start found at a servo and wrote into it. */
export interface ServoStartReport {
  readonly joint: number;
  readonly id: number;
  readonly model: string;
  readonly firmware: number;
  /** True: it held its joint already, and kept its goal. */
  readonly held: boolean;
  /** Settings and limits, each read back after it was written. */
  readonly written: readonly WrittenRegister[];
  /** What the operator should know: narrower limits, another firmware than calibrated. */
  readonly notes: readonly string[];
}

/** What a start did, and what it proves. */
export interface StartReport {
  readonly servos: readonly ServoStartReport[];
  /** What each joint can hold by the settings of its servos, and has to hold where it stands. */
  readonly joints: readonly JointHold[];
  /** Answers that the line lost and garbled; null where a recovery did not measure it. */
  readonly line: LineQuality | null;
  /** Sentences about the line and the arm as a whole. */
  readonly notes: readonly string[];
}
