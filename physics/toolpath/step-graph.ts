/**
 * Compiles the lowered toolpath to the steps of a program: visits every node once for each
 * distinct pose it can be entered from (D22), so that every motion starts where it was planned to.
 * §2.2.
 */

import { limits } from '../../contract/limits.ts';
import { type BuildFault, type BuildFaultLocation, buildFaultOf } from './build-fault.ts';
import {
  type BuildFailure,
  END,
  type IfNode,
  type IrNode,
  type LoweredToolpath,
  type MotionTarget,
  type MoveNode,
  type NodeIndex,
} from './ir.ts';
import type { SegmentRequest } from './plan-segment.ts';
import { END_OF_LOOP, type PlannedMove, type ProgramStep, type StepIndex } from './program.ts';
import type { SegmentPlanner } from './segment-planner.ts';
import { OVER_BUDGET, WORK_COSTS, type WorkBudget } from './work-budget.ts';

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
