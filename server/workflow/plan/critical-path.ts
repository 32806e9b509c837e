/**
 * The slack of every operation of a plan in the order of the plan; the critical path: from the last
 * end backwards, each time to an operation that the current one waits for; and the bottleneck: what
 * the critical path mostly consists of.
 */
import {
  isSameLocation,
  moveName,
  type Plan,
  type PlanInstrument,
  type PlanNames,
  type PlannedLabwareMove,
} from './problem.ts';

/** An operation of a plan with its slack. */
export interface SlackOperation {
  readonly name: string;
  readonly task: number;
  /** The piece of a move; −1 for a task. */
  readonly piece: number;
  /** Of a move: the destination; −1 for none. */
  readonly instrument: number;
  readonly start_s: number;
  readonly end_s: number;
  /** How much later it could end without a later end of the plan (s). */
  readonly slack_s: number;
}

/** The names of a plan with the instruments that it uses. */
export interface PlanResources extends PlanNames {
  readonly instruments: readonly Pick<PlanInstrument, 'id' | 'capacity' | 'slotless'>[];
}

/** An operation with its links to those that wait for it. */
export interface PlanNode extends Omit<SlackOperation, 'slack_s'> {
  readonly move: PlannedLabwareMove | null;
  /** Must not start before this one ends. */
  readonly afterEnd: PlanNode[];
  /** Must not start before this one starts. */
  readonly afterStart: PlanNode[];
  latest_s: number;
}

function nodesOf(names: PlanResources, plan: Pick<Plan, 'tasks' | 'moves'>): PlanNode[] {
  const rest = () => ({ afterEnd: [], afterStart: [], latest_s: Number.POSITIVE_INFINITY });
  const tasks = plan.tasks.map((one): PlanNode => {
    const { task, instrument, start_s, end_s } = one;
    const name = names.tasks[task]!.id;
    return { name, task, piece: -1, instrument, start_s, end_s, move: null, ...rest() };
  });
  const moves = plan.moves.map((move): PlanNode => {
    const { task, labware: piece, to, start_s, end_s } = move;
    const { instrument } = to;
    return {
      name: moveName(names, move),
      task,
      piece,
      instrument,
      start_s,
      end_s,
      move,
      ...rest(),
    };
  });
  return [...moves, ...tasks].sort((a, b) => a.start_s - b.start_s || a.end_s - b.end_s);
}

/** Each follows the one that is `capacity` places before it. */
function linkAll(nodes: readonly PlanNode[], capacity = 1): void {
  nodes.forEach((node, i) => {
    nodes[i - capacity]?.afterEnd.push(node);
  });
}

/** A slot is free for a move once the move of its former piece has begun. */
function linkSlots({ instruments }: PlanResources, moves: readonly PlanNode[]): void {
  moves.forEach((node, i) => {
    const { to } = node.move!;
    if (instruments[to.instrument]!.slotless) return;
    const before = moves.slice(0, i).findLast(({ move }) => isSameLocation(move!.from, to));
    before?.afterStart.push(node);
  });
}

/** Returns the operations of a plan in the order of starts, linked by what follows what. */
export function graphOf(names: PlanResources, plan: Pick<Plan, 'tasks' | 'moves'>): PlanNode[] {
  const nodes = nodesOf(names, plan);
  const moves = nodes.filter(({ move }) => move !== null);
  linkAll(moves);
  linkSlots(names, moves);
  names.instruments.forEach(({ capacity }, i) => {
    linkAll(
      nodes.filter(({ move, instrument }) => move === null && instrument === i),
      capacity,
    );
  });
  names.labware.forEach((_, piece) => {
    const uses = ({ task }: PlanNode) =>
      names.tasks[task]!.uses.some((use) => use.labware === piece);
    linkAll(nodes.filter((node) => (node.move ? node.piece === piece : uses(node))));
  });
  const byTask = new Map(nodes.flatMap((node) => (node.move ? [] : [[node.task, node] as const])));
  for (const [task, node] of byTask) {
    for (const other of names.tasks[task]!.after) byTask.get(other)?.afterEnd.push(node);
  }
  return nodes;
}

/** Returns every operation of a plan with its slack, in the order of starts. */
export function planSlack(
  names: PlanResources,
  plan: Pick<Plan, 'tasks' | 'moves' | 'makespan_s'>,
): SlackOperation[] {
  const nodes = graphOf(names, plan);
  for (const node of nodes.toReversed()) {
    const duration_s = node.end_s - node.start_s;
    const ends = node.afterEnd.map((next) => next.latest_s - duration_s);
    const starts = node.afterStart.map((next) => next.latest_s);
    node.latest_s = Math.min(plan.makespan_s - duration_s, ...ends, ...starts);
  }
  return nodes.map(({ afterEnd: _, afterStart: __, move: ___, latest_s, ...rest }) => {
    return { ...rest, slack_s: Math.max(0, latest_s - rest.start_s) };
  });
}

const EPSILON_S = 1e-6;

function isSameTime(a_s: number, b_s: number): boolean {
  return Math.abs(a_s - b_s) < EPSILON_S;
}

/** The critical path, first to last, without operations that take no time. */
function criticalNodes(names: PlanResources, plan: Pick<Plan, 'tasks' | 'moves'>): PlanNode[] {
  const nodes = graphOf(names, plan);
  const path: PlanNode[] = [];
  let at = nodes.toSorted((a, b) => b.end_s - a.end_s)[0];
  const seen = new Set<PlanNode>();
  while (at && !seen.has(at)) {
    const current: PlanNode = at;
    seen.add(current);
    if (current.end_s > current.start_s) path.push(current);
    const { start_s } = current;
    at =
      nodes.find((one) => one.afterEnd.includes(current) && isSameTime(one.end_s, start_s)) ??
      nodes.find((one) => one.afterStart.includes(current) && isSameTime(one.start_s, start_s));
  }
  return path.reverse();
}

/** Returns the names of the operations on the critical path, first to last. */
export function criticalPath(names: PlanResources, plan: Pick<Plan, 'tasks' | 'moves'>): string[] {
  return criticalNodes(names, plan).map(({ name }) => name);
}

/** Stands for the arm among indices of instruments. */
const ARM = -2;

/** One digit after the point: several units in a cycle have parts of seconds each. */
function secondsText(time_s: number): string {
  return `${Math.round(10 * time_s) / 10} s`;
}

/** Returns how fast equal pieces can follow each other, in sentences; empty without a cycle. */
function cycleText({ instruments }: PlanResources, { cycle }: Plan): string {
  if (!cycle) return '';
  const { units, pieces_per_unit, units_per_cycle, cycle_s, lower_bound_s, resource } = cycle;
  const period_s = cycle_s / units_per_cycle;
  const what = pieces_per_unit === 1 ? 'pieces' : `groups of ${pieces_per_unit} pieces`;
  const name = instruments[resource]?.id ?? 'the arm';
  const isLeast = period_s < lower_bound_s + 0.05;
  const bound = isLeast
    ? `as fast as ${name} allows`
    : `${name} alone would allow one every ${secondsText(lower_bound_s)}`;
  const every = `one of ${units} equal ${what} ends every ${secondsText(period_s)}`;
  return ` In a steady cycle, ${every}: ${bound}.`;
}

/** Returns what the length of a plan depends on, in sentences. */
export function bottleneckText(names: PlanResources, plan: Plan): string {
  const { makespan_s, lower_bound_s } = plan;
  const times_s = new Map<number, number>();
  for (const { move, instrument, start_s, end_s } of criticalNodes(names, plan)) {
    const resource = move ? ARM : instrument;
    times_s.set(resource, (times_s.get(resource) ?? 0) + end_s - start_s);
  }
  const [most] = [...times_s].sort(([, a], [, b]) => b - a);
  if (!most) return 'The plan has no work.';
  const [resource, critical_s] = most;
  const isArm = resource === ARM;
  const { id = isArm ? 'the arm' : 'work without an instrument', capacity = 1 } =
    names.instruments[resource] ?? {};
  const all = isArm ? plan.moves : plan.tasks.filter((one) => one.instrument === resource);
  const busy_s = all.reduce((sum, { start_s, end_s }) => sum + end_s - start_s, 0) / capacity;
  const share = Math.round((100 * busy_s) / Math.max(1, makespan_s));
  const shorter_s = Math.max(0, Math.round(makespan_s - lower_bound_s));
  const gain =
    shorter_s > 0 && lower_bound_s > 0
      ? `Another order can save ${shorter_s} s at most.`
      : 'No other order is shorter.';
  const text = `${id} is the bottleneck: busy ${share} % of ${Math.round(makespan_s)} s, and `;
  const isProven = lower_bound_s > 0;
  const path = `${text}${Math.round(critical_s)} s of the critical path.`;
  return `${path}${isProven ? ` ${gain}` : ''}${cycleText(names, plan)}`;
}
