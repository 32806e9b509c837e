/**
 * Intermediate representation (IR) of a toolpath between parsing and program: grids unrolled cell
 * by cell, routines copied into each call, every action linked to the next. lowering.ts makes and
 * links the nodes; the step graph (step-graph.ts) follows the links, the trajectory writer
 * (trajectory-writer.ts) the bodies, so both use the same nodes. §2.2.
 */

import type { IfAction, OutputSetAction, WaitAction } from '../../contract/types.generated.ts';
import type { MotionProblem } from '../motion/motion-problem.ts';
import type { Condition } from './conditions.ts';
import type { SignalAddress } from './signal-address.ts';

/** Index of a node; END when nothing follows. */
export type NodeIndex = number;
export const END: NodeIndex = -1;

/** Target of a motion. */
export interface MotionTarget {
  /** Joint angles (rad); meaningless when there is a problem. */
  readonly joints: Float64Array;
  /** Index of the waypoint, or -1 for a grid waypoint (§2.3). */
  readonly waypoint: number;
  /** Reason why no joint angles reach the target (a grid cell); null for a waypoint. */
  readonly problem: MotionProblem | null;
}

/** Kind and timing of a motion. */
export interface MotionSpec {
  readonly kind: 'joint_space' | 'linear' | 'spline';
  /** Requested duration (s), or null. */
  readonly time_s: number | null;
  /** Requested tool speed before the mode's cap (m/s). */
  readonly tool_speed_m_s: number;
}

interface NodeBase {
  /** JSON pointer of the action in the toolpath. */
  readonly at: string;
  /** Enclosing grid cells, row-major, innermost last. */
  readonly cell: readonly number[];
  /** The next node; linked once all nodes exist. */
  next: NodeIndex;
}

export interface IrBranch {
  readonly condition: Condition;
  readonly body: readonly NodeIndex[];
}

export type MoveNode = NodeBase & {
  readonly kind: 'move';
  readonly motion: MotionSpec;
  readonly target: MotionTarget;
};

export type CallNode = NodeBase & {
  readonly kind: 'call';
  readonly routine: string;
  readonly body: readonly NodeIndex[];
};

export type IfNode = NodeBase & {
  readonly kind: 'if';
  readonly branches: readonly IrBranch[];
  readonly action: IfAction;
};

export type IrNode =
  | MoveNode
  | CallNode
  | (NodeBase & { readonly kind: 'pass'; readonly target: MotionTarget })
  | (NodeBase & {
      readonly kind: 'output';
      readonly io: SignalAddress;
      readonly value: boolean | number;
      readonly action: OutputSetAction;
    })
  | (NodeBase & {
      readonly kind: 'wait';
      readonly condition: Condition;
      readonly action: WaitAction;
    })
  | (NodeBase & { readonly kind: 'restart' })
  | IfNode
  | (NodeBase & { readonly kind: 'grid'; readonly iterations: readonly (readonly NodeIndex[])[] });

/** A toolpath lowered to IR. */
export interface LoweredToolpath {
  readonly nodes: readonly IrNode[];
  /** Top-level nodes of the timeline, without the home action. */
  readonly body: readonly NodeIndex[];
  readonly home: MotionTarget;
  /** JSON pointer of the home action. */
  readonly home_path: string;
  readonly routines: readonly LoweredRoutine[];
  readonly default_tool_speed_m_s: number;
}

/** Reason of a failed build, a cap or the budget, and its position. */
export interface BuildFailure {
  readonly path: string;
  readonly message: string;
}

/** A routine lowered separately from its calls. */
export interface LoweredRoutine {
  readonly name: string;
  /** Null for a routine that the timeline calls; the reply lists its first call. */
  readonly body: readonly NodeIndex[] | null;
}
