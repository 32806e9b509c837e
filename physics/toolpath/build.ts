/**
 * Builds a toolpath: from a checked toolpath in the wire format to the program that the robot plays
 * and the trajectory of replies. A soft error is a motion that cannot be made; a hard error is a
 * toolpath without any timeline. §2.2, §2.3; D16, D21 to D24. Also: the first stage, which lowers
 * the toolpath to IR nodes (ir.ts) and links them.
 */
import type { MotionError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { failure, type Result, success } from '../../contract/refusal.ts';
import type { Action, Toolpath, Trajectory } from '../../contract/types.ts';
import { checkPose } from '../collision/collision-check.ts';
import { createFrames, forward, POSE_SIZE, type Tool } from '../kinematics/forward.ts';
import { solveInverse } from '../kinematics/inverse.ts';
import type { MotionTiming } from '../motion/limits.ts';
import { boundaryProblem } from '../motion/segment.ts';
import {
  type BuildFailure,
  cellPose,
  createGrid,
  END,
  type Grid,
  type IrBranch,
  type IrNode,
  type LoweredRoutine,
  type LoweredToolpath,
  type MotionSpec,
  type MotionTarget,
  type NodeIndex,
} from './ir.ts';
import {
  type BuildFault,
  createPlanningScene,
  DEFAULT_WORK_BUDGET,
  type PlanningScene,
  SegmentPlanner,
  WorkBudget,
} from './plan-segment.ts';
import type { Condition, Program } from './program.ts';
import {
  buildStepGraph,
  findUncalledRoutineFaults,
  type StepGraph,
  type WrittenTrajectory,
  writeTrajectory,
} from './step-graph.ts';

/** Outputs of a build and its work budget. */
export interface BuildOptions {
  /** Builds the program that a robot plays, with its teach timings. */
  readonly program: boolean;
  /** Builds the trajectory of replies. */
  readonly trajectory: boolean;
  /** Work units; see plan-segment.ts. */
  readonly budget?: number;
  /** Timing of the arm's planner; null or absent: that of the model. */
  readonly timing?: MotionTiming | null;
}

export type BuildResult =
  | {
      readonly kind: 'built';
      readonly program: Program | null;
      readonly trajectory: Trajectory | null;
      /** Warnings about motions that can be made. */
      readonly warnings: readonly BuildFault[];
    }
  | {
      readonly kind: 'soft' | 'hard';
      /** A message that names the action, the problem and a remedy. */
      readonly error: string;
      readonly code: MotionError;
      /** JSON pointer of the action. */
      readonly path: string;
      readonly trajectory: Trajectory | null;
    };

/** All results of a compilation, before they are formatted for one reader. */
export interface CompiledToolpath {
  readonly lowered: LoweredToolpath;
  readonly planner: SegmentPlanner;
  readonly graph: StepGraph;
  readonly trajectory: WrittenTrajectory | null;
  /** All motions that cannot be made, in document order. */
  readonly faults: readonly BuildFault[];
}

interface CompileFailure {
  readonly cause: BuildFailure;
  readonly code: MotionError;
}

/**
 * Compiles a toolpath that has passed schema and toolpath check; the preview uses the whole result.
 */
export function compileToolpath(
  toolpath: Toolpath,
  options: BuildOptions,
): Result<CompiledToolpath, CompileFailure> {
  const budget = new WorkBudget(options.budget ?? DEFAULT_WORK_BUDGET);
  const planningScene = createPlanningScene({ ...toolpath.metadata, timing: options.timing });
  const lowering = lowerToolpath(toolpath, planningScene.tool);
  if (!lowering.ok) return failure({ cause: lowering.error, code: 'generation_error' });
  const lowered = lowering.value;
  const planner = new SegmentPlanner(planningScene, budget, options.program);
  const graph = buildStepGraph(lowered, planner, budget);
  if (graph.failure) return failure({ cause: graph.failure, code: 'generation_error' });
  const written = options.trajectory ? writeTrajectory(lowered, planner, budget) : null;
  const checked = written ?? findUncalledRoutineFaults(lowered, planner, budget);
  if (checked.failure) return failure({ cause: checked.failure, code: 'result_generation_error' });
  const home = homeFault(lowered, planningScene);
  const faults = [...(home ? [home] : []), ...graph.faults, ...checked.faults];
  // Stable sort: of two faults at one position, the one found first stays first.
  faults.sort((a, b) => a.order - b.order);
  return success({ lowered, planner, graph, trajectory: written, faults });
}

/**
 * Builds a toolpath that has passed schema and toolpath check. Deterministic: equal toolpaths give
 * equal bits on every machine, because `budget` counts work instead of time.
 */
export function buildToolpath(toolpath: Toolpath, options: BuildOptions): BuildResult {
  const compiled = compileToolpath(toolpath, options);
  if (!compiled.ok) return hardError(compiled.error.cause, compiled.error.code, options);
  const { lowered, graph, trajectory: written, faults } = compiled.value;
  const fault = faults[0];
  if (fault) return softError(fault, written);
  return {
    kind: 'built',
    program: options.program ? programOf(toolpath, lowered, graph) : null,
    trajectory: written && trajectoryOf(written, { duration: written.duration_s }),
    warnings: graph.warnings,
  };
}

function hardError(cause: BuildFailure, code: MotionError, options: BuildOptions): BuildResult {
  const error = `The toolpath cannot be built: ${cause.path} ${cause.message} (${code}).`;
  const trajectory = options.trajectory ? { error } : null;
  return { kind: 'hard', error, code, path: cause.path, trajectory };
}

function softError(fault: BuildFault, written: WrittenTrajectory | null): BuildResult {
  const { code, path } = fault;
  const error = `The motion of ${path} cannot be made: ${fault.message} (${code})`;
  return {
    kind: 'soft',
    error,
    code,
    path,
    trajectory: written && trajectoryOf(written, { error }),
  };
}

function trajectoryOf(
  { timeline, routines }: WrittenTrajectory,
  outcome: { readonly duration: number } | { readonly error: string },
): Trajectory {
  return { ...outcome, timeline, ...(routines.length > 0 ? { routines } : {}) };
}

/** Checks the home waypoint: every run starts there, so it must be valid and free. */
function homeFault(
  { home, home_path: path }: LoweredToolpath,
  planningScene: PlanningScene,
): BuildFault | null {
  const boundary = boundaryProblem(home.joints);
  if (boundary) return { code: boundary.code, message: boundary.message, path, order: -1 };
  const frames = createFrames();
  forward(home.joints, frames);
  const hit = checkPose(planningScene.scene, frames);
  return hit && { code: hit.code, message: hit.message, path, order: -1 };
}

function programOf({ metadata }: Toolpath, lowered: LoweredToolpath, graph: StepGraph): Program {
  const { x, y, z } = metadata.tcp_config?.offsets ?? { x: 0, y: 0, z: 0 };
  const onError = metadata.output_on_error;
  return {
    home: lowered.home.joints,
    steps: graph.steps,
    first: graph.first,
    payload_kg: metadata.payload,
    tool_offset_m: [x, y, z],
    analog_modes: metadata.analog_modes,
    output_on_error: onError ? { io: onError.io, value: onError.value } : null,
    default_tool_speed_m_s: metadata.default_max_speed,
  };
}

/**
 * Lowers a checked toolpath to IR nodes (ir.ts) in one pass over the actions: unrolls grids, copies
 * routines into their calls and resolves every waypoint and grid cell to joint angles. The only
 * compiler stage that reads wire actions. §2.2; D18, D21.
 */

/** One cell of a grid. */
interface GridCell {
  readonly grid: Grid;
  /** Joint angles of corner w0 (rad): cells use its configuration where possible. */
  readonly guess: Float64Array;
  readonly row: number;
  readonly column: number;
}

const pose = new Float64Array(POSE_SIZE);

/**
 * Joint angles at a cell, `z_offset_m` off the plane of the grid. The problem of an unreachable
 * cell is that of inverse kinematics.
 */
function cellTarget(cell: GridCell, z_offset_m: number, tool: Tool): MotionTarget {
  const { grid, guess, row, column } = cell;
  cellPose(grid, { column, row, z_offset_m }, pose);
  const found = solveInverse({ pose, guess, tool });
  if (found.ok) return { joints: found.joints, waypoint: -1, problem: null };
  const message = `Row ${row + 1}, column ${column + 1} of the grid: ${found.message}`;
  return { joints: guess, waypoint: -1, problem: { code: found.code, s: 0, message } };
}

type ActionOf<Type extends Action['type']> = Extract<Action, { readonly type: Type }>;

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
  private readonly tool: Tool;
  private counted = 0;
  private readonly waypoints = new Map<number, MotionTarget>();

  constructor(toolpath: Toolpath, tool: Tool) {
    this.toolpath = toolpath;
    this.tool = tool;
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
    if (context.grid) return cellTarget(context.grid, z_offset_m, this.tool);
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
    const grid = createGrid({ w0, wx, wy, cols, rows, tool: this.tool });
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
function lowerToolpath(toolpath: Toolpath, tool: Tool): Result<LoweredToolpath, BuildFailure> {
  const lowering = new Lowering(toolpath, tool);
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
