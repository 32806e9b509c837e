/**
 * Lowers a checked toolpath to IR nodes (ir.ts) in one pass over the actions: unrolls grids,
 * copies routines into their calls, resolves every waypoint and grid cell to joint angles, and
 * links the nodes. The only compiler stage that reads wire actions. §2.2; D18, D21.
 */

import { limits } from '../../contract/limits.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Action, Toolpath } from '../../contract/types.generated.ts';
import { solveInverse } from '../kinematics/inverse.ts';
import { POSE_SIZE } from '../kinematics/tool.ts';
import type { ActionOf } from './action-walk.ts';
import type { Condition } from './conditions.ts';
import { cellPose, createGrid, type Grid } from './grid.ts';
import {
  type BuildFailure,
  END,
  type IrBranch,
  type IrNode,
  type LoweredRoutine,
  type LoweredToolpath,
  type MotionSpec,
  type MotionTarget,
  type NodeIndex,
} from './ir.ts';
import type { PlanningScene } from './planning-scene.ts';

/** One cell of a grid. */
interface GridCell {
  readonly grid: Grid;
  /** Joint angles of corner w0 (rad): cells use its configuration where possible. */
  readonly guess: Float64Array;
  readonly row: number;
  readonly column: number;
}

/** What the poses of cells depend on. */
type Model = Pick<PlanningScene, 'tool' | 'range'>;

const pose = new Float64Array(POSE_SIZE);

/**
 * Joint angles at a cell, `z_offset_m` off the plane of the grid. The problem of an unreachable
 * cell is that of inverse kinematics.
 */
function cellTarget(cell: GridCell, z_offset_m: number, { tool, range }: Model): MotionTarget {
  const { grid, guess, row, column } = cell;
  cellPose(grid, { column, row, z_offset_m }, pose);
  const found = solveInverse({ pose, guess, tool, range });
  if (found.ok) return { joints: found.joints, waypoint: -1, problem: null };
  const message = `Row ${row + 1}, column ${column + 1} of the grid: ${found.message}`;
  return { joints: guess, waypoint: -1, problem: { code: found.code, s: 0, message } };
}

/** Context of a timeline while it is lowered. */
interface TimelineContext {
  /** JSON pointer of the timeline. */
  readonly at: string;
  /** Enclosing cells, innermost last. */
  readonly cell: readonly number[];
  /** The innermost grid's cell, or null outside grids. */
  readonly grid: GridCell | null;
  /** Number of enclosing routine calls; more than there are routines is a recursion. */
  readonly calls: number;
}

class Lowering {
  readonly nodes: IrNode[] = [];
  failure: BuildFailure | null = null;
  private readonly toolpath: Toolpath;
  private readonly model: Model;
  private counted = 0;
  private readonly waypoints = new Map<number, MotionTarget>();

  constructor(toolpath: Toolpath, model: Model) {
    this.toolpath = toolpath;
    this.model = model;
  }

  waypoint(index: number): MotionTarget {
    let target = this.waypoints.get(index);
    if (!target) {
      const joints = Float64Array.from(this.toolpath.waypoints[index]!.joints);
      target = { joints, waypoint: index, problem: null };
      this.waypoints.set(index, target);
    }
    return target;
  }

  lowerTimeline(timeline: readonly Action[], context: TimelineContext): NodeIndex[] {
    const body: NodeIndex[] = [];
    timeline.forEach((action, i) => {
      if (this.failure || action.type === 'home') return;
      const at = `${context.at}/${i}`;
      if (this.count(at)) body.push(this.lowerAction(action, { ...context, at }));
    });
    return body;
  }

  /** Counts one action or cell; false when there are too many. */
  private count(at: string): boolean {
    this.counted++;
    const most = limits.routine_expansion_actions;
    if (this.counted > most)
      this.fail(at, `has more than ${most} steps when unrolled; use fewer grid cells or calls`);
    return this.failure === null;
  }

  private fail(path: string, message: string): void {
    this.failure ??= { path, message };
  }

  private add(node: IrNode): NodeIndex {
    this.nodes.push(node);
    return this.nodes.length - 1;
  }

  private lowerAction(
    action: Exclude<Action, { type: 'home' }>,
    context: TimelineContext,
  ): NodeIndex {
    const base = { at: context.at, cell: context.cell, next: END };
    switch (action.type) {
      case 'trajectory': {
        const target = this.waypoint(action.waypoint_id);
        if (action.pass_through) return this.add({ ...base, kind: 'pass', target });
        const kind = action.trajectory ?? 'joint_space';
        return this.add({ ...base, kind: 'move', motion: this.motion(kind, action), target });
      }
      case 'grid-waypoint': {
        const target = this.gridTarget(context, action.z_offset ?? 0);
        return this.add({
          ...base,
          kind: 'move',
          motion: this.motion('joint_space', action),
          target,
        });
      }
      case 'output-set':
        return this.add({ ...base, kind: 'output', io: action.io, value: action.value, action });
      case 'wait':
        return this.add({
          ...base,
          kind: 'wait',
          condition: action.condition as Condition,
          action,
        });
      case 'restart':
        return this.add({ ...base, kind: 'restart' });
      case 'if':
        return this.lowerIf(action, context);
      case 'grid':
        return this.lowerGrid(action, context);
      case 'call-routine':
        return this.lowerCall(action, context);
    }
  }

  private motion(
    kind: MotionSpec['kind'],
    timing: { readonly time?: number; readonly max_speed?: number },
  ): MotionSpec {
    const time_s = timing.time ?? null;
    const defaultSpeed = time_s === null ? this.toolpath.metadata.default_max_speed : null;
    const tool_speed_m_s = timing.max_speed ?? defaultSpeed ?? limits.speed_automatic_m_per_s;
    return { kind, time_s, tool_speed_m_s };
  }

  private gridTarget(context: TimelineContext, z_offset_m: number): MotionTarget {
    if (context.grid) return cellTarget(context.grid, z_offset_m, this.model);
    this.fail(context.at, 'is a grid-waypoint outside a grid');
    return this.waypoint(0);
  }

  private lowerIf(action: ActionOf<'if'>, context: TimelineContext): NodeIndex {
    const branches: IrBranch[] = [];
    const base = { at: context.at, cell: context.cell, next: END };
    const index = this.add({ ...base, kind: 'if', branches, action });
    action.branches.forEach((branch, i) => {
      const at = `${context.at}/branches/${i}/timeline`;
      const body = this.lowerTimeline(branch.timeline, { ...context, at });
      branches.push({ condition: branch.condition as Condition, body });
    });
    return index;
  }

  private lowerGrid(action: ActionOf<'grid'>, context: TimelineContext): NodeIndex {
    const iterations: NodeIndex[][] = [];
    const base = { at: context.at, cell: context.cell, next: END };
    const index = this.add({ ...base, kind: 'grid', iterations });
    const { rows, cols } = action;
    const w0 = this.waypoint(action.w0).joints;
    const wx = this.waypoint(action.wx).joints;
    const wy = this.waypoint(action.wy).joints;
    const grid = createGrid({ w0, wx, wy, cols, rows, tool: this.model.tool });
    for (let number = 0; number < rows * cols && this.count(context.at); number++) {
      const column = number % cols;
      const here: GridCell = { grid, guess: w0, column, row: (number - column) / cols };
      const cell = [...context.cell, number];
      iterations.push(
        this.lowerTimeline(action.timeline, {
          ...context,
          at: `${context.at}/timeline`,
          cell,
          grid: here,
        }),
      );
    }
    return index;
  }

  private lowerCall(action: ActionOf<'call-routine'>, context: TimelineContext): NodeIndex {
    const body: NodeIndex[] = [];
    const name = action.routine ?? action.name ?? '';
    const base = { at: context.at, cell: context.cell, next: END };
    const index = this.add({ ...base, kind: 'call', routine: name, body });
    const routines = this.toolpath.routines ?? [];
    const number = routines.findIndex((routine) => routine.name === name);
    if (number < 0) this.fail(context.at, `calls the routine '${name}', which does not exist`);
    else if (context.calls >= routines.length) {
      this.fail(context.at, `calls the routine '${name}' from within itself`);
    } else {
      const at = `/routines/${number}/timeline`;
      const calls = context.calls + 1;
      body.push(
        ...this.lowerTimeline(routines[number]!.timeline, { ...context, at, grid: null, calls }),
      );
    }
    return index;
  }
}

const ROOT: TimelineContext = { at: '/timeline', cell: [], grid: null, calls: 0 };

/** Lowers uncalled routines too: the reply lists all of them. */
function lowerRoutines(lowering: Lowering, toolpath: Toolpath): LoweredRoutine[] {
  const called = new Set<string>();
  for (const node of lowering.nodes) if (node.kind === 'call') called.add(node.routine);
  return (toolpath.routines ?? []).map(({ name, timeline }, i) => {
    const at = `/routines/${i}/timeline`;
    return {
      name,
      body: called.has(name) ? null : lowering.lowerTimeline(timeline, { ...ROOT, at }),
    };
  });
}

/** Sets `next` of every node of a body; `after` follows the last. */
function linkBody(nodes: readonly IrNode[], body: readonly NodeIndex[], after: NodeIndex): void {
  body.forEach((index, i) => {
    nodes[index]!.next = body[i + 1] ?? after;
  });
}

/**
 * Links all nodes. Parents precede their children in `nodes`, so one pass finds each parent's own
 * `next` set before its bodies need it.
 */
function linkNodes(nodes: readonly IrNode[], roots: readonly (readonly NodeIndex[])[]): void {
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

/**
 * Lowers a toolpath that has passed the toolpath check; fails at a cap of limits.ts, or at a
 * problem that the check reports too.
 */
export function lowerToolpath(
  toolpath: Toolpath,
  model: Model,
): Result<LoweredToolpath, BuildFailure> {
  const lowering = new Lowering(toolpath, model);
  const start = toolpath.timeline.findIndex((action) => action.type === 'home');
  const action = toolpath.timeline[start];
  if (action?.type !== 'home') return failure({ path: '/timeline', message: 'has no home action' });
  const home = lowering.waypoint(action.waypoint_id);
  const body = lowering.lowerTimeline(toolpath.timeline, ROOT);
  const routines = lowerRoutines(lowering, toolpath);
  if (lowering.failure) return failure(lowering.failure);
  const { nodes } = lowering;
  linkNodes(nodes, [body, ...routines.map((routine) => routine.body ?? [])]);
  const default_tool_speed_m_s = toolpath.metadata.default_max_speed;
  const home_path = `/timeline/${start}`;
  return success({ nodes, body, home, home_path, routines, default_tool_speed_m_s });
}
