/** The parts of the steady cycle: differences of starts, starts for a period, whole cycles. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CycleProblem,
  type Exclusion,
  PeriodSearch,
  StartDifferences,
  type SteadyCycle,
  steadyCycle,
} from './cycle.ts';
import { operationsOf } from './operations.ts';
import type { PlanProblem, PlanTask, TimeConstraint, UnitOperation, UnitOrder } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';

/** Runs a computation in steps to its end. */
function resultOf<Answer>(steps: Generator<number, Answer>): Answer {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    expect(step.value).toBeGreaterThanOrEqual(0);
  }
}

describe('differences of starts', () => {
  it('are the longest paths, and contradict each other only on a cycle above 0', () => {
    const count = 4;
    const at = fc.integer({ min: 0, max: count - 1 });
    const order = fc.record({ from: at, to: at, least_s: fc.integer({ min: -12, max: 9 }) });
    fc.assert(
      fc.property(fc.array(order, { maxLength: 9 }), (orders) => {
        const differences = new StartDifferences(count);
        const kept: UnitOrder[] = [];
        for (const one of orders) {
          const paths = longestPaths(count, [...kept, one]);
          const isPossible = paths.every((row, i) => row[i] === 0);
          expect(differences.add(one.from, one.to, one.least_s)).toBe(isPossible);
          if (isPossible) kept.push(one);
        }
        const paths = longestPaths(count, kept);
        paths.forEach((row, i) => {
          expect(row.map((_, j) => differences.between(i, j))).toEqual(row);
        });
        const starts = paths.map((_, j) => Math.max(0, ...paths.map((row) => row[j]!)));
        expect([...differences.start_s]).toEqual(starts);
      }),
      { numRuns: 100 },
    );
  });

  it('are independent of their copies', () => {
    const differences = new StartDifferences(2);
    differences.add(0, 1, 5);
    const copy = differences.copy();
    expect(copy.between(0, 1)).toBe(5);
    expect(copy.add(0, 1, 7)).toBe(true);
    expect([copy.between(0, 1), differences.between(0, 1)]).toEqual([7, 5]);
    expect(copy.between(1, 0)).toBe(Number.NEGATIVE_INFINITY);
    expect(copy.add(1, 0, -7)).toBe(true);
    expect(copy.add(1, 0, -6.9)).toBe(false);
  });
});

/** The longest paths by as many rounds as there are nodes; above 0 at a node on a bad cycle. */
function longestPaths(count: number, orders: readonly UnitOrder[]): number[][] {
  return Array.from({ length: count }, (_, start) => {
    const path = Array.from({ length: count }, (__, i) => (i === start ? 0 : -Infinity));
    for (let round = 0; round <= count; round++) {
      for (const { from, to, least_s } of orders) {
        path[to] = Math.max(path[to]!, path[from]! + least_s);
      }
    }
    return path;
  });
}

/** A time for which a cycle takes something: from the start of an operation. */
interface Stay {
  readonly from: number;
  readonly to: number;
  /** How long it goes on after the start of `to` (s). */
  readonly plus_s: number;
}

const exclusionOf = (a: Stay, b: Stay): Exclusion => ({
  first: { from: a.to, to: b.from, least_s: a.plus_s },
  second: { from: b.to, to: a.from, least_s: b.plus_s },
});

/** Operations one after the other; a duration each. */
function chain(durations: readonly number[], parts: Partial<CycleProblem> = {}): CycleProblem {
  const operations = durations.map((duration_s, i): UnitOperation => {
    return { task: i, use: 0, duration_s, instrument: -1 };
  });
  const orders = durations.slice(1).map((_, i): UnitOrder => {
    return { from: i, to: i + 1, least_s: durations[i]! };
  });
  const base = { operations, orders, visits: [], exclusions: [], instruments: [] };
  return { ...base, count: durations.length, units: 1, first: [0], ...parts };
}

/** True if two stays never overlap when both repeat every period. */
function areApart(a: Stay, b: Stay, [starts, period_s]: [readonly number[], number]): boolean {
  const [a_s, b_s] = [a, b].map(({ from, to, plus_s }) => starts[to]! + plus_s - starts[from]!);
  const since_s = starts[b.from]! - starts[a.from]!;
  const turn_s = ((since_s % period_s) + period_s) % period_s;
  return turn_s >= a_s! && period_s - turn_s >= b_s!;
}

/** All whole starts of a chain with waits of at most a period. */
function* wholeStarts(durations: readonly number[], period_s: number): Generator<number[]> {
  const waits = durations.slice(1).map(() => 0);
  for (;;) {
    let at_s = 0;
    yield [0, ...waits.map((wait_s, i) => (at_s += durations[i]! + wait_s))];
    const next = waits.findIndex((one) => one < period_s);
    if (next < 0) return;
    waits[next]! += 1;
    waits.fill(0, 0, next);
  }
}

const startsFor = (problem: CycleProblem, period_s: number) => {
  const found = resultOf(new PeriodSearch(problem, period_s).find());
  return found && [...found];
};

describe('the starts for a period', () => {
  it('exist where an exhaustive search finds some, and keep apart what excludes each other', () => {
    const draw = fc.record({
      durations: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 4 }),
      arm: fc.integer({ min: 0, max: 15 }),
      slot: fc.boolean(),
      longest_s: fc.integer({ min: 3, max: 20 }),
      period_s: fc.integer({ min: 1, max: 11 }),
    });
    fc.assert(
      fc.property(draw, ({ durations, arm, slot, longest_s, period_s }) => {
        const own = durations.map((plus_s, i): Stay => ({ from: i, to: i, plus_s }));
        const stays = own.filter((_, i) => (arm >> i) % 2 === 1);
        const pairs = stays.flatMap((a, i) => stays.slice(i + 1).map((b) => [a, b] as const));
        // The first two operations take a slot, and the last one alone.
        const last = own.at(-1)!;
        if (slot) pairs.push([{ from: 0, to: 1, plus_s: 1 }, last]);
        const limit = { from: 2, to: 0, least_s: -longest_s };
        const base = chain(durations);
        const problem = chain(durations, {
          orders: [...base.orders, limit],
          exclusions: pairs.map(([a, b]) => exclusionOf(a, b)),
        });
        const isGood = (starts: readonly number[]) =>
          starts[2]! - starts[0]! <= longest_s &&
          pairs.every(([a, b]) => areApart(a, b, [starts, period_s]));
        const found = startsFor(problem, period_s);
        expect(found !== null).toBe([...wholeStarts(durations, period_s)].some(isGood));
        if (found) expect(isGood(found)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('are the earliest ones', () => {
    expect(startsFor(chain([3, 4, 5]), 2)).toEqual([0, 3, 7]);
  });

  it('do not exist where conditions contradict each other', () => {
    const orders = [
      { from: 0, to: 1, least_s: 5 },
      { from: 1, to: 0, least_s: -4 },
    ];
    expect(startsFor(chain([5, 1], { orders }), 10)).toBeNull();
  });

  it('have waits of at most a period', () => {
    const orders = [3, 8].map((least_s) => ({ from: 0, to: 1, least_s }));
    expect(startsFor(chain([3, 1], { orders }), 5)).toEqual([0, 8]);
    expect(startsFor(chain([3, 1], { orders }), 4)).toBeNull();
    // A limit backwards is no wait.
    const limits = [...orders.slice(0, 1), { from: 1, to: 0, least_s: -20 }];
    expect(startsFor(chain([3, 1], { orders: limits }), 1)).toEqual([0, 3]);
  });

  it('leave each slot within a period', () => {
    const visits = [{ key: '1/1', from: 0, to: 1, plus_s: 2 }];
    expect(startsFor(chain([6, 1], { visits }), 8)).toEqual([0, 6]);
    expect(startsFor(chain([6, 1], { visits }), 7)).toBeNull();
  });

  it('have the units in turn within a period', () => {
    const orders = [{ from: 2, to: 1, least_s: 6 }];
    const units = (first: number[], period_s: number) =>
      startsFor(chain([1, 1, 1], { orders, first, units: first.length }), period_s);
    expect(units([0, 2, 1], 6)).toEqual([0, 6, 0]);
    expect(units([0, 2, 1], 5)).toBeNull();
    expect(units([0, 1, 2], 5)).toBeNull();
    expect(units([0], 5)).toEqual([0, 6, 0]);
  });

  const onInstrument = (durations: readonly number[], waits: readonly number[], on = 0) => {
    const base = chain(durations, { instruments: [instrument('pair', 2), instrument('one')] });
    return {
      ...base,
      operations: base.operations.map((one) => ({ ...one, use: -1, instrument: on })),
      orders: waits.map((least_s, i) => ({ from: i, to: i + 1, least_s })),
    };
  };

  it.each<[readonly number[], readonly number[], number, boolean]>([
    [[4, 4, 4], [0, 0], 6, false],
    [[4, 4, 4], [2, 2], 6, true],
    [[4, 4, 5], [2, 2], 6, false],
    [[4, 4, 4], [1, 2], 6, false],
    [[12], [], 6, true],
    [[12.1], [], 6, false],
    [[6, 6], [0], 6, true],
    [[6, 7], [0], 6, false],
  ])('let an instrument do two tasks at a time: %j s after %j s in %d s', (...row) => {
    const [durations, waits, period_s, isPossible] = row;
    expect(startsFor(onInstrument(durations, waits), period_s) !== null).toBe(isPossible);
  });

  it('have limits for two at a time on the same instrument only, and none for moves', () => {
    const problem = onInstrument([4, 4, 4], [0, 0]);
    const [first, ...others] = problem.operations;
    const apart = [{ ...first!, instrument: 1 }, ...others];
    expect(startsFor({ ...problem, operations: apart }, 6)).toEqual([0, 0, 0]);
    const carried = [{ ...first!, use: 0 }, ...others];
    expect(startsFor({ ...problem, operations: carried }, 6)).toEqual([0, 0, 0]);
    expect(startsFor(onInstrument([4, 4, 4], [0, 0], -1), 6)).toEqual([0, 0, 0]);
  });

  it('are not searched for longer than the effort allows', () => {
    // Twelve operations in any order fill all but a second of the period.
    const stays = Array.from(
      { length: 12 },
      (_, i): Stay => ({ from: i, to: i, plus_s: 2 + (i % 3) }),
    );
    const exclusions = stays.flatMap((a, i) => stays.slice(i + 1).map((b) => exclusionOf(a, b)));
    const orders = stays.slice(1).map((_, i): UnitOrder => ({ from: 0, to: i + 1, least_s: 0 }));
    const problem = chain(
      stays.map(({ plus_s }) => plus_s),
      { orders, exclusions },
    );
    const search = new PeriodSearch(problem, 35);
    expect(resultOf(search.find())).toBeNull();
    expect(search.effort).toBeGreaterThan(2000);
    expect(search.effort).toBeLessThan(4000);
  });
});

/** Pieces that go from the slots of a hotel to a reader and back. */
function reading(
  count: number,
  parts: Partial<PlanProblem> & { slot?: (l: number) => number } = {},
) {
  const { slot = () => 1, ...rest } = parts;
  const tasks = Array.from({ length: count }, (_, l) => [
    task(`read ${l}`, 20, { on: 1, uses: [[l, slot(l)]] }),
    task(`store ${l}`, 0, { on: 0, uses: [[l, 1 + l]] }),
  ]).flat();
  const labware = Array.from({ length: count }, (_, l) => {
    return { id: `p${l}`, location: { instrument: 0, slot: 1 + l }, tasks: [2 * l, 2 * l + 1] };
  });
  const instruments = [instrument('hotel', 100), instrument('reader', 2), instrument('other', 2)];
  return problemOf({ instruments, tasks, labware, ...rest });
}

function cycleOf(problem: PlanProblem): SteadyCycle | null {
  return resultOf(steadyCycle(operationsOf(problem)));
}

/** The names of operations, such as `+0` for the move of read 0, `read 0`, `-0`, `store 0`. */
function namesOf(problem: PlanProblem, { sequence }: SteadyCycle): string[] {
  const { firstMove, tasks } = operationsOf(problem);
  return sequence.map((operation) => {
    if (operation < tasks) return problem.tasks[operation]!.id;
    const owner = firstMove.indexOf(operation);
    return `move for ${problem.tasks[owner]!.id}`;
  });
}

const ownSlots = { slot: (l: number) => 1 + l };

describe('the steady cycle', () => {
  it('takes as long as the slot that all pieces need', () => {
    const problem = reading(3);
    const found = cycleOf(problem)!;
    // To the reader 15 s, 20 s of reading, back 15 s.
    expect(found.cycle).toEqual({
      units: 3,
      pieces_per_unit: 1,
      units_per_cycle: 1,
      cycle_s: 50,
      lower_bound_s: 50,
      resource: 1,
    });
    expect(namesOf(problem, found)).toEqual(
      [0, 1, 2].flatMap((l) => [
        `move for read ${l}`,
        `read ${l}`,
        `move for store ${l}`,
        `store ${l}`,
      ]),
    );
    expect([...found.preferred]).toEqual([-1, -1, -1, -1, -1, -1]);
  });

  it('takes as long as the arm where each piece has its own slot', () => {
    const problem = reading(3, ownSlots);
    const found = cycleOf(problem)!;
    expect(found.cycle).toMatchObject({ cycle_s: 30, lower_bound_s: 30, resource: -1 });
    // The arm takes each piece back after it has brought two others.
    expect(namesOf(problem, found)).toEqual([
      'move for read 0',
      'read 0',
      'move for read 1',
      'read 1',
      'move for read 2',
      'move for store 0',
      'read 2',
      'store 0',
      'move for store 1',
      'store 1',
      'move for store 2',
      'store 2',
    ]);
  });

  it('takes as long as the work of an instrument by its capacity', () => {
    const long = (count: number, capacity: number) => {
      const { tasks, instruments } = reading(count, ownSlots);
      return reading(count, {
        ...ownSlots,
        tasks: tasks.map((one, t) => (t % 2 === 0 ? { ...one, duration_s: 75 } : one)),
        instruments: [instruments[0]!, instrument('reader', capacity)],
      });
    };
    const shape = { lower_bound_s: 75, cycle_s: 75, resource: 1 };
    expect(cycleOf(long(3, 1))!.cycle).toMatchObject(shape);
    const half = { lower_bound_s: 37.5, cycle_s: 38, units_per_cycle: 1, resource: 1 };
    expect(cycleOf(long(3, 2))!.cycle).toMatchObject(half);
  });

  /** All read on one of some instruments. */
  const withChoice = (count: number, parts: Parameters<typeof reading>[1] = {}, able = [1, 2]) => {
    const { tasks, instruments, ...rest } = reading(count, parts);
    const chosen = tasks.map((one, t) => (t % 2 === 0 ? { ...one, candidates: able } : one));
    const more = [...instruments, instrument('third'), instrument('fourth')];
    return { ...rest, tasks: chosen, instruments: more };
  };

  it('lets the units take turns where they have a choice', () => {
    const { cycle, preferred } = cycleOf(withChoice(4))!;
    // Four moves of 15 s, while each reader is taken for 50 s.
    expect(cycle).toMatchObject({
      units_per_cycle: 2,
      cycle_s: 60,
      lower_bound_s: 30,
      resource: -1,
    });
    expect([...preferred]).toEqual([0, -1, 1, -1, 0, -1, 1, -1]);
  });

  it('shares the work among all that have a choice', () => {
    const problem = withChoice(4, ownSlots);
    const instruments = problem.instruments.map((one) => ({ ...one, capacity: 1 }));
    const tasks = problem.tasks.map((one, t) => (t % 2 === 0 ? { ...one, duration_s: 80 } : one));
    const { cycle } = cycleOf({ ...problem, instruments, tasks })!;
    expect(cycle).toMatchObject({
      units_per_cycle: 2,
      cycle_s: 80,
      lower_bound_s: 40,
      resource: 1,
    });
  });

  const changed = (index: number, change: Partial<PlanTask>) => {
    const { tasks, ...rest } = reading(3);
    return { ...rest, tasks: tasks.map((one, t) => (t === index ? { ...one, ...change } : one)) };
  };
  /** Pieces with as many tasks as moves, all on one instrument but in different slots. */
  const longChain = (count: number, steps: number) => {
    const tasks = Array.from({ length: count * steps }, (_, t) => {
      const l = Math.floor(t / steps);
      return task(`t${t}`, 1, { on: 1, uses: [[l, 100 * l + (t % steps)]] });
    });
    const labware = Array.from({ length: count }, (_, l) => ({
      id: `p${l}`,
      location: { instrument: 0, slot: l },
      tasks: Array.from({ length: steps }, (__, i) => steps * l + i),
    }));
    const instruments = [instrument('hotel', 9), instrument('rack', 99)];
    return problemOf({ instruments, tasks, labware, move_s: () => 1 });
  };

  it.each<[string, PlanProblem]>([
    ['of two pieces', reading(2)],
    ['of more instruments than pieces', withChoice(3, {}, [1, 2, 3, 4])],
    ['of different pieces', changed(2, { duration_s: 21 })],
    ['where the arm cannot make a move', reading(3, { move_s: () => null })],
    ['of too many operations', longChain(3, 21)],
  ])('does not exist %s', (_, problem) => {
    expect(cycleOf(problem)).toBeNull();
  });

  it('exists with as many operations as are searched', () => {
    expect(cycleOf(longChain(3, 20))!.cycle).toMatchObject({ cycle_s: 20, units_per_cycle: 1 });
  });

  /** Pieces with two tasks after each other; `wait_s` limits the time between two tasks. */
  const inLine = (second_s: number, wait_s: number) => {
    const count = 4;
    const tasks = Array.from({ length: count }, (_, l) => [
      task(`a${l}`, 20, { on: 1, uses: [[l, l]] }),
      task(`b${l}`, second_s, { on: 2, uses: [[l, l]] }),
      task(`store ${l}`, 0, { on: 0, uses: [[l, l]] }),
    ]).flat();
    const chains = Array.from({ length: count }, (_, l) => [3 * l, 3 * l + 1, 3 * l + 2]);
    const labware = chains.map((own, l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: l }, tasks: own };
    });
    const constraints = chains
      .flatMap(([a, b, c]) => [[a!, b!] as const, [b!, c!] as const])
      .map(([from, to]): TimeConstraint => {
        const ends = { from, from_end: true, to, to_end: false };
        return { id: `from ${from}`, ...ends, min_s: 0, max_s: wait_s };
      });
    const instruments = ['hotel', 'first', 'second'].map((id) => instrument(id, 9));
    return problemOf({ instruments, tasks, labware, constraints });
  };

  // Three moves of 15 s. Without waits, the third begins 15 s and the second task after the second.
  it.each<[string, readonly number[], number, number]>([
    ['any wait', [20, Number.POSITIVE_INFINITY], 45, 1],
    ['no wait, if this leaves whole gaps', [15, 15], 45, 1],
    // The second and third moves of two pieces are 15 s apart, and then the arm waits 5 s.
    ['no wait, so that two pieces take turns', [20, 15], 95, 2],
    ['twice 5 s, until two pieces need no gap', [20, 20], 90, 2],
    ['twice 12 s, which are too short for one piece', [20, 27], 90, 2],
    ['twice 13 s, until after the first move of the next piece', [20, 28], 45, 1],
    ['no wait, where 47 s are possible and 48 s to 62 s are not', [95, 15], 47, 1],
  ])('has limits of time with %s', (...[, [second_s, wait_s], cycle_s, units_per_cycle]) => {
    const { cycle } = cycleOf(inLine(second_s!, wait_s!))!;
    expect(cycle).toMatchObject({ cycle_s, units_per_cycle, lower_bound_s: 45 });
  });
});
