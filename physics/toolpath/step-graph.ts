/**
 * From the layout of a toolpath to the steps that a robot plays: every node is walked once for
 * each distinct pose it can be entered from (decision D22), so that no motion starts anywhere but
 * where it was planned to. Spec §2.2.
 */
import { limits } from '../../contract/limits.ts';
import { type Budget, COSTS, TOO_MUCH_WORK } from './budget.ts';
import { type Fault, type FaultPlace, faultOf } from './fault.ts';
import type { LegRequest } from './leg.ts';
import type { LegPlanner } from './leg-planner.ts';
import {
  type BuildFailure,
  END,
  enterNode,
  type IfNode,
  type Layout,
  type MoveNode,
  type Node,
  type NodeIndex,
  type Target,
} from './nodes.ts';
import { END_OF_LOOP, type PlannedMove, type Step, type StepIndex } from './program.ts';

export interface StepGraph {
  /** Complete only without faults. */
  readonly steps: readonly Step[];
  readonly first: StepIndex;
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
  readonly failure: BuildFailure | null;
}

/** Where the arm stands, and which waypoints it shall pass through on its next motion. */
interface Stand {
  readonly place: Target;
  readonly pending: readonly Target[];
  /** Pointer and order of the last pass-through, for the fault when no motion follows. */
  readonly passed: { readonly at: string; readonly order: number } | null;
}

interface Visit {
  readonly index: NodeIndex;
  readonly stand: Stand;
  readonly slot: StepIndex;
}

const WAY_BACK =
  'The way back to the home waypoint before the next loop is not free; ' +
  'end the toolpath with a trajectory to the home waypoint. ';

class Explorer {
  readonly steps: Step[] = [];
  readonly faults: Fault[] = [];
  readonly warnings: Fault[] = [];
  failure: BuildFailure | null = null;
  private readonly layout: Layout;
  private readonly planner: LegPlanner;
  private readonly budget: Budget;
  private readonly queue: Visit[] = [];
  private readonly variants = new Map<NodeIndex, Map<string, StepIndex>>();
  private readonly reported = new Set<string>();
  private slots = 0;

  constructor(layout: Layout, planner: LegPlanner, budget: Budget) {
    this.layout = layout;
    this.planner = planner;
    this.budget = budget;
  }

  explore(): StepIndex {
    const first = this.layout.body[0] ?? END;
    const start = this.enter(first, { place: this.layout.home, pending: [], passed: null });
    for (let i = 0; i < this.queue.length && !this.failure; i++) {
      const visit = this.queue[i]!;
      if (!this.budget.spend(COSTS.node)) this.fail(visit.index, TOO_MUCH_WORK);
      else this.visit(visit);
    }
    return start;
  }

  private nodeAt(index: NodeIndex): Node {
    return this.layout.nodes[index]!;
  }

  private fail(index: NodeIndex, message: string): void {
    this.failure ??= { path: index === END ? '/timeline' : this.nodeAt(index).at, message };
  }

  /** Adds a fault or warning once for each action and code, however many variants have it. */
  private note(list: Fault[], fault: Fault): void {
    const key = `${fault.path} ${fault.code}`;
    if (!this.reported.has(key)) list.push(fault);
    this.reported.add(key);
  }

  /** The step at which `index` begins for an arm that stands there. */
  private enter(index: NodeIndex, from: Stand): StepIndex {
    let stand = from;
    let at = enterNode(this.layout.nodes, index);
    while (at !== END) {
      const node = this.nodeAt(at);
      if (node.kind !== 'pass') return this.slotOf(at, stand);
      const pending = [...stand.pending, node.target];
      stand = { place: stand.place, pending, passed: { at: node.at, order: at } };
      at = enterNode(this.layout.nodes, node.next);
    }
    return this.isHome(stand) ? this.finish(stand) : this.slotOf(END, stand);
  }

  private isHome(stand: Stand): boolean {
    return this.planner.poseNumber(stand.place) === this.planner.poseNumber(this.layout.home);
  }

  /** The loop ends here: waypoints that no motion followed are left over. */
  private finish(stand: Stand): StepIndex {
    if (stand.passed) {
      const message = 'No motion follows that would pass through this waypoint. Add one.';
      const { at: path, order } = stand.passed;
      this.note(this.faults, { code: 'too_few_waypoints', path, message, order });
    }
    return END_OF_LOOP;
  }

  private slotOf(index: NodeIndex, stand: Stand): StepIndex {
    const entries = this.variants.get(index) ?? new Map<string, StepIndex>();
    this.variants.set(index, entries);
    const key = [stand.place, ...stand.pending].map((at) => this.planner.poseNumber(at)).join();
    let slot = entries.get(key);
    if (slot === undefined) {
      slot = this.slots++;
      entries.set(key, slot);
      this.queue.push({ index, stand, slot });
    }
    if (entries.size > limits.entry_variants) {
      this.fail(index, `can be reached from more than ${limits.entry_variants} different poses`);
    }
    return slot;
  }

  private visit({ index, stand, slot }: Visit): void {
    const step = index === END ? this.wayBack(stand) : this.stepOf(index, stand);
    if (step) this.steps[slot] = step;
  }

  private stepOf(index: NodeIndex, stand: Stand): Step | null {
    const node = this.nodeAt(index);
    const { at, cell } = node;
    switch (node.kind) {
      case 'move':
        return this.moveStep(node, index, stand);
      case 'output': {
        const { io, value } = node;
        return { kind: 'output', at, cell, io, value, next: this.enter(node.next, stand) };
      }
      case 'wait': {
        const { condition } = node;
        return { kind: 'wait', at, cell, condition, next: this.enter(node.next, stand) };
      }
      case 'if':
        return this.branchStep(node, stand);
      case 'restart':
        this.checkRestart(node, index, stand);
        return { kind: 'restart', at, cell };
      default:
        return null;
    }
  }

  private branchStep(node: IfNode, stand: Stand): Step {
    const { at, cell } = node;
    const branches = node.branches.map(({ condition, body }) => ({
      condition,
      next: this.enter(body[0] ?? node.next, stand),
    }));
    return { kind: 'branch', at, cell, branches, otherwise: this.enter(node.next, stand) };
  }

  private checkRestart(node: Node, order: number, stand: Stand): void {
    this.finish(stand);
    if (this.isHome(stand)) return;
    const message =
      'The arm can stand elsewhere than at the home waypoint here. Move it home before the restart.';
    this.note(this.faults, { code: 'generation_error', path: node.at, message, order });
  }

  private moveStep(node: MoveNode, index: NodeIndex, stand: Stand): Step | null {
    const { at, cell, target, motion } = node;
    const request = { start: stand.place, target, via: stand.pending, motion };
    const move = this.plan(request, { path: at, order: index });
    const place = target.problem ? stand.place : target;
    const next = this.enter(node.next, { place, pending: [], passed: null });
    return move && { kind: 'move', at, cell, move, next };
  }

  /** Plans a motion; null when it is faulty, which is noted. */
  private plan(request: LegRequest, where: FaultPlace): PlannedMove | null {
    const leg = this.planner.plan(request);
    if (!leg) {
      this.failure ??= { path: where.path, message: TOO_MUCH_WORK };
      return null;
    }
    const fault = faultOf(leg, where);
    if (fault) this.note(this.faults, fault);
    const move = this.planner.move(request, leg);
    const { path, order } = where;
    for (const { code, message } of this.planner.warnings(request, leg)) {
      this.note(this.warnings, { code, message, path, order });
    }
    return move;
  }

  private wayBack(stand: Stand): Step | null {
    this.finish(stand);
    const { home, default_tool_speed_m_s: tool_speed_m_s, nodes } = this.layout;
    const motion = { kind: 'joint_space', time_s: null, tool_speed_m_s } as const;
    const request = { start: stand.place, target: home, via: [], motion };
    const where = { path: '/timeline', order: nodes.length, preface: WAY_BACK };
    const move = this.plan(request, where);
    return move && { kind: 'return', at: '/timeline', cell: [], move };
  }
}

/** Walks a layout from its home waypoint; deterministic, and bounded by the budget. */
export function graphSteps(layout: Layout, planner: LegPlanner, budget: Budget): StepGraph {
  const explorer = new Explorer(layout, planner, budget);
  const first = explorer.explore();
  const { steps, faults, warnings, failure } = explorer;
  return { steps, first, faults, warnings, failure };
}
