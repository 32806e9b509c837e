/**
 * A built toolpath as the robot plays it: a graph of steps. The place where the arm stands after
 * an `if` depends on the branch taken, so each distinct entry pose has its own copy of what
 * follows (decision D22); the graph makes that plain. Plain data, so that it crosses worker borders
 * and lies in recordings.
 */
import type { JointPath } from '../motion/path.ts';
import type { TimeProfile } from '../motion/time-profile.ts';

/** One path with both timings: builds plan at the automatic cap, a teach run re-times (D24). */
export interface PlannedMove {
  readonly path: JointPath;
  readonly automatic: TimeProfile;
  readonly teach: TimeProfile;
  /** Tool speed asked for by the toolpath, before the mode's cap (m/s). */
  readonly tool_speed_m_s: number;
}

/** Which input or output a step reads or writes (spec §2.5). */
export interface IoAddress {
  readonly location: 'base' | 'end_effector';
  readonly type: 'analog' | 'digital';
  readonly index: number;
}

/** A condition of spec §2.2, checked and complete. */
export type Condition =
  | { readonly type: 'time'; readonly duration: number }
  | {
      readonly type: 'input' | 'output-test';
      readonly io: IoAddress;
      readonly operator?: 'equal' | 'below' | 'above' | 'inside' | 'outside';
      readonly thresholds?: { readonly lower: number; readonly upper: number };
      readonly value?: boolean | number;
    };

/** Index of the step that follows; END_OF_LOOP when the timeline is done. */
export type StepIndex = number;
export const END_OF_LOOP: StepIndex = -1;

interface StepBase {
  /** JSON pointer of the action in the toolpath, e.g. /timeline/3/timeline/0. */
  readonly at: string;
  /** Grid cell, row-major, innermost last; empty outside grids. */
  readonly cell: readonly number[];
}

export type Step =
  | (StepBase & { readonly kind: 'move'; readonly move: PlannedMove; readonly next: StepIndex })
  | (StepBase & {
      readonly kind: 'output';
      readonly io: IoAddress;
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
  /** End of one loop at a pose other than home: the way back, before the next loop only (D28). */
  | (StepBase & { readonly kind: 'return'; readonly move: PlannedMove });

/** A toolpath ready to run. A run starts at the home waypoint with step `first`. */
export interface Program {
  readonly home: Float64Array;
  readonly steps: readonly Step[];
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
  readonly output_on_error: { readonly io: IoAddress; readonly value: boolean | number } | null;
  /** Joint-space speed of approaches to home (m/s). */
  readonly default_tool_speed_m_s: number;
}
