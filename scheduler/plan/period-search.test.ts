/** The search of the starts of a cycle: differences of starts, and starts for a period. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CycleProblem, Exclusion } from './cycle-problem.ts';
import { PeriodSearch } from './period-search.ts';
import { instrument } from './problems.cases.ts';
import { StartDifferences } from './start-differences.ts';
import { TOLERANCE_S } from './time-tolerance.ts';
import type { UnitOperation, UnitOrder } from './unit-builder.ts';

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

  it('may contradict each other by the tolerance, and not by more', () => {
    expect(new StartDifferences(1).add(0, 0, TOLERANCE_S)).toBe(true);
    expect(new StartDifferences(1).add(0, 0, 2 * TOLERANCE_S)).toBe(false);
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

  it('count what is busy from the starts that are not at the begin', () => {
    const afterMove = (durations: readonly number[]) => {
      const { operations, ...rest } = onInstrument([1, ...durations], [1, 1, 1]);
      const carried = operations.map((one, i) => (i === 0 ? { ...one, use: 0 } : one));
      return startsFor({ ...rest, operations: carried }, 10);
    };
    expect(afterMove([4, 4, 4])).toBeNull();
    expect(afterMove([2, 4, 4])).toEqual([0, 1, 2, 3]);
  });

  it('allow a limit between the ends of one task', () => {
    const orders = [{ from: 0, to: 0, least_s: -5 }];
    expect(startsFor(chain([10], { orders }), 3)).toEqual([0]);
  });

  it('are found with an effort for each condition', () => {
    const effortOf = (problem: CycleProblem) => {
      const search = new PeriodSearch(problem, 10);
      resultOf(search.find());
      return search.effort;
    };
    // An order, and its longest wait.
    expect(effortOf(chain([3, 4]))).toBe(2);
    const visits = [{ key: '1/1', from: 0, to: 1, plus_s: 2 }];
    expect(effortOf(chain([3, 4], { visits }))).toBe(3);
    const exclusions = [exclusionOf({ from: 0, to: 0, plus_s: 3 }, { from: 1, to: 1, plus_s: 4 })];
    // One operation comes after the other with or without a period between them.
    expect(effortOf(chain([3, 4], { exclusions }))).toBe(2 + 2 * 2);
    // No order with two periods between them is tried: waits are shorter.
    const long = [exclusionOf({ from: 0, to: 0, plus_s: 5 }, { from: 1, to: 1, plus_s: 4 })];
    expect(effortOf(chain([5, 4], { exclusions: long }))).toBe(2 + 2 * 2);
    const orders = [...chain([3, 4]).orders, { from: 1, to: 0, least_s: -5 }];
    expect(effortOf(chain([3, 4], { orders, exclusions }))).toBe(3 + 2);
    // The first pair is too long for the period, so the order of the second one is of no use.
    const stays = [6, 6, 1].map((plus_s, i): Stay => ({ from: i, to: i, plus_s }));
    const [first, second, third] = stays;
    const pairs = [exclusionOf(first!, second!), exclusionOf(first!, third!)];
    const limited = [...chain([6, 6, 1]).orders, { from: 2, to: 0, least_s: -19 }];
    expect(effortOf(chain([6, 6, 1], { orders: limited, exclusions: pairs }))).toBe(5);
  });

  /** Operations after the first one, of which those at some places exclude each other. */
  const inAnyOrder = (
    durations: readonly number[],
    [least_s, apart]: [least_s: readonly number[], apart: readonly number[]],
  ) => {
    const stays = apart.map((i): Stay => ({ from: i, to: i, plus_s: durations[i]! }));
    const exclusions = stays.flatMap((a, i) => stays.slice(i + 1).map((b) => exclusionOf(a, b)));
    const orders = least_s.map((one, i) => ({ from: 0, to: i + 1, least_s: one }));
    return chain(durations, { orders, exclusions });
  };

  it('decide first on a pair with the fewest orders, of several such on the first', () => {
    const three = inAnyOrder(
      [2, 3, 1],
      [
        [2, 2],
        [0, 1, 2],
      ],
    );
    expect(startsFor(three, 8)).toEqual([0, 10, 5]);
    const six = inAnyOrder(
      [4, 2, 1, 3, 2, 3],
      [
        [0, 0, 2, 1, 2],
        [2, 4, 5],
      ],
    );
    expect(startsFor(six, 13)).toEqual([0, 0, 0, 2, 4, 14]);
  });

  it('need no decision where each pair has one order only', () => {
    const stays = [0, 1, 2].map((i): Stay => ({ from: i, to: i, plus_s: 3 }));
    // The last two have one as soon as the last one has to come after the first.
    const exclusions = [exclusionOf(stays[1]!, stays[2]!), exclusionOf(stays[0]!, stays[2]!)];
    const orders = [...chain([3, 3, 3]).orders, { from: 1, to: 0, least_s: -6 }];
    const search = new PeriodSearch(chain([3, 3, 3], { orders, exclusions }), 8).find();
    const steps = [search.next(), search.next()];
    expect(steps).toEqual([
      { done: false, value: expect.any(Number) },
      { done: true, value: Float64Array.of(0, 6, 11) },
    ]);
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
