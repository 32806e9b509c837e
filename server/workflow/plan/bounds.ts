/**
 * Lower bounds of the makespan: the longest chain, and the load of the arm, of each group of
 * instruments and of each slot. Times in seconds; started operations keep their times. Also: the
 * slack of a plan and its critical path.
 */
import { type Operations, topological } from './operations.ts';
import {
  isSameLocation,
  type LabwareUse,
  moveName,
  type Plan,
  type PlanInstrument,
  type PlanNames,
  type PlannedLabwareMove,
  type PlanProblem,
  type PlanTask,
  type SlotLocation,
} from './problem.ts';

/**
 * The slack of every operation of a plan in the order of the plan; the critical path: from the last
 * end backwards, each time to an operation that the current one waits for; and the bottleneck: what
 * the critical path mostly consists of.
 */

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

/** A job of the single-machine problem with heads and tails. */
export interface MachineJob {
  /** Earliest start (s). */
  readonly head_s: number;
  readonly work_s: number;
  /** Time that must follow its end (s). */
  readonly tail_s: number;
}

interface OpenJob {
  left_s: number;
  readonly tail_s: number;
}

/** Inserts into a list sorted by tail, longest last. */
function insert(open: OpenJob[], job: OpenJob): void {
  let low = 0;
  for (let high = open.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (open[middle]!.tail_s < job.tail_s) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, job);
}

/**
 * Lower bound of a single machine: the makespan of Jackson's preemptive schedule, which always runs
 * the ready job with the longest tail. Without preemption no order ends earlier (s).
 */
export function singleMachineBound_s(jobs: readonly MachineJob[]): number {
  const waiting = [...jobs].sort((a, b) => b.head_s - a.head_s);
  const open: OpenJob[] = [];
  let now_s = 0;
  let end_s = 0;
  while (waiting.length > 0 || open.length > 0) {
    if (open.length === 0) now_s = Math.max(now_s, waiting.at(-1)!.head_s);
    while (waiting.length > 0 && waiting.at(-1)!.head_s <= now_s) {
      const { work_s, tail_s } = waiting.pop()!;
      insert(open, { left_s: work_s, tail_s });
    }
    const urgent = open.at(-1)!;
    const next_s = waiting.at(-1)?.head_s ?? Number.POSITIVE_INFINITY;
    const done_s = Math.min(urgent.left_s, next_s - now_s);
    now_s += done_s;
    urgent.left_s -= done_s;
    if (urgent.left_s > 0) continue;
    open.pop();
    end_s = Math.max(end_s, now_s + urgent.tail_s);
  }
  return end_s;
}

/** A move that has not started and is unavoidable. */
interface NeededMove {
  readonly task: number;
  /** The previous task of the piece; −1 for none. */
  readonly previous: number;
  readonly time_s: number;
}

/** The started operations of a problem. */
interface StartedState {
  /** End of each task (s); NaN before its start. */
  readonly end_s: Float64Array;
  /** Ends of the moves that brought a piece for a task (s), by `pieceKey`. */
  readonly brought_s: ReadonlyMap<number, number>;
  /** Earliest next move of the arm (s). */
  readonly arm_s: number;
}

function pieceKey(task: number, labware: number): number {
  return task * 4096 + labware;
}

function startedStateOf({ tasks, started, now_s }: PlanProblem): StartedState {
  const end_s = new Float64Array(tasks.length).fill(Number.NaN);
  const brought_s = new Map<number, number>();
  let arm_s = now_s;
  for (const one of started) {
    if (one.kind === 'task') end_s[one.task] = one.end_s;
    else {
      if (!one.toBuffer) brought_s.set(pieceKey(one.task, one.labware), one.end_s);
      arm_s = Math.max(arm_s, one.end_s);
    }
  }
  return { end_s, brought_s, arm_s };
}

/** Possible locations of a piece before the i-th task of its chain. */
function sourcesOf(problem: PlanProblem, labware: number, i: number): SlotLocation[] {
  const piece = problem.labware[labware]!;
  if (i === 0) return [piece.location, ...problem.buffers];
  const task = problem.tasks[piece.tasks[i - 1]!]!;
  const use = task.uses.find((one) => one.labware === labware)!;
  const places = task.candidates.map((instrument) => ({ instrument, slot: use.slot_after }));
  return [...places, ...problem.buffers];
}

function useOf({ uses }: PlanTask, labware: number): LabwareUse {
  return uses.find((one) => one.labware === labware)!;
}

/** Least time of the move of a piece for the i-th task of its chain (s). */
export function shortestMove_s(problem: PlanProblem, labware: number, i: number): number {
  const task = problem.tasks[problem.labware[labware]!.tasks[i]!]!;
  const { slot } = task.uses.find((one) => one.labware === labware)!;
  let least = Number.POSITIVE_INFINITY;
  for (const from of sourcesOf(problem, labware, i)) {
    for (const instrument of task.candidates) {
      const stays = from.instrument === instrument && from.slot === slot;
      const time_s = stays ? 0 : problem.move_s(from, { instrument, slot });
      if (time_s !== null) least = Math.min(least, time_s);
    }
  }
  return Number.isFinite(least) ? least : 0;
}

/** The remaining moves before each task. */
function neededMoves(problem: PlanProblem, { end_s, brought_s }: StartedState): NeededMove[][] {
  const moves: NeededMove[][] = problem.tasks.map(() => []);
  problem.labware.forEach((piece, l) => {
    piece.tasks.forEach((task, i) => {
      if (!Number.isNaN(end_s[task]!) || brought_s.has(pieceKey(task, l))) return;
      const time_s = shortestMove_s(problem, l, i);
      moves[task]!.push({ task, previous: piece.tasks[i - 1] ?? -1, time_s });
    });
  });
  return moves;
}

interface BoundInputs {
  readonly operations: Operations;
  readonly started: StartedState;
  readonly moves: readonly (readonly NeededMove[])[];
}

/** The earliest end of each task (s). */
function earliestEnds({ operations, started, moves }: BoundInputs): Float64Array {
  const { problem, before } = operations;
  const { now_s, tasks } = problem;
  const end_s = Float64Array.from(started.end_s);
  for (const task of topological(before)) {
    if (!Number.isNaN(end_s[task]!)) continue;
    let start_s = now_s;
    for (const other of tasks[task]!.after) start_s = Math.max(start_s, end_s[other]!);
    for (const { labware } of tasks[task]!.uses) {
      start_s = Math.max(start_s, started.brought_s.get(pieceKey(task, labware)) ?? now_s);
    }
    const fetching = moves[task]!.map(({ previous, time_s }) => {
      const head_s = previous < 0 ? now_s : Math.max(now_s, end_s[previous]!);
      return { head_s: Math.max(head_s, started.arm_s), work_s: time_s, tail_s: 0 };
    });
    end_s[task] = Math.max(start_s, singleMachineBound_s(fetching)) + tasks[task]!.duration_s;
  }
  return end_s;
}

/** Least time from the start of each task to the end of the plan, the task included (s). */
function followingTimes({ operations, moves }: BoundInputs): Float64Array {
  const { problem, before } = operations;
  const after_s = new Float64Array(operations.tasks);
  const order = topological(before);
  for (let i = order.length - 1; i >= 0; i--) {
    const task = order[i]!;
    const own_s = after_s[task]! + problem.tasks[task]!.duration_s;
    after_s[task] = own_s;
    for (const other of problem.tasks[task]!.after) {
      after_s[other] = Math.max(after_s[other]!, own_s);
    }
    for (const { previous, time_s } of moves[task]!) {
      if (previous >= 0) after_s[previous] = Math.max(after_s[previous]!, time_s + own_s);
    }
  }
  return after_s;
}

/** Lower bound from the load of the arm (s). */
function armBound_s(inputs: BoundInputs, end_s: Float64Array, after_s: Float64Array): number {
  const { operations, started, moves } = inputs;
  const jobs = moves.flat().flatMap(({ task, previous, time_s }): MachineJob[] => {
    const ready_s = previous < 0 ? operations.problem.now_s : end_s[previous]!;
    const head_s = Math.max(started.arm_s, ready_s);
    return time_s > 0 ? [{ head_s, work_s: time_s, tail_s: after_s[task]! }] : [];
  });
  return singleMachineBound_s(jobs);
}

/** Lower bound from the tasks that share the same group of candidate instruments (s). */
function loadBound_s(inputs: BoundInputs, end_s: Float64Array, after_s: Float64Array): number {
  const { problem } = inputs.operations;
  const groups = new Map<string, MachineJob[]>();
  const capacities = new Map<string, number>();
  problem.tasks.forEach(({ candidates, duration_s }, t) => {
    if (candidates.length === 0 || !Number.isNaN(inputs.started.end_s[t]!)) return;
    const key = [...candidates].sort((a, b) => a - b).join();
    const head_s = end_s[t]! - duration_s;
    const job = { head_s, work_s: duration_s, tail_s: after_s[t]! - duration_s };
    const group = groups.get(key);
    if (group) group.push(job);
    else groups.set(key, [job]);
    const capacity = candidates.reduce((sum, one) => sum + problem.instruments[one]!.capacity, 0);
    capacities.set(key, capacity);
  });
  let bound_s = 0;
  for (const [key, jobs] of groups) {
    // Relaxation: one instrument does all tasks, faster by the capacity of the group.
    const capacity = capacities.get(key)!;
    const shared = jobs.map((job) => ({ ...job, work_s: job.work_s / capacity }));
    bound_s = Math.max(bound_s, singleMachineBound_s(shared));
  }
  return bound_s;
}

/** Least time of the arm to take a piece away after the i-th task of its chain (s). */
function leavingMove_s(problem: PlanProblem, labware: number, i: number): number {
  const { tasks } = problem.labware[labware]!;
  const next = problem.tasks[tasks[i + 1] ?? -1];
  if (!next) return 0;
  const task = problem.tasks[tasks[i]!]!;
  const from = { instrument: task.candidates[0]!, slot: useOf(task, labware).slot_after };
  const { slot } = useOf(next, labware);
  const targets = next.candidates.map((instrument) => ({ instrument, slot }));
  if (targets.some((to) => isSameLocation(to, from))) return 0;
  const times_s = [...targets, ...problem.buffers].map(
    (to) => problem.move_s(from, to) ?? Number.POSITIVE_INFINITY,
  );
  const least_s = Math.min(...times_s);
  return Number.isFinite(least_s) ? least_s : 0;
}

/**
 * Lower bound from the slots (s): a slot is taken from the start of the move into it until the arm
 * has taken the piece away, because the arm fetches the next piece only then.
 */
function slotBound_s(
  { operations, started }: BoundInputs,
  end_s: Float64Array,
  after_s: Float64Array,
) {
  const { problem } = operations;
  const jobs = new Map<string, MachineJob[]>();
  problem.labware.forEach((piece, l) => {
    piece.tasks.forEach((t, i) => {
      const task = problem.tasks[t]!;
      const [instrument, other] = task.candidates;
      const { slot, slot_after } = useOf(task, l);
      if (instrument === undefined || other !== undefined || slot !== slot_after) return;
      if (problem.instruments[instrument]!.slotless || !Number.isNaN(started.end_s[t]!)) return;
      const brought_s = started.brought_s.get(pieceKey(t, l));
      const previous = piece.tasks[i - 1];
      const ready_s = previous === undefined ? problem.now_s : end_s[previous]!;
      const head_s = Math.max(problem.now_s, brought_s ?? ready_s);
      const bringing_s = brought_s === undefined ? shortestMove_s(problem, l, i) : 0;
      const next = piece.tasks[i + 1];
      const work_s = bringing_s + task.duration_s + leavingMove_s(problem, l, i);
      const tail_s = next === undefined ? after_s[t]! - task.duration_s : after_s[next]!;
      const key = `${instrument}/${slot}`;
      const job = { head_s, work_s, tail_s };
      const ofSlot = jobs.get(key);
      if (ofSlot) ofSlot.push(job);
      else jobs.set(key, [job]);
    });
  });
  return Math.max(0, ...[...jobs.values()].map(singleMachineBound_s));
}

/** Returns a time before which no plan can end (s). */
export function lowerBound_s(operations: Operations): number {
  const { problem } = operations;
  const started = startedStateOf(problem);
  const inputs = { operations, started, moves: neededMoves(problem, started) };
  const end_s = earliestEnds(inputs);
  const after_s = followingTimes(inputs);
  let bound_s = problem.now_s;
  for (let t = 0; t < operations.tasks; t++) {
    bound_s = Math.max(bound_s, end_s[t]! + after_s[t]! - problem.tasks[t]!.duration_s);
  }
  const work_s = Math.max(
    armBound_s(inputs, end_s, after_s),
    loadBound_s(inputs, end_s, after_s),
    slotBound_s(inputs, end_s, after_s),
  );
  return Math.ceil(Math.max(bound_s, work_s) - 1e-9);
}
