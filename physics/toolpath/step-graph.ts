/**
 * Compiles the lowered toolpath to the steps of a program: visits every node once for each distinct
 * pose it can be entered from (D22), so that every motion starts where it was planned to. §2.2.
 * Also: the writer of the trajectory of replies (§2.3).
 */

import { limits } from '../../contract/limits.ts';
import type { SegmentItem, TrajectoryItem, TrajectoryRoutine } from '../../contract/types.ts';
import type { SegmentPlan } from '../motion/segment.ts';
import {
  type BuildFailure,
  type CallNode,
  END,
  type IfNode,
  type IrNode,
  type LoweredToolpath,
  type MotionTarget,
  type MoveNode,
  type NodeIndex,
} from './ir.ts';
import {
  type BuildFault,
  type BuildFaultLocation,
  buildFaultOf,
  OVER_BUDGET,
  type SegmentPlanner,
  type SegmentRequest,
  WORK_COSTS,
  type WorkBudget,
} from './plan-segment.ts';
import { END_OF_LOOP, type PlannedMove, type ProgramStep, type StepIndex } from './program.ts';
import { restItem, segmentItem, setpointCount } from './segment-item.ts';

/** The first effective node: enters grids and calls, skips empty ones. */
export function enterNode(nodes: readonly IrNode[], index: NodeIndex): NodeIndex {
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

export interface StepGraph {
  /** Complete only without faults. */
  readonly steps: readonly ProgramStep[];
  readonly first: StepIndex;
  readonly faults: readonly BuildFault[];
  readonly warnings: readonly BuildFault[];
  readonly failure: BuildFailure | null;
}

/** Entry state of a node: the pose of the arm, and waypoints to pass on its next motion. */
interface EntryState {
  readonly current: MotionTarget;
  readonly pending: readonly MotionTarget[];
  /** Pointer and order of the last pass-through, for the fault when no motion follows. */
  readonly passed: { readonly at: string; readonly order: number } | null;
}

interface Visit {
  readonly index: NodeIndex;
  readonly state: EntryState;
  readonly slot: StepIndex;
}

const RETURN_BLOCKED =
  'The return move to the home waypoint before the next loop is not free; ' +
  'end the toolpath with a trajectory to the home waypoint. ';

class StepGraphBuilder {
  readonly steps: ProgramStep[] = [];
  readonly faults: BuildFault[] = [];
  readonly warnings: BuildFault[] = [];
  failure: BuildFailure | null = null;
  private readonly lowered: LoweredToolpath;
  private readonly planner: SegmentPlanner;
  private readonly budget: WorkBudget;
  private readonly queue: Visit[] = [];
  private readonly variants = new Map<NodeIndex, Map<string, StepIndex>>();
  private readonly reported = new Set<string>();
  private slots = 0;

  constructor(lowered: LoweredToolpath, planner: SegmentPlanner, budget: WorkBudget) {
    this.lowered = lowered;
    this.planner = planner;
    this.budget = budget;
  }

  explore(): StepIndex {
    const first = this.lowered.body[0] ?? END;
    const start = this.enter(first, { current: this.lowered.home, pending: [], passed: null });
    for (let i = 0; i < this.queue.length && !this.failure; i++) {
      const visit = this.queue[i]!;
      if (!this.budget.spend(WORK_COSTS.node)) this.fail(visit.index, OVER_BUDGET);
      else this.visit(visit);
    }
    return start;
  }

  private nodeAt(index: NodeIndex): IrNode {
    return this.lowered.nodes[index]!;
  }

  private fail(index: NodeIndex, message: string): void {
    this.failure ??= { path: index === END ? '/timeline' : this.nodeAt(index).at, message };
  }

  /** Records a fault or warning once for each action and code, however many variants have it. */
  private note(list: BuildFault[], fault: BuildFault): void {
    const key = `${fault.path} ${fault.code}`;
    if (!this.reported.has(key)) list.push(fault);
    this.reported.add(key);
  }

  /** The step at which `index` starts for an arm in that state. */
  private enter(index: NodeIndex, from: EntryState): StepIndex {
    let state = from;
    let at = enterNode(this.lowered.nodes, index);
    while (at !== END) {
      const node = this.nodeAt(at);
      if (node.kind !== 'pass') return this.slotOf(at, state);
      const pending = [...state.pending, node.target];
      state = { current: state.current, pending, passed: { at: node.at, order: at } };
      at = enterNode(this.lowered.nodes, node.next);
    }
    return this.isHome(state) ? this.finish(state) : this.slotOf(END, state);
  }

  private isHome(state: EntryState): boolean {
    return this.planner.poseNumber(state.current) === this.planner.poseNumber(this.lowered.home);
  }

  /** Ends the loop: reports waypoints that no motion passes. */
  private finish(state: EntryState): StepIndex {
    if (state.passed) {
      const message = 'No motion follows that passes through this waypoint. Add one.';
      const { at: path, order } = state.passed;
      this.note(this.faults, { code: 'too_few_waypoints', path, message, order });
    }
    return END_OF_LOOP;
  }

  private slotOf(index: NodeIndex, state: EntryState): StepIndex {
    const entries = this.variants.get(index) ?? new Map<string, StepIndex>();
    this.variants.set(index, entries);
    const key = [state.current, ...state.pending].map((at) => this.planner.poseNumber(at)).join();
    let slot = entries.get(key);
    if (slot === undefined) {
      slot = this.slots++;
      entries.set(key, slot);
      this.queue.push({ index, state, slot });
    }
    if (entries.size > limits.entry_variants) {
      this.fail(
        index,
        `can be reached from more than ${limits.entry_variants} different poses; use fewer branches or return to one waypoint`,
      );
    }
    return slot;
  }

  private visit({ index, state, slot }: Visit): void {
    const step = index === END ? this.returnStep(state) : this.stepOf(index, state);
    if (step) this.steps[slot] = step;
  }

  private stepOf(index: NodeIndex, state: EntryState): ProgramStep | null {
    const node = this.nodeAt(index);
    const { at, cell } = node;
    switch (node.kind) {
      case 'move':
        return this.moveStep(node, index, state);
      case 'output': {
        const { io, value } = node;
        return { kind: 'output', at, cell, io, value, next: this.enter(node.next, state) };
      }
      case 'wait': {
        const { condition } = node;
        return { kind: 'wait', at, cell, condition, next: this.enter(node.next, state) };
      }
      case 'if':
        return this.branchStep(node, state);
      case 'restart':
        this.checkRestart(node, index, state);
        return { kind: 'restart', at, cell };
      default:
        return null;
    }
  }

  private branchStep(node: IfNode, state: EntryState): ProgramStep {
    const { at, cell } = node;
    const branches = node.branches.map(({ condition, body }) => ({
      condition,
      next: this.enter(body[0] ?? node.next, state),
    }));
    return { kind: 'branch', at, cell, branches, otherwise: this.enter(node.next, state) };
  }

  private checkRestart(node: IrNode, order: number, state: EntryState): void {
    this.finish(state);
    if (this.isHome(state)) return;
    const message =
      'The arm can be away from the home waypoint here. Move it home before the restart.';
    this.note(this.faults, { code: 'generation_error', path: node.at, message, order });
  }

  private moveStep(node: MoveNode, index: NodeIndex, state: EntryState): ProgramStep | null {
    const { at, cell, target, motion } = node;
    const request = { start: state.current, target, via: state.pending, motion };
    const move = this.plan(request, { path: at, order: index });
    const reached = target.problem ? state.current : target;
    const next = this.enter(node.next, { current: reached, pending: [], passed: null });
    return move && { kind: 'move', at, cell, move, next };
  }

  /** Plans a motion; records its fault and returns null when it is faulty. */
  private plan(request: SegmentRequest, where: BuildFaultLocation): PlannedMove | null {
    const plan = this.planner.plan(request);
    if (!plan) {
      this.failure ??= { path: where.path, message: OVER_BUDGET };
      return null;
    }
    const fault = buildFaultOf(plan, where);
    if (fault) this.note(this.faults, fault);
    const move = this.planner.move(request, plan);
    const { path, order } = where;
    for (const { code, message } of this.planner.warnings(request, plan)) {
      this.note(this.warnings, { code, message, path, order });
    }
    return move;
  }

  private returnStep(state: EntryState): ProgramStep | null {
    this.finish(state);
    const { home, default_tool_speed_m_s: tool_speed_m_s, nodes } = this.lowered;
    const motion = { kind: 'joint_space', time_s: null, tool_speed_m_s } as const;
    const request = { start: state.current, target: home, via: [], motion };
    const where = { path: '/timeline', order: nodes.length, preface: RETURN_BLOCKED };
    const move = this.plan(request, where);
    return move && { kind: 'return', at: '/timeline', cell: [], move };
  }
}

/** Builds the step graph from the home waypoint; deterministic, bounded by the budget. */
export function buildStepGraph(
  lowered: LoweredToolpath,
  planner: SegmentPlanner,
  budget: WorkBudget,
): StepGraph {
  const builder = new StepGraphBuilder(lowered, planner, budget);
  const first = builder.explore();
  const { steps, faults, warnings, failure } = builder;
  return { steps, first, faults, warnings, failure };
}

/**
 * Writes the trajectory of replies: walks the lowered toolpath in its own nesting, for the run in
 * which no branch is taken (D22). Transitions: `enter` is the routine's first action where that is
 * a motion, `exit` the motion directly after the call, and neither is listed a second time; a
 * transition without motion holds one setpoint at the current pose. §2.3.
 */

/** The written trajectory. */
export interface WrittenTrajectory {
  readonly timeline: TrajectoryItem[];
  readonly routines: TrajectoryRoutine[];
  /** Duration of motions and time waits; waits for inputs and outputs count as zero (s). */
  readonly duration_s: number;
  readonly faults: readonly BuildFault[];
  /** Reason why there is no trajectory: too many setpoints for one reply, or no budget left. */
  readonly failure: BuildFailure | null;
}

/** State of the walk: the pose of the arm, and waypoints to pass on the next motion. */
interface WriterState {
  current: MotionTarget;
  pending: MotionTarget[];
}

type Body = readonly NodeIndex[];

class TrajectoryWriter {
  readonly routines = new Map<string, TrajectoryItem[]>();
  readonly faults: BuildFault[] = [];
  duration_s = 0;
  failure: BuildFailure | null = null;
  private readonly lowered: LoweredToolpath;
  private readonly planner: SegmentPlanner;
  private readonly budget: WorkBudget;
  private setpoints = 0;

  constructor(lowered: LoweredToolpath, planner: SegmentPlanner, budget: WorkBudget) {
    this.lowered = lowered;
    this.planner = planner;
    this.budget = budget;
  }

  /** Walks a body and moves `state` to its end; omits items that are not `listed`. */
  list(body: Body, state: WriterState, listed: boolean): TrajectoryItem[] {
    const out: TrajectoryItem[] = [];
    for (let i = 0; i < body.length && !this.failure; ) {
      const node = this.nodeAt(body[i]!);
      const motionEnd = this.motionEnd(body, i);
      let item: TrajectoryItem | null;
      if (node.kind === 'call') {
        const exitEnd = this.motionEnd(body, i + 1);
        item = this.callItem(node, state, { listed, exit: body.slice(i + 1, exitEnd) });
        i = exitEnd;
      } else if (motionEnd > i) {
        item = this.motionItem(body.slice(i, motionEnd), state, listed);
        i = motionEnd;
      } else {
        item = this.plainItem(node, state, listed);
        i++;
      }
      if (item && listed) out.push(item);
    }
    return out;
  }

  private nodeAt(index: NodeIndex): IrNode {
    return this.lowered.nodes[index]!;
  }

  /** End of a motion (pass-throughs and the move after them) that starts at `from`. */
  private motionEnd(body: Body, from: number): number {
    let i = from;
    while (i < body.length && this.nodeAt(body[i]!).kind === 'pass') i++;
    return i < body.length && this.nodeAt(body[i]!).kind === 'move' ? i + 1 : from;
  }

  /** Walks one motion; an empty one is a rest. */
  private motionItem(motion: Body, state: WriterState, listed: boolean): SegmentItem | null {
    if (motion.length === 0) return restItem(state.current);
    for (const index of motion.slice(0, -1)) this.addPassThrough(this.nodeAt(index), state);
    const order = motion.at(-1)!;
    const node = this.nodeAt(order);
    if (node.kind !== 'move') return null;
    const request = {
      start: state.current,
      target: node.target,
      via: state.pending,
      motion: node.motion,
    };
    const plan = this.planner.plan(request);
    if (!plan) {
      this.failure = { path: node.at, message: OVER_BUDGET };
      return null;
    }
    this.note(plan, { path: node.at, order });
    if (!node.target.problem) state.current = node.target;
    state.pending = [];
    return listed ? this.segmentItem(plan, request) : null;
  }

  private addPassThrough(node: IrNode, state: WriterState): void {
    if (node.kind === 'pass') state.pending = [...state.pending, node.target];
  }

  private note(plan: SegmentPlan, where: { readonly path: string; readonly order: number }): void {
    if (plan.kind === 'planned') this.duration_s += plan.segment.profile.duration_s;
    const fault = buildFaultOf(plan, where);
    if (fault) this.faults.push(fault);
  }

  private segmentItem(
    plan: SegmentPlan,
    { start, via, target }: SegmentRequest,
  ): SegmentItem | null {
    const count = plan.kind === 'planned' ? setpointCount(plan.segment.profile.duration_s) : 1;
    this.setpoints += count;
    if (this.setpoints > limits.reply_setpoints) {
      const message = `needs more than ${limits.reply_setpoints} setpoints, too many for one reply`;
      this.failure = { path: '/timeline', message };
    } else if (!this.budget.spend(count * WORK_COSTS.setpoint)) {
      this.failure = { path: '/timeline', message: OVER_BUDGET };
    }
    if (this.failure) return null;
    const waypoints = [start, ...via, target].map((each) => each.waypoint);
    const { planningScene } = this.planner;
    return segmentItem(plan, start, { waypoints, planningScene });
  }

  private plainItem(node: IrNode, state: WriterState, listed: boolean): TrajectoryItem | null {
    switch (node.kind) {
      case 'pass':
        this.addPassThrough(node, state);
        return null;
      case 'output':
        return { type: 'output', io: node.action.io, value: node.action.value };
      case 'wait':
        if (node.condition.type === 'time') this.duration_s += node.condition.duration;
        return { type: 'wait', condition: node.action.condition };
      case 'restart':
        return { type: 'restart' };
      case 'if':
        return this.ifItem(node, state, listed);
      case 'grid': {
        const iterations = node.iterations.map((body) => this.list(body, state, listed));
        return { type: 'grid', iterations };
      }
      default:
        return null;
    }
  }

  /** Lists each branch from the current pose; the walk continues as if none were taken. */
  private ifItem(node: IfNode, state: WriterState, listed: boolean): TrajectoryItem {
    const before_s = this.duration_s;
    const branches = node.branches.map(({ body }, i) => ({
      condition: node.action.branches[i]!.condition,
      timeline: this.list(body, { ...state }, listed),
    }));
    this.duration_s = before_s;
    return { type: 'if', branches };
  }

  private callItem(
    { routine, body }: CallNode,
    state: WriterState,
    how: { readonly listed: boolean; readonly exit: Body },
  ): TrajectoryItem | null {
    const { listed } = how;
    const entered = this.motionEnd(body, 0);
    const enter = this.motionItem(body.slice(0, entered), state, listed);
    const known = this.routines.has(routine);
    const timeline = this.list(body.slice(entered), state, listed && !known);
    if (listed && !known) this.routines.set(routine, timeline);
    const exit = this.motionItem(how.exit, state, listed);
    return enter && exit && { type: 'call-routine', enter, routine, exit };
  }

  /** Lists routines without a call, from the target of their own first motion. */
  listUncalled(listed: boolean): void {
    for (const { name, body } of this.lowered.routines) {
      if (body) this.listRoutine(name, body, listed);
    }
  }

  private listRoutine(name: string, body: Body, listed: boolean): void {
    const before_s = this.duration_s;
    const entered = this.motionEnd(body, 0);
    const first = entered > 0 ? this.nodeAt(body[entered - 1]!) : null;
    const target = first?.kind === 'move' ? first.target : this.lowered.home;
    const timeline = this.list(body.slice(entered), { current: target, pending: [] }, listed);
    if (!this.routines.has(name)) this.routines.set(name, timeline);
    this.duration_s = before_s;
  }
}

/** Writes the trajectory of a lowered toolpath whose segments come from `planner`. */
export function writeTrajectory(
  lowered: LoweredToolpath,
  planner: SegmentPlanner,
  budget: WorkBudget,
): WrittenTrajectory {
  const writer = new TrajectoryWriter(lowered, planner, budget);
  const timeline = writer.list(lowered.body, { current: lowered.home, pending: [] }, true);
  const { duration_s } = writer;
  writer.listUncalled(true);
  const routines = lowered.routines.map(({ name }) => ({
    name,
    timeline: writer.routines.get(name) ?? [],
  }));
  return { timeline, routines, duration_s, faults: writer.faults, failure: writer.failure };
}

/** Faults of uncalled routines, which the step graph does not reach. */
export function findUncalledRoutineFaults(
  lowered: LoweredToolpath,
  planner: SegmentPlanner,
  budget: WorkBudget,
): Pick<WrittenTrajectory, 'faults' | 'failure'> {
  const writer = new TrajectoryWriter(lowered, planner, budget);
  writer.listUncalled(false);
  return { faults: writer.faults, failure: writer.failure };
}
