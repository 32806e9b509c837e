/**
 * The shortest steady cycle found of equal units: start times that repeat every period, one unit
 * (or a few that take turns) in each, without overlap on the arm, the instruments and the slots.
 * Times in seconds.
 */
import { ARM, type CycleProblem, cycleProblemOf } from './cycle-problem.ts';
import { type EqualUnits, equalUnits } from './equal-units.ts';
import type { Operations } from './operations.ts';
import { PeriodSearch } from './period-search.ts';
import type { UnitCycle } from './problem.ts';
import { shortestMove_s } from './shortest-move.ts';
import { StartDifferences } from './start-differences.ts';
import { TOLERANCE_S } from './time-tolerance.ts';

/** Most conditions that are added to find a cycle: some tens of milliseconds. */
const MAX_EFFORT = 20_000;
/** Operations of a cycle with which two units in turn are tried as well. */
const MAX_PAIRED = 24;

/** A cycle with the start of each of its operations in the first period. */
interface Cycle {
  readonly problem: CycleProblem;
  readonly period_s: number;
  readonly start_s: Float64Array;
}

/** A resource with the time for which a unit needs it at least (s). */
interface Load {
  /** Index of an instrument; −1 for the arm. */
  readonly resource: number;
  readonly load_s: number;
}

/** The resource that a unit needs longest: no steady cycle has fewer seconds for each unit. */
function largestLoad({ problem }: Operations, found: EqualUnits, cycle: CycleProblem): Load {
  const [unit] = found.units;
  const loads = new Map<string, Load>();
  const add = (key: string, resource: number, load_s: number) => {
    loads.set(key, { resource, load_s: load_s + (loads.get(key)?.load_s ?? 0) });
  };
  for (const l of unit!.pieces) {
    problem.labware[l]!.tasks.forEach((_, i) => {
      add('arm', ARM, shortestMove_s(problem, l, i));
    });
  }
  let hasChoice = false;
  for (const t of unit!.tasks) {
    const { candidates, duration_s } = problem.tasks[t]!;
    const [resource] = candidates;
    if (resource === undefined) continue;
    hasChoice ||= candidates.length > 1;
    const capacity = candidates.reduce((sum, one) => sum + problem.instruments[one]!.capacity, 0);
    add([...candidates].sort((a, b) => a - b).join(), resource, duration_s / capacity);
  }
  // With a choice, another instrument may have the slot.
  for (const { key, resource, stay_s } of hasChoice ? [] : staysOf(cycle)) {
    add(`slot ${key}`, resource, stay_s / cycle.units);
  }
  return [...loads.values()].reduce((most, one) => (one.load_s > most.load_s ? one : most));
}

/** How long each visit takes its slot at least (s). */
function staysOf({ count, orders, visits, operations }: CycleProblem) {
  const differences = new StartDifferences(count);
  for (const { from, to, least_s } of orders) differences.add(from, to, least_s);
  return visits.map(({ key, from, to, plus_s }) => {
    // The arm brings the next piece when it has taken this one away.
    const isCarried = operations[from]!.use >= 0 && operations[to]!.use >= 0;
    const leaving_s = isCarried ? operations[to]!.duration_s : plus_s;
    const stay_s = differences.between(from, to) + leaving_s;
    return { key, resource: Number(key.split('/')[0]), stay_s };
  });
}

/** Searches the shortest period of a cycle, in whole seconds. */
function* shortestCycle(problem: CycleProblem, least_s: number): Generator<number, Cycle | null> {
  let effort = 0;
  let best: Cycle | null = null;
  const tryPeriod = function* (period_s: number): Generator<number, boolean> {
    const search = new PeriodSearch(problem, period_s);
    const start_s = yield* search.find();
    effort += search.effort;
    if (start_s) best = { problem, period_s, start_s };
    return start_s !== null;
  };
  const first_s = Math.max(1, Math.ceil(least_s * problem.units - TOLERANCE_S));
  const serial_s = problem.operations.reduce((sum, { duration_s }) => sum + duration_s, 0);
  const last_s = Math.ceil(2 * serial_s);
  let [below_s, above_s] = [first_s - 1, first_s];
  for (let step_s = 1; !(yield* tryPeriod(above_s)); step_s *= 2) {
    if (above_s >= last_s || effort > MAX_EFFORT) return null;
    [below_s, above_s] = [above_s, Math.min(last_s, above_s + step_s)];
  }
  while (above_s - below_s > 1 && effort < MAX_EFFORT) {
    const middle_s = (above_s + below_s) >>> 1;
    if (yield* tryPeriod(middle_s)) above_s = middle_s;
    else below_s = middle_s;
  }
  // With limits of time, a shorter period may be possible where a longer one is not.
  const hasLimits = problem.orders.some(({ from, to }) => from > to);
  for (let at_s = first_s; hasLimits && at_s < above_s && effort < MAX_EFFORT; at_s++) {
    if (yield* tryPeriod(at_s)) break;
  }
  return best;
}

/** The steady cycle of the equal units of a problem. */
export interface SteadyCycle {
  readonly cycle: UnitCycle;
  /** The operations of all units in the order of the cycle. */
  readonly sequence: readonly number[];
  /** Index of the instrument among each task's candidates; −1 for any. */
  readonly preferred: Int32Array;
}

/** The order of the operations of all units when one cycle follows the other. */
function sequenceOf(operations: Operations, { units }: EqualUnits, cycle: Cycle) {
  const { problem, period_s, start_s } = cycle;
  const [first] = units;
  const size = problem.count / problem.units;
  const preferred = new Int32Array(operations.tasks).fill(-1);
  const entries = units.flatMap((unit, u) => {
    const number = u % problem.units;
    const begin_s = period_s * Math.floor(u / problem.units);
    return problem.operations.slice(number * size, (number + 1) * size).map((one, i) => {
      const task = unit.tasks[first!.tasks.indexOf(one.task)]!;
      const { candidates } = operations.problem.tasks[task]!;
      if (candidates.length > 1) preferred[task] = number % candidates.length;
      const operation = one.use < 0 ? task : operations.firstMove[task]! + one.use;
      const at_s = begin_s + start_s[number * size + i]!;
      return { operation, at_s, isInstant: one.duration_s === 0, isTask: one.use < 0 };
    });
  });
  entries.sort(
    (a, b) =>
      a.at_s - b.at_s ||
      Number(b.isInstant) - Number(a.isInstant) ||
      Number(a.isTask) - Number(b.isTask),
  );
  return { sequence: entries.map(({ operation }) => operation), preferred };
}

/**
 * Returns the shortest steady cycle found; null if there is none, or the units are not equal.
 * Where tasks have a choice, units take turns over the instruments, or all use the first ones.
 */
export function* steadyCycle(operations: Operations): Generator<number, SteadyCycle | null> {
  const found = equalUnits(operations.problem);
  if (!found) return null;
  const { units } = found;
  const choices = units[0]!.tasks.map((t) => operations.problem.tasks[t]!.candidates.length);
  const turns = Math.max(1, ...choices);
  yield operations.count;
  let best: Cycle | null = null;
  let load: Load | null = null;
  for (const inTurn of new Set([turns, 1, 2 * turns])) {
    const problem = inTurn > units.length ? null : cycleProblemOf(operations, found, inTurn);
    if (!problem || (best && problem.count > MAX_PAIRED)) continue;
    load ??= largestLoad(operations, found, problem);
    const shortest: Cycle | null = yield* shortestCycle(problem, load.load_s);
    const unit_s = (one: Cycle | null) => (one ? one.period_s / one.problem.units : Infinity);
    if (unit_s(shortest) < unit_s(best) - TOLERANCE_S) best = shortest;
    if (unit_s(best) < load.load_s + 1 / turns) break;
  }
  if (!best || !load) return null;
  const cycle: UnitCycle = {
    units: units.length,
    pieces_per_unit: units[0]!.pieces.length,
    units_per_cycle: best.problem.units,
    cycle_s: best.period_s,
    lower_bound_s: load.load_s,
    resource: load.resource,
  };
  return { cycle, ...sequenceOf(operations, found, best) };
}
