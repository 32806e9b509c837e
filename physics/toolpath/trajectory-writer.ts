/**
 * Writes the trajectory of replies: walks the lowered toolpath in its own nesting, for the run in
 * which no branch is taken (D22). Transitions: `enter` is the routine's first action where that is
 * a motion, `exit` the motion directly after the call, and neither is listed a second time; a
 * transition without motion holds one setpoint at the current pose. §2.3.
 */

import { limits } from '../../contract/limits.ts';
import type {
  SegmentItem,
  TrajectoryItem,
  TrajectoryRoutine,
} from '../../contract/types.generated.ts';
import type { SegmentPlan } from '../motion/segment.ts';
import { type BuildFault, buildFaultOf } from './build-fault.ts';
import type {
  BuildFailure,
  CallNode,
  IfNode,
  IrNode,
  LoweredToolpath,
  MotionTarget,
  NodeIndex,
} from './ir.ts';
import type { SegmentRequest } from './plan-segment.ts';
import { restItem, segmentItem, setpointCount } from './segment-item.ts';
import type { SegmentPlanner } from './segment-planner.ts';
import { OVER_BUDGET, WORK_COSTS, type WorkBudget } from './work-budget.ts';

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
