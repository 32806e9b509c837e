/** The operations of a plan in the order of its starts, each linked to those that wait for it. */
import {
  moveName,
  type Plan,
  type PlanInstrument,
  type PlanNames,
  type PlannedLabwareMove,
} from './problem.ts';
import { isSameLocation } from './slot-location.ts';

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
  readonly instruments: readonly Pick<
    PlanInstrument,
    'id' | 'capacity' | 'slotless' | 'closed' | 'cool_s'
  >[];
}

/** An operation with its links to those that wait for it. */
export interface PlanNode extends Omit<SlackOperation, 'slack_s'> {
  readonly move: PlannedLabwareMove | null;
  /** Must not start before this one ends. */
  readonly afterEnd: PlanNode[];
  /** Must not start before the instrument of this one is cool. */
  readonly afterCool: PlanNode[];
  /** Time after its end until then (s). */
  readonly cool_s: number;
  /** Must not start before this one starts. */
  readonly afterStart: PlanNode[];
  latest_s: number;
}

function nodesOf(names: PlanResources, plan: Pick<Plan, 'tasks' | 'moves'>): PlanNode[] {
  const rest = (cool_s = 0) => {
    const links = { afterEnd: [], afterCool: [], afterStart: [] };
    return { ...links, cool_s, latest_s: Number.POSITIVE_INFINITY };
  };
  const tasks = plan.tasks.map((one): PlanNode => {
    const { task, instrument, start_s, end_s } = one;
    const name = names.tasks[task]!.id;
    const { cool_s } = names.instruments[instrument] ?? {};
    return { name, task, piece: -1, instrument, start_s, end_s, move: null, ...rest(cool_s) };
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

/** Each follows the one before it. */
function linkAll(nodes: readonly PlanNode[]): void {
  nodes.forEach((node, i) => void nodes[i - 1]?.afterEnd.push(node));
}

/** Each task of an instrument follows the one that is `capacity` places before it. */
function linkTasks(nodes: readonly PlanNode[], capacity: number): void {
  nodes.forEach((node, i) => void nodes[i - capacity]?.afterCool.push(node));
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

/** Nothing goes into or out of a closed instrument while a task runs. */
function linkClosed(nodes: readonly PlanNode[], instrument: number): void {
  let tasks: PlanNode[] = [];
  let move: PlanNode | null = null;
  for (const node of nodes) {
    if (node.move === null && node.instrument === instrument) {
      move?.afterEnd.push(node);
      tasks.push(node);
    } else if ([node.move?.from, node.move?.to].some((one) => one?.instrument === instrument)) {
      for (const task of tasks) task.afterCool.push(node);
      // The arm does its moves one after the other: what comes next is linked to this one.
      [tasks, move] = [[], node];
    }
  }
}

/** Returns the operations of a plan in the order of starts, linked by what follows what. */
export function graphOf(names: PlanResources, plan: Pick<Plan, 'tasks' | 'moves'>): PlanNode[] {
  const nodes = nodesOf(names, plan);
  const moves = nodes.filter(({ move }) => move !== null);
  linkAll(moves);
  linkSlots(names, moves);
  names.instruments.forEach(({ capacity, closed }, i) => {
    if (closed) linkClosed(nodes, i);
    linkTasks(
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
