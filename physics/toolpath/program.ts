/**
 * Program: a built toolpath as the robot plays it, a graph of steps. The pose after an `if`
 * depends on the branch taken, so each distinct entry pose has its own copy of the following steps
 * (D22). Plain data: it crosses worker boundaries and is part of recordings.
 */
import type { JointPath } from '../motion/joint-path.ts';
import type { TimeProfile } from '../motion/time-profile.ts';
import type { Condition } from './conditions.ts';
import type { SignalAddress } from './signal-address.ts';

/** One path with both timings: builds plan at the automatic cap, teach mode re-times (D24). */
export interface PlannedMove {
  readonly path: JointPath;
  readonly automatic: TimeProfile;
  readonly teach: TimeProfile;
  /** Tool speed requested by the toolpath, before the mode's cap (m/s). */
  readonly tool_speed_m_s: number;
}

/** Index of the step that follows; END_OF_LOOP when the timeline is done. */
export type StepIndex = number;
export const END_OF_LOOP: StepIndex = -1;

interface StepBase {
  /** JSON pointer of the action in the toolpath, e.g. /timeline/3/timeline/0. */
  readonly at: string;
  /** Grid cell, row-major, innermost last; empty outside grids. */
  readonly cell: readonly number[];
}

export type ProgramStep =
  | (StepBase & { readonly kind: 'move'; readonly move: PlannedMove; readonly next: StepIndex })
  | (StepBase & {
      readonly kind: 'output';
      readonly io: SignalAddress;
      readonly value: boolean | number;
      readonly next: StepIndex;
    })
  | (StepBase & { readonly kind: 'wait'; readonly condition: Condition; readonly next: StepIndex })
  | (StepBase & {
      readonly kind: 'branch';
      readonly branches: readonly { readonly condition: Condition; readonly next: StepIndex }[];
      readonly otherwise: StepIndex;
    })
  | (StepBase & { readonly kind: 'restart' })
  /**
   * End of a loop at a pose other than home: the return move, played only before another loop
   * (D28).
   */
  | (StepBase & { readonly kind: 'return'; readonly move: PlannedMove });

/** A toolpath ready to run. A run starts at the home waypoint with step `first`. */
export interface Program {
  readonly home: Float64Array;
  readonly steps: readonly ProgramStep[];
  readonly first: StepIndex;
  readonly payload_kg: number;
  /** Tool tip in the flange frame (m) and radius (m). */
  readonly tool_offset_m: readonly [number, number, number];
  readonly analog_modes: {
    readonly i0: 'voltage' | 'current';
    readonly i1: 'voltage' | 'current';
    readonly o0: 'voltage' | 'current';
    readonly o1: 'voltage' | 'current';
  };
  readonly output_on_error: { readonly io: SignalAddress; readonly value: boolean | number } | null;
  /** Joint-space speed of approaches to home (m/s). */
  readonly default_tool_speed_m_s: number;
}
