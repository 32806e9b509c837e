/**
 * Lays a checked toolpath out into nodes (nodes.ts): one pass over the actions that unrolls grids,
 * copies routines into their calls and resolves every waypoint to joint angles. Apart from the
 * node forms because this is the only place that reads the wire's actions. Spec §2.2; D18, D21.
 */
import { limits } from '../../contract/limits.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Action, Toolpath } from '../../contract/types.ts';
import type { Tool } from '../kinematics/tool.ts';
import { type GridCell, placeCell } from './cells.ts';
import { createGrid } from './grid.ts';
import {
  type Branch,
  type BuildFailure,
  END,
  type LaidRoutine,
  type Layout,
  linkNodes,
  type Motion,
  type Node,
  type NodeIndex,
  type Target,
} from './nodes.ts';
import type { Condition } from './program.ts';

type ActionOf<Type extends Action['type']> = Extract<Action, { readonly type: Type }>;

/** The surroundings of a timeline while it is laid out. */
interface Place {
  /** JSON pointer of the timeline. */
  readonly at: string;
  /** Numbers of the cells around it, innermost last. */
  readonly cell: readonly number[];
  /** The innermost grid's cell, or null outside grids. */
  readonly grid: GridCell | null;
  /** Routine calls around it: deeper than there are routines is a recursion. */
  readonly calls: number;
}

class Surveyor {
  readonly nodes: Node[] = [];
  failure: BuildFailure | null = null;
  private readonly toolpath: Toolpath;
  private readonly tool: Tool;
  private counted = 0;
  private readonly waypoints = new Map<number, Target>();

  constructor(toolpath: Toolpath, tool: Tool) {
    this.toolpath = toolpath;
    this.tool = tool;
  }

  waypoint(index: number): Target {
    let target = this.waypoints.get(index);
    if (!target) {
      const joints = Float64Array.from(this.toolpath.waypoints[index]!.joints);
      target = { joints, waypoint: index, problem: null };
      this.waypoints.set(index, target);
    }
    return target;
  }

  lay(timeline: readonly Action[], place: Place): NodeIndex[] {
    const body: NodeIndex[] = [];
    timeline.forEach((action, i) => {
      if (this.failure || action.type === 'home') return;
      const at = `${place.at}/${i}`;
      if (this.count(at)) body.push(this.layAction(action, { ...place, at }));
    });
    return body;
  }

  /** Counts one action or cell; false once there are too many. */
  private count(at: string): boolean {
    this.counted++;
    const most = limits.routine_expansion_actions;
    if (this.counted > most) this.fail(at, `has more than ${most} steps when unrolled`);
    return this.failure === null;
  }

  private fail(path: string, message: string): void {
    this.failure ??= { path, message };
  }

  private add(node: Node): NodeIndex {
    this.nodes.push(node);
    return this.nodes.length - 1;
  }

  private layAction(action: Exclude<Action, { type: 'home' }>, place: Place): NodeIndex {
    const base = { at: place.at, cell: place.cell, next: END };
    switch (action.type) {
      case 'trajectory': {
        const target = this.waypoint(action.waypoint_id);
        if (action.pass_through) return this.add({ ...base, kind: 'pass', target });
        const kind = action.trajectory ?? 'joint_space';
        return this.add({ ...base, kind: 'move', motion: this.motion(kind, action), target });
      }
      case 'grid-waypoint': {
        const target = this.gridTarget(place, action.z_offset ?? 0);
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
        return this.layIf(action, place);
      case 'grid':
        return this.layGrid(action, place);
      case 'call-routine':
        return this.layCall(action, place);
    }
  }

  private motion(
    kind: Motion['kind'],
    asked: { readonly time?: number; readonly max_speed?: number },
  ): Motion {
    const time_s = asked.time ?? null;
    const slowest = time_s === null ? this.toolpath.metadata.default_max_speed : null;
    const tool_speed_m_s = asked.max_speed ?? slowest ?? limits.speed_automatic_m_per_s;
    return { kind, time_s, tool_speed_m_s };
  }

  private gridTarget(place: Place, z_offset_m: number): Target {
    if (place.grid) return placeCell(place.grid, z_offset_m, this.tool);
    this.fail(place.at, 'is a grid-waypoint outside a grid');
    return this.waypoint(0);
  }

  private layIf(action: ActionOf<'if'>, place: Place): NodeIndex {
    const branches: Branch[] = [];
    const base = { at: place.at, cell: place.cell, next: END };
    const index = this.add({ ...base, kind: 'if', branches, action });
    action.branches.forEach((branch, i) => {
      const at = `${place.at}/branches/${i}/timeline`;
      const body = this.lay(branch.timeline, { ...place, at });
      branches.push({ condition: branch.condition as Condition, body });
    });
    return index;
  }

  private layGrid(action: ActionOf<'grid'>, place: Place): NodeIndex {
    const iterations: NodeIndex[][] = [];
    const base = { at: place.at, cell: place.cell, next: END };
    const index = this.add({ ...base, kind: 'grid', iterations });
    const { rows, cols } = action;
    const w0 = this.waypoint(action.w0).joints;
    const wx = this.waypoint(action.wx).joints;
    const wy = this.waypoint(action.wy).joints;
    const grid = createGrid({ w0, wx, wy, cols, rows, tool: this.tool });
    for (let number = 0; number < rows * cols && this.count(place.at); number++) {
      const column = number % cols;
      const here: GridCell = { grid, guess: w0, column, row: (number - column) / cols };
      const cell = [...place.cell, number];
      iterations.push(
        this.lay(action.timeline, { ...place, at: `${place.at}/timeline`, cell, grid: here }),
      );
    }
    return index;
  }

  private layCall(action: ActionOf<'call-routine'>, place: Place): NodeIndex {
    const body: NodeIndex[] = [];
    const name = action.routine ?? action.name ?? '';
    const base = { at: place.at, cell: place.cell, next: END };
    const index = this.add({ ...base, kind: 'call', routine: name, body });
    const routines = this.toolpath.routines ?? [];
    const number = routines.findIndex((routine) => routine.name === name);
    if (number < 0) this.fail(place.at, `calls the routine '${name}', which does not exist`);
    else if (place.calls >= routines.length) {
      this.fail(place.at, `calls the routine '${name}' from within itself`);
    } else {
      const at = `/routines/${number}/timeline`;
      const calls = place.calls + 1;
      body.push(...this.lay(routines[number]!.timeline, { ...place, at, grid: null, calls }));
    }
    return index;
  }
}

const ROOT: Place = { at: '/timeline', cell: [], grid: null, calls: 0 };

/** Routines that nothing calls are laid out too: the reply lists all of them. */
function layRoutines(surveyor: Surveyor, toolpath: Toolpath): LaidRoutine[] {
  const called = new Set<string>();
  for (const node of surveyor.nodes) if (node.kind === 'call') called.add(node.routine);
  return (toolpath.routines ?? []).map(({ name, timeline }, i) => {
    const at = `/routines/${i}/timeline`;
    return { name, body: called.has(name) ? null : surveyor.lay(timeline, { ...ROOT, at }) };
  });
}

/**
 * Lays out a toolpath that has passed the toolpath check; a failure is a cap of limits.ts, or one
 * of the faults that the check names as well.
 */
export function layOut(toolpath: Toolpath, tool: Tool): Result<Layout, BuildFailure> {
  const surveyor = new Surveyor(toolpath, tool);
  const start = toolpath.timeline.findIndex((action) => action.type === 'home');
  const action = toolpath.timeline[start];
  if (action?.type !== 'home') return failure({ path: '/timeline', message: 'has no home action' });
  const home = surveyor.waypoint(action.waypoint_id);
  const body = surveyor.lay(toolpath.timeline, ROOT);
  const routines = layRoutines(surveyor, toolpath);
  if (surveyor.failure) return failure(surveyor.failure);
  const { nodes } = surveyor;
  linkNodes(nodes, [body, ...routines.map((routine) => routine.body ?? [])]);
  const default_tool_speed_m_s = toolpath.metadata.default_max_speed;
  const home_at = `/timeline/${start}`;
  return success({ nodes, body, home, home_at, routines, default_tool_speed_m_s });
}
