/**
 * A toolpath that the robot can run, what it was planned from, and its form in files and messages.
 */

import type { ToolpathMetadata } from '../../contract/types.generated.ts';
import type { ArmRange } from '../../physics/arm/arm-range.ts';
import type { MotionTiming } from '../../physics/motion/motion-timing.ts';
import type { Program } from '../../physics/toolpath/program.ts';

/** A toolpath as JSON text (UTF-8), and timing and range of the arm where they are its own. */
export interface ToolpathTask {
  readonly toolpath: Uint8Array;
  readonly timing: MotionTiming | null;
  readonly range: ArmRange | null;
}

/** What a program was planned from; the same version plans the same program from it. */
export interface ProgramSource extends Pick<ToolpathTask, 'timing' | 'range'> {
  /** The toolpath as JSON text (UTF-8), deflated (RFC 1951). */
  readonly toolpath_deflated: Uint8Array;
  /** SHA-256 of the numbers of the program. */
  readonly program_sha256: string;
}

/** A built toolpath, ready to run. */
export interface LoadedToolpath {
  readonly name: string;
  readonly hash: string;
  readonly program: Program;
  readonly source: ProgramSource;
  /** Tool, zones and default speed, for approaches to home. */
  readonly metadata: ToolpathMetadata;
}

/**
 * A toolpath in a file, a kept run or a message to a thread: with the source alone, because its
 * program may be a hundred times as large.
 */
export type RecordedToolpath = Omit<LoadedToolpath, 'program'>;
