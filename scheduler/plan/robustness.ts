/**
 * How a plan stands up to durations that scatter: seeded executions of its order, with the chance
 * that each limit of time holds and the spread of the end. Times in seconds.
 */
import { createPrng, type Prng } from '../../physics/math/prng.ts';
import { graphOf, type PlanNode, type PlanResources } from './plan-graph.ts';
import type { Plan, TimeConstraint } from './problem.ts';
import { TOLERANCE_S } from './time-tolerance.ts';

export interface RobustnessOptions {
  readonly seed: number;
  readonly executions: number;
  /** A duration varies between (1 − scatter) and (1 + 2 · scatter) of its estimate. */
  readonly scatter: number;
}

export interface Robustness {
  readonly executions: number;
  readonly mean_makespan_s: number;
  /** The end that nine of ten executions do not exceed (s). */
  readonly p90_makespan_s: number;
  /** Share of the executions in which each limit holds, by its id. */
  readonly limits: readonly { readonly id: string; readonly holds: number }[];
}

const LATE_SHARE = 0.9;

/** Triangular with the estimate as its mode: overruns are longer than early ends. */
function drawn(random: Prng, scatter: number): number {
  const [low, high] = [-scatter, 2 * scatter];
  const u = random();
  const turn = scatter / (high - low);
  return u < turn
    ? 1 + low + Math.sqrt(u * (high - low) * scatter)
    : 1 + high - Math.sqrt((1 - u) * (high - low) * high);
}

interface Execution {
  readonly start_s: Float64Array;
  readonly end_s: Float64Array;
}

/** The nodes with their numbers and those of what follows them. */
interface Order {
  readonly nodes: readonly PlanNode[];
  readonly afterEnd: readonly (readonly number[])[];
  readonly afterCool: readonly (readonly number[])[];
  readonly afterStart: readonly (readonly number[])[];
  /** Least times between tasks. */
  readonly lags: readonly (readonly Lag[])[];
  /** The number of each task. */
  readonly numberOf: ReadonlyMap<number, number>;
}

interface Lag {
  readonly next: number;
  readonly from_end: boolean;
  readonly plus_s: number;
}

function orderOf(
  names: PlanResources,
  plan: Pick<Plan, 'tasks' | 'moves'>,
  constraints: readonly TimeConstraint[],
): Order {
  const nodes = graphOf(names, plan);
  const numberOf = new Map(
    nodes.flatMap(({ move, task }, i) => (move ? [] : [[task, i] as const])),
  );
  const lags: Lag[][] = nodes.map(() => []);
  for (const { from, from_end, to, to_end, min_s } of constraints) {
    const [first, next] = [numberOf.get(from), numberOf.get(to)];
    if (first === undefined || next === undefined) continue;
    const own_s = to_end ? nodes[next]!.end_s - nodes[next]!.start_s : 0;
    lags[first]!.push({ next, from_end, plus_s: min_s - own_s });
  }
  const index = new Map(nodes.map((node, i) => [node, i] as const));
  const numbers = (list: readonly PlanNode[]) => list.map((node) => index.get(node)!);
  return {
    nodes,
    afterEnd: nodes.map((node) => numbers(node.afterEnd)),
    afterCool: nodes.map((node) => numbers(node.afterCool)),
    afterStart: nodes.map((node) => numbers(node.afterStart)),
    lags,
    numberOf,
  };
}

/** Executes the order once; moves take their planned time, because the arm repeats them exactly. */
function execute(
  { nodes, afterEnd, afterCool, afterStart, lags }: Order,
  { start_s, end_s }: Execution,
  factor: () => number,
): number {
  start_s.fill(0);
  let last_s = 0;
  nodes.forEach(({ move, start_s: from_s, end_s: to_s, cool_s }, i) => {
    const duration_s = (to_s - from_s) * (move ? 1 : factor());
    const begins_s = start_s[i]!;
    const ends_s = begins_s + duration_s;
    end_s[i] = ends_s;
    last_s = Math.max(last_s, ends_s);
    for (const next of afterEnd[i]!) start_s[next] = Math.max(start_s[next]!, ends_s);
    for (const next of afterCool[i]!) start_s[next] = Math.max(start_s[next]!, ends_s + cool_s);
    for (const next of afterStart[i]!) start_s[next] = Math.max(start_s[next]!, begins_s);
    for (const { next, from_end, plus_s } of lags[i] ?? []) {
      const mark_s = from_end ? ends_s : begins_s;
      start_s[next] = Math.max(start_s[next]!, mark_s + plus_s);
    }
  });
  return last_s;
}

/** Executes a plan many times, one at each step; equal seeds give equal results. */
export function* planRobustness(
  names: PlanResources,
  plan: Pick<Plan, 'tasks' | 'moves'>,
  options: RobustnessOptions & { readonly constraints: readonly TimeConstraint[] },
): Generator<void, Robustness> {
  const { constraints, seed, executions, scatter } = options;
  const order = orderOf(names, plan, constraints);
  const { length } = order.nodes;
  const execution = { start_s: new Float64Array(length), end_s: new Float64Array(length) };
  const random = createPrng(seed);
  const held = new Map(constraints.map(({ id }) => [id, 0]));
  const ends_s: number[] = [];
  while (ends_s.length < executions) {
    ends_s.push(execute(order, execution, () => drawn(random, scatter)));
    for (const one of constraints) {
      if (isHeld(order, execution, one)) held.set(one.id, held.get(one.id)! + 1);
    }
    yield;
  }
  ends_s.sort((a, b) => a - b);
  return {
    executions,
    mean_makespan_s: ends_s.reduce((sum, one) => sum + one, 0) / executions,
    p90_makespan_s: ends_s[Math.ceil(LATE_SHARE * executions) - 1]!,
    limits: [...held].map(([id, count]) => ({ id, holds: count / executions })),
  };
}

function isHeld(
  { numberOf }: Order,
  { start_s, end_s }: Execution,
  { from, from_end, to, to_end, max_s }: TimeConstraint,
): boolean {
  const [first, last] = [numberOf.get(from), numberOf.get(to)];
  if (first === undefined || last === undefined) return true;
  const from_s = from_end ? end_s[first]! : start_s[first]!;
  const to_s = to_end ? end_s[last]! : start_s[last]!;
  return to_s - from_s <= max_s + TOLERANCE_S;
}
