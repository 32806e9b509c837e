/**
 * The shortest steady cycle found of equal units: start times that repeat every period, one unit
 * (or a few that take turns) in each, without overlap on the arm, the instruments and the slots.
 * Times in seconds. Also: the search of its start times.
 */
import { shortestMove_s } from './bounds.ts';
import { type Operations, topological } from './operations.ts';
import {
  type EqualUnits,
  equalUnits,
  type PlanInstrument,
  UnitBuilder,
  type UnitCycle,
  type UnitOrder,
  type UnitWork,
} from './problem.ts';

/** Most operations of a cycle: the effort grows with their third power. */
const MAX_OPERATIONS = 40;
/** Most conditions that are added to find a cycle: some tens of milliseconds. */
const MAX_EFFORT = 20_000;
/** Operations of a cycle with which two units in turn are tried as well. */
const MAX_PAIRED = 24;
/** Stands for the arm among indices of instruments. */
const ARM = -1;

/** A cycle with the start of each of its operations in the first period. */
interface Cycle {
  readonly problem: CycleProblem;
  readonly period_s: number;
  readonly start_s: Float64Array;
}

function exclude(a: number, b: number, { operations }: UnitWork): Exclusion {
  return {
    first: { from: a, to: b, least_s: operations[a]!.duration_s },
    second: { from: b, to: a, least_s: operations[b]!.duration_s },
  };
}

function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((a, i) => items.slice(i + 1).map((b): [Item, Item] => [a, b]));
}

function exclusionsOf(work: UnitWork, instruments: readonly PlanInstrument[]): Exclusion[] {
  const { operations, visits } = work;
  const onResource = new Map<number, number[]>();
  operations.forEach(({ use, instrument, duration_s }, i) => {
    const isLimited = use >= 0 || instruments[instrument]?.capacity === 1;
    if (!isLimited || duration_s <= 0) return;
    const own = onResource.get(use >= 0 ? ARM : instrument) ?? [];
    own.push(i);
    onResource.set(use >= 0 ? ARM : instrument, own);
  });
  const exclusions = [...onResource.values()].flatMap((own) =>
    pairsOf(own).map(([a, b]) => exclude(a, b, work)),
  );
  for (const [a, b] of pairsOf(visits)) {
    if (a.key !== b.key) continue;
    exclusions.push({
      first: { from: a.to, to: b.from, least_s: a.plus_s },
      second: { from: b.to, to: a.from, least_s: b.plus_s },
    });
  }
  return exclusions;
}

/** The cycle of a number of units that take turns; null if there is none. */
function cycleProblemOf(operations: Operations, found: EqualUnits, units: number) {
  const own = new Set(found.units[0]!.tasks);
  const order = topological(operations.before).filter((t) => own.has(t));
  const work: UnitWork = { operations: [], visits: [], orders: [] };
  const first: number[] = [];
  for (let number = 0; number < units; number++) {
    const unit = new UnitBuilder(operations, found, number).build(order);
    if (!unit) return null;
    const at = work.operations.length;
    first.push(at);
    work.operations.push(...unit.operations);
    work.visits.push(
      ...unit.visits.map((one) => ({ ...one, from: one.from + at, to: one.to + at })),
    );
    work.orders.push(
      ...unit.orders.map((one) => ({ ...one, from: one.from + at, to: one.to + at })),
    );
  }
  const { instruments } = operations.problem;
  const count = work.operations.length;
  if (count > MAX_OPERATIONS) return null;
  return { ...work, count, instruments, units, first, exclusions: exclusionsOf(work, instruments) };
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

/**
 * Searches the start times of a cycle for a given period. Branch and bound over the order of each
 * pair of operations that exclude each other; for a fixed period, all conditions are differences
 * of start times (modulo scheduling). Times in seconds.
 */

/** The share of the effort for one period. */
const PERIOD_EFFORT = 2500;
export const TOLERANCE_S = 1e-9;

/** One of two orders, `turn` periods apart: `first` by as many less, `second` by 1 − as many. */
export interface Exclusion {
  readonly first: UnitOrder;
  readonly second: UnitOrder;
}

export interface CycleProblem extends UnitWork {
  readonly count: number;
  readonly instruments: readonly PlanInstrument[];
  readonly exclusions: readonly Exclusion[];
  /** Units in a period. */
  readonly units: number;
  /** First operation of each of these units. */
  readonly first: readonly number[];
}

/** Longest paths between the starts of operations, from → to by `from * count + to`. */
export class StartDifferences {
  readonly least_s: Float64Array;
  private readonly count: number;

  constructor(count: number, least_s?: Float64Array) {
    this.count = count;
    this.least_s = least_s ?? new Float64Array(count * count).fill(Number.NEGATIVE_INFINITY);
    if (!least_s) for (let i = 0; i < count; i++) this.least_s[i * count + i] = 0;
  }

  copy(): StartDifferences {
    return new StartDifferences(this.count, this.least_s.slice());
  }

  between(from: number, to: number): number {
    return this.least_s[from * this.count + to]!;
  }

  /** Adds a condition; false if it contradicts the others. */
  add(from: number, to: number, least_s: number): boolean {
    if (this.between(to, from) + least_s > TOLERANCE_S) return false;
    if (this.between(from, to) >= least_s) return true;
    const { count, least_s: all_s } = this;
    for (let i = 0; i < count; i++) {
      const through_s = all_s[i * count + from]! + least_s;
      if (through_s === Number.NEGATIVE_INFINITY) continue;
      for (let j = 0; j < count; j++) {
        const path_s = through_s + all_s[to * count + j]!;
        if (path_s > all_s[i * count + j]!) all_s[i * count + j] = path_s;
      }
    }
    return true;
  }

  /** The earliest start of each operation (s). */
  get start_s(): Float64Array {
    const { count, least_s } = this;
    const start_s = new Float64Array(count);
    least_s.forEach((path_s, at) => {
      start_s[at % count] = Math.max(start_s[at % count]!, path_s);
    });
    return start_s;
  }
}

/** Searches the starts for one period. */
export class PeriodSearch {
  effort = 0;
  private readonly problem: CycleProblem;
  private readonly period_s: number;

  constructor(problem: CycleProblem, period_s: number) {
    this.problem = problem;
    this.period_s = period_s;
  }

  /** The conditions without choices; null if they contradict each other. */
  private root(): StartDifferences | null {
    const { problem, period_s } = this;
    const { count, orders, visits, first } = problem;
    const differences = new StartDifferences(count);
    const add = (from: number, to: number, least_s: number) => {
      this.effort++;
      return differences.add(from, to, least_s);
    };
    for (const { from, to, least_s } of orders) {
      if (!add(from, to, least_s)) return null;
      // A longer wait can be shorter by a period.
      if (from < to && !add(to, from, -least_s - period_s)) return null;
    }
    for (const { from, to, plus_s } of visits) {
      if (!add(to, from, plus_s - period_s)) return null;
    }
    for (let i = 1; i < first.length; i++) {
      if (!add(first[i - 1]!, first[i]!, 0) || !add(first[i]!, first[0]!, -period_s)) return null;
    }
    return differences;
  }

  /** The possible turns of an exclusion. */
  private turns(differences: StartDifferences, { first, second }: Exclusion): [number, number] {
    const { period_s } = this;
    const early_s = differences.between(first.to, first.from) + first.least_s;
    const late_s = differences.between(second.to, second.from) + second.least_s;
    const least = Math.ceil(early_s / period_s - TOLERANCE_S);
    return [least, Math.floor(1 - late_s / period_s + TOLERANCE_S)];
  }

  private fix(differences: StartDifferences, { first, second }: Exclusion, turn: number): boolean {
    const { period_s } = this;
    this.effort += 2;
    return (
      differences.add(first.from, first.to, first.least_s - turn * period_s) &&
      differences.add(second.from, second.to, second.least_s - (1 - turn) * period_s)
    );
  }

  /** True if no instrument does more tasks at a time than it can. */
  private isWithinCapacity(start_s: Float64Array): boolean {
    const { operations, instruments } = this.problem;
    const { period_s } = this;
    const isBusy = (i: number, at_s: number) => {
      const { duration_s } = operations[i]!;
      const since_s = (((at_s - start_s[i]!) % period_s) + period_s) % period_s;
      return Math.ceil((duration_s - since_s) / period_s - TOLERANCE_S);
    };
    return operations.every(({ instrument, use }, i) => {
      const capacity = use >= 0 ? 1 : (instruments[instrument]?.capacity ?? Infinity);
      if (capacity === 1) return true;
      let busy = 0;
      operations.forEach((other, j) => {
        const isSame = other.use < 0 && other.instrument === instrument;
        if (isSame) busy += Math.max(0, isBusy(j, start_s[i]!));
      });
      return busy <= capacity;
    });
  }

  /** Returns starts; null if there are none or the effort is spent. Yields now and then. */
  *find(): Generator<number, Float64Array | null> {
    const root = this.root();
    if (!root) return null;
    const open: [StartDifferences, readonly Exclusion[]][] = [[root, this.problem.exclusions]];
    for (let next = open.pop(); next && this.effort < PERIOD_EFFORT; next = open.pop()) {
      const [differences, exclusions] = next;
      const left = this.settle(differences, exclusions);
      yield exclusions.length + this.problem.count;
      if (!left) continue;
      const [chosen, from, to] = left.best ?? [];
      if (!chosen) {
        const { start_s } = differences;
        if (this.isWithinCapacity(start_s)) return start_s;
        continue;
      }
      for (let turn = to!; turn >= from!; turn--) {
        const copy = differences.copy();
        const rest = left.open.filter((one) => one !== chosen);
        if (this.fix(copy, chosen, turn)) open.push([copy, rest]);
      }
    }
    return null;
  }

  /** Fixes what has one turn only; returns what is open, and the one with the fewest turns. */
  private settle(differences: StartDifferences, exclusions: readonly Exclusion[]) {
    let open = exclusions;
    for (;;) {
      const rest: Exclusion[] = [];
      let best: [Exclusion, number, number] | null = null;
      for (const one of open) {
        const [from, to] = this.turns(differences, one);
        if (from > to) return null;
        if (from === to) {
          if (!this.fix(differences, one, from)) return null;
          continue;
        }
        rest.push(one);
        if (!best || to - from < best[2] - best[1]) best = [one, from, to];
      }
      if (rest.length === open.length) return { open: rest, best };
      open = rest;
    }
  }
}
