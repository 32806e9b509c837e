/**
 * The trajectory that replies carry: the layout walked in the toolpath's own nesting, for the run
 * in which no branch is taken (decision D22). Transitions: `enter` is the routine's first action
 * where that is a motion, `exit` the motion that follows the call at once, and neither is listed
 * a second time; a transition with nothing to move holds the one setpoint where the arm stands.
 * Spec §2.3.
 */
import { limits } from '../../contract/limits.ts';
import type { SegmentItem, TrajectoryItem, TrajectoryRoutine } from '../../contract/types.ts';
import { type Budget, COSTS, TOO_MUCH_WORK } from './budget.ts';
import { type Fault, faultOf } from './fault.ts';
import type { Leg, LegRequest } from './leg.ts';
import type { LegPlanner } from './leg-planner.ts';
import type { BuildFailure, CallNode, IfNode, Layout, Node, NodeIndex, Target } from './nodes.ts';
import { restItem, segmentItem, setpointCount } from './segment-item.ts';

/** The listed motion. */
export interface Listing {
  readonly timeline: TrajectoryItem[];
  readonly routines: TrajectoryRoutine[];
  /** Motions and time waits; waits for inputs and outputs count as none (s). */
  readonly duration_s: number;
  readonly faults: readonly Fault[];
  /** Why there is no listing: too many setpoints for one reply, or no budget left. */
  readonly failure: BuildFailure | null;
}

/** Where the walk is: the place of the arm, and waypoints on the way to the next. */
interface Stand {
  place: Target;
  pending: Target[];
}

type Body = readonly NodeIndex[];

class Lister {
  readonly routines = new Map<string, TrajectoryItem[]>();
  readonly faults: Fault[] = [];
  duration_s = 0;
  failure: BuildFailure | null = null;
  private readonly layout: Layout;
  private readonly planner: LegPlanner;
  private readonly budget: Budget;
  private setpoints = 0;

  constructor(layout: Layout, planner: LegPlanner, budget: Budget) {
    this.layout = layout;
    this.planner = planner;
    this.budget = budget;
  }

  /** Walks a body, moves `stand` to its end; the items are left out where they are not `listed`. */
  list(body: Body, stand: Stand, listed: boolean): TrajectoryItem[] {
    const out: TrajectoryItem[] = [];
    for (let i = 0; i < body.length && !this.failure; ) {
      const node = this.nodeAt(body[i]!);
      const motionEnd = this.motionEnd(body, i);
      let item: TrajectoryItem | null;
      if (node.kind === 'call') {
        const exitEnd = this.motionEnd(body, i + 1);
        item = this.callItem(node, stand, { listed, exit: body.slice(i + 1, exitEnd) });
        i = exitEnd;
      } else if (motionEnd > i) {
        item = this.motionItem(body.slice(i, motionEnd), stand, listed);
        i = motionEnd;
      } else {
        item = this.plainItem(node, stand, listed);
        i++;
      }
      if (item && listed) out.push(item);
    }
    return out;
  }

  private nodeAt(index: NodeIndex): Node {
    return this.layout.nodes[index]!;
  }

  /** Where a motion (pass-throughs and the move after them) that begins at `from` is over. */
  private motionEnd(body: Body, from: number): number {
    let i = from;
    while (i < body.length && this.nodeAt(body[i]!).kind === 'pass') i++;
    return i < body.length && this.nodeAt(body[i]!).kind === 'move' ? i + 1 : from;
  }

  /** Walks one motion; an empty one is a rest. */
  private motionItem(motion: Body, stand: Stand, listed: boolean): SegmentItem | null {
    if (motion.length === 0) return restItem(stand.place);
    for (const index of motion.slice(0, -1)) this.passBy(this.nodeAt(index), stand);
    const order = motion.at(-1)!;
    const node = this.nodeAt(order);
    if (node.kind !== 'move') return null;
    const request = {
      start: stand.place,
      target: node.target,
      via: stand.pending,
      motion: node.motion,
    };
    const leg = this.planner.plan(request);
    if (!leg) {
      this.failure = { path: node.at, message: TOO_MUCH_WORK };
      return null;
    }
    this.note(leg, { path: node.at, order });
    if (!node.target.problem) stand.place = node.target;
    stand.pending = [];
    return listed ? this.segmentItem(leg, request) : null;
  }

  private passBy(node: Node, stand: Stand): void {
    if (node.kind === 'pass') stand.pending = [...stand.pending, node.target];
  }

  private note(leg: Leg, where: { readonly path: string; readonly order: number }): void {
    if (leg.kind === 'planned') this.duration_s += leg.segment.profile.duration_s;
    const fault = faultOf(leg, where);
    if (fault) this.faults.push(fault);
  }

  private segmentItem(leg: Leg, { start, via, target }: LegRequest): SegmentItem | null {
    const count = leg.kind === 'planned' ? setpointCount(leg.segment.profile.duration_s) : 1;
    this.setpoints += count;
    if (this.setpoints > limits.reply_setpoints) {
      const message = `needs more than ${limits.reply_setpoints} setpoints, too many for one reply`;
      this.failure = { path: '/timeline', message };
    } else if (!this.budget.spend(count * COSTS.setpoint)) {
      this.failure = { path: '/timeline', message: TOO_MUCH_WORK };
    }
    if (this.failure) return null;
    const waypoints = [start, ...via, target].map((place) => place.waypoint);
    const { surroundings } = this.planner;
    return segmentItem(leg, start, { waypoints, surroundings });
  }

  private plainItem(node: Node, stand: Stand, listed: boolean): TrajectoryItem | null {
    switch (node.kind) {
      case 'pass':
        this.passBy(node, stand);
        return null;
      case 'output':
        return { type: 'output', io: node.action.io, value: node.action.value };
      case 'wait':
        if (node.condition.type === 'time') this.duration_s += node.condition.duration;
        return { type: 'wait', condition: node.action.condition };
      case 'restart':
        return { type: 'restart' };
      case 'if':
        return this.ifItem(node, stand, listed);
      case 'grid': {
        const iterations = node.iterations.map((body) => this.list(body, stand, listed));
        return { type: 'grid', iterations };
      }
      default:
        return null;
    }
  }

  /** Each branch from where the arm stands; the walk goes on as if none were taken. */
  private ifItem(node: IfNode, stand: Stand, listed: boolean): TrajectoryItem {
    const before_s = this.duration_s;
    const branches = node.branches.map(({ body }, i) => ({
      condition: node.action.branches[i]!.condition,
      timeline: this.list(body, { ...stand }, listed),
    }));
    this.duration_s = before_s;
    return { type: 'if', branches };
  }

  private callItem(
    { routine, body }: CallNode,
    stand: Stand,
    how: { readonly listed: boolean; readonly exit: Body },
  ): TrajectoryItem | null {
    const { listed } = how;
    const entered = this.motionEnd(body, 0);
    const enter = this.motionItem(body.slice(0, entered), stand, listed);
    const known = this.routines.has(routine);
    const timeline = this.list(body.slice(entered), stand, listed && !known);
    if (listed && !known) this.routines.set(routine, timeline);
    const exit = this.motionItem(how.exit, stand, listed);
    return enter && exit && { type: 'call-routine', enter, routine, exit };
  }

  /** Routines that nothing calls: walked from where their own first motions lead. */
  listUncalled(listed: boolean): void {
    for (const { name, body } of this.layout.routines) {
      if (body) this.listRoutine(name, body, listed);
    }
  }

  private listRoutine(name: string, body: Body, listed: boolean): void {
    const before_s = this.duration_s;
    const entered = this.motionEnd(body, 0);
    const first = entered > 0 ? this.nodeAt(body[entered - 1]!) : null;
    const place = first?.kind === 'move' ? first.target : this.layout.home;
    const timeline = this.list(body.slice(entered), { place, pending: [] }, listed);
    if (!this.routines.has(name)) this.routines.set(name, timeline);
    this.duration_s = before_s;
  }
}

/** Lists the motion of a layout whose legs come from `planner`. */
export function listTrajectory(layout: Layout, planner: LegPlanner, budget: Budget): Listing {
  const lister = new Lister(layout, planner, budget);
  const timeline = lister.list(layout.body, { place: layout.home, pending: [] }, true);
  const { duration_s } = lister;
  lister.listUncalled(true);
  const routines = layout.routines.map(({ name }) => ({
    name,
    timeline: lister.routines.get(name) ?? [],
  }));
  return { timeline, routines, duration_s, faults: lister.faults, failure: lister.failure };
}

/** Faults of routines that nothing calls: the step graph does not come by them. */
export function uncalledFaults(
  layout: Layout,
  planner: LegPlanner,
  budget: Budget,
): Pick<Listing, 'faults' | 'failure'> {
  const lister = new Lister(layout, planner, budget);
  lister.listUncalled(false);
  return { faults: lister.faults, failure: lister.failure };
}
