/**
 * The toolpath laid out: grids unrolled cell by cell, routines copied into each call, every action
 * linked to the one that follows it. The step graph (step-graph.ts) walks the links, the reply
 * (reply.ts) walks the bodies, so both speak of the same nodes. Spec §2.2.
 */
import type { IfAction, OutputSetAction, WaitAction } from '../../contract/types.ts';
import type { MotionProblem } from '../motion/segment.ts';
import type { Condition, IoAddress } from './program.ts';

/** Index of a node; END when nothing follows. */
export type NodeIndex = number;
export const END: NodeIndex = -1;

/** Where a motion goes. */
export interface Target {
  /** Joint angles (rad); meaningless when there is a problem. */
  readonly joints: Float64Array;
  /** Index of the waypoint, or -1 for a grid waypoint (spec §2.3). */
  readonly waypoint: number;
  /** Why no joint angles reach the place (a grid cell); null for a waypoint. */
  readonly problem: MotionProblem | null;
}

/** How a motion is to be made. */
export interface Motion {
  readonly kind: 'joint_space' | 'linear' | 'spline';
  /** Requested duration (s), or null. */
  readonly time_s: number | null;
  /** Requested tool speed before the mode's cap (m/s). */
  readonly tool_speed_m_s: number;
}

interface NodeBase {
  /** JSON pointer of the action in the toolpath. */
  readonly at: string;
  /** Grid cells around it, row-major, innermost last. */
  readonly cell: readonly number[];
  /** What follows. Links are set once all nodes exist. */
  next: NodeIndex;
}

export interface Branch {
  readonly condition: Condition;
  readonly body: readonly NodeIndex[];
}

export type MoveNode = NodeBase & {
  readonly kind: 'move';
  readonly motion: Motion;
  readonly target: Target;
};

export type CallNode = NodeBase & {
  readonly kind: 'call';
  readonly routine: string;
  readonly body: readonly NodeIndex[];
};

export type IfNode = NodeBase & {
  readonly kind: 'if';
  readonly branches: readonly Branch[];
  readonly action: IfAction;
};

export type Node =
  | MoveNode
  | CallNode
  | (NodeBase & { readonly kind: 'pass'; readonly target: Target })
  | (NodeBase & {
      readonly kind: 'output';
      readonly io: IoAddress;
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

/** A toolpath laid out. */
export interface Layout {
  readonly nodes: readonly Node[];
  /** Top-level nodes of the timeline, the home action left out. */
  readonly body: readonly NodeIndex[];
  readonly home: Target;
  /** JSON pointer of the home action. */
  readonly home_at: string;
  readonly routines: readonly LaidRoutine[];
  readonly default_tool_speed_m_s: number;
}

/** Why nothing could be built at all: a cap or the budget, and where it was met. */
export interface BuildFailure {
  readonly path: string;
  readonly message: string;
}

/** A routine laid out apart from its calls. */
export interface LaidRoutine {
  readonly name: string;
  /** Null for a routine that the timeline calls: the reply lists its first call. */
  readonly body: readonly NodeIndex[] | null;
}

/** Sets `next` of every node of a body; `after` follows its last. */
function linkBody(nodes: readonly Node[], body: readonly NodeIndex[], after: NodeIndex): void {
  body.forEach((index, i) => {
    nodes[index]!.next = body[i + 1] ?? after;
  });
}

/**
 * Links all nodes of a layout. Parents come before their children in `nodes`, so that one pass
 * finds each parent's own `next` set when its bodies need it.
 */
export function linkNodes(nodes: readonly Node[], roots: readonly (readonly NodeIndex[])[]): void {
  for (const body of roots) linkBody(nodes, body, END);
  for (const node of nodes) {
    if (node.kind === 'call') linkBody(nodes, node.body, node.next);
    else if (node.kind === 'if') {
      for (const branch of node.branches) linkBody(nodes, branch.body, node.next);
    } else if (node.kind === 'grid') {
      for (let i = node.iterations.length - 1, after = node.next; i >= 0; i--) {
        linkBody(nodes, node.iterations[i]!, after);
        after = node.iterations[i]![0] ?? after;
      }
    }
  }
}

/** The first node that does something: steps into grids and calls, past empty ones. */
export function enterNode(nodes: readonly Node[], index: NodeIndex): NodeIndex {
  let at = index;
  while (at !== END) {
    const node = nodes[at]!;
    if (node.kind === 'grid')
      at = node.iterations.find((body) => body.length > 0)?.[0] ?? node.next;
    else if (node.kind === 'call') at = node.body[0] ?? node.next;
    else return at;
  }
  return END;
}
