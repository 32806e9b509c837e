import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { bottleneckText } from './bottleneck.ts';
import { lowerBound_s } from './lower-bound.ts';
import { operationsOf } from './operations.ts';
import { planFaults } from './plan-check.cases.ts';
import { plan } from './planner.ts';
import type { Plan, PlanProblem } from './problem.ts';
import { equalProblem, instrument, problemOf, task } from './problems.cases.ts';
import { attemptsFor, searchPlan } from './search.ts';
import type { SlotLocation } from './slot-location.ts';

/** A move or a task of the first piece; a visit of its slot begins with the move. */
interface Step {
  readonly resource: string;
  readonly duration_s: number;
  readonly enters: string | null;
}

/** The moves and tasks of the first piece, all with one instrument. */
function stepsOf({ labware, tasks, move_s }: PlanProblem): Step[] {
  let { location } = labware[0]!;
  return labware[0]!.tasks.flatMap((t): Step[] => {
    const { candidates, uses, duration_s } = tasks[t]!;
    const to: SlotLocation = { instrument: candidates[0]!, slot: uses[0]!.slot };
    const time_s = move_s(location, to)!;
    location = to;
    const own = to.instrument === 0 ? null : `${to.instrument}/${to.slot}`;
    const resource = own === null ? `task ${t}` : `${to.instrument}`;
    return [
      { resource: 'arm', duration_s: time_s, enters: own ?? 'hotel' },
      { resource, duration_s, enters: null },
    ];
  });
}

/** True if two intervals that repeat every period overlap. */
function overlap(a: [from: number, to: number], b: [from: number, to: number], period_s: number) {
  for (let at_s = a[0]; at_s < a[1]; at_s++) {
    const since_s = (((at_s - b[0]) % period_s) + period_s) % period_s;
    if (since_s < b[1] - b[0]) return true;
  }
  return a[1] - a[0] > period_s || b[1] - b[0] > period_s;
}

interface Taken {
  readonly key: string;
  readonly span: [from: number, to: number];
}

/** Whether a cycle of a period exists: tries every start of every step, second by second. */
function isPossible(steps: readonly Step[], period_s: number): boolean {
  const isFree = (taken: readonly Taken[], { key, span }: Taken) =>
    span[1] - span[0] <= period_s &&
    taken.every((one) => one.key !== key || !overlap(span, one.span, period_s));
  const place = (
    i: number,
    [ready_s, entered_s]: [ready_s: number, entered_s: number],
    taken: readonly Taken[],
  ): boolean => {
    const step = steps[i];
    if (!step) return true;
    for (let start_s = ready_s; start_s < ready_s + period_s; start_s++) {
      const end_s = start_s + step.duration_s;
      const added: Taken[] = [{ key: step.resource, span: [start_s, end_s] }];
      // The move out of a slot ends the visit that the move into it has begun.
      const left = steps[i - 2]?.enters;
      if (step.enters && left) added.push({ key: left, span: [entered_s, start_s] });
      if (!added.every((one) => isFree(taken, one))) continue;
      const next_s = step.enters ? start_s : entered_s;
      if (place(i + 1, [end_s, next_s], [...taken, ...added])) return true;
      if (i === 0) return false;
    }
    return false;
  };
  return place(0, [0, 0], []);
}

/** What the search finds without the order of the cycle. */
function searched_s(problem: PlanProblem, seed: number): number {
  const operations = operationsOf(problem);
  const attempts = attemptsFor(operations.firstBuffering);
  const lower_bound_s = lowerBound_s(operations);
  const steps = searchPlan(operations, { seed, attempts, lower_bound_s, sequence: [] });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value.schedule.makespan_s;
  }
}

/** The plan of a problem that has one. */
function planned(problem: PlanProblem, seed = 1): Plan {
  const found = plan(problem, { seed });
  if (!found.ok) throw new Error(`seed ${seed}: ${found.error.messages.join()}`);
  expect(planFaults(problem, found.value), `seed ${seed}`).toEqual([]);
  return found.value;
}

const INSTANCES = Number(process.env['ARMTWIN_ROUNDS'] ?? 12);

describe('the steady cycle of equal pieces', () => {
  it('has the shortest period that an exhaustive search finds', () => {
    let above = 0;
    for (let seed = 1; seed <= INSTANCES; seed++) {
      const steps = 1 + (seed % 3);
      const shape = { pieces: 4, steps, instruments: 2, slots: 1, longest_s: 5 };
      const problem = equalProblem(createPrng(seed), shape);
      const { cycle_s, units_per_cycle, lower_bound_s } = planned(problem, seed).cycle!;
      const period_s = cycle_s / units_per_cycle;
      expect(period_s, `seed ${seed}`).toBeGreaterThanOrEqual(lower_bound_s - 1e-9);
      const work = stepsOf(problem);
      let least_s = 1;
      while (!isPossible(work, least_s)) least_s++;
      if (units_per_cycle === 1) expect(period_s, `seed ${seed}`).toBe(least_s);
      else expect(period_s, `seed ${seed}`).toBeLessThan(least_s);
      if (period_s > lower_bound_s) above++;
    }
    // Some have waits that no bound knows of.
    expect(above).toBeGreaterThan(0);
  });

  it('makes no plan longer, and long ones shorter', () => {
    let [with_s, without_s] = [0, 0];
    for (let seed = 1; seed <= INSTANCES; seed++) {
      const shape = { pieces: 10, steps: 4, instruments: 4, slots: 1, longest_s: 60 };
      const kind = { capacity: 1 + (seed % 2), choice: seed % 3 === 0 };
      const problem = equalProblem(createPrng(seed), { ...shape, ...kind });
      const [own_s, other_s] = [planned(problem, seed).makespan_s, searched_s(problem, seed)];
      expect(own_s, `seed ${seed}`).toBeLessThanOrEqual(other_s);
      with_s += own_s;
      without_s += other_s;
    }
    expect(with_s).toBeLessThan(0.98 * without_s);
  });
});

describe('the order of a cycle', () => {
  it('makes plans shorter also where instruments are closed and rest', () => {
    let shorter = 0;
    for (let seed = 1; seed <= 6; seed++) {
      const shape = { pieces: 10, steps: 4, instruments: 4, slots: 1, longest_s: 60 };
      const open = equalProblem(createPrng(seed), shape);
      const instruments = open.instruments.map((one, i) => {
        return i === 0 ? one : { ...one, closed: true, cool_s: 5 };
      });
      const problem = { ...open, instruments };
      const found = planned(problem, seed);
      const other_s = searched_s(problem, seed);
      expect(found.makespan_s, `seed ${seed}`).toBeLessThanOrEqual(other_s);
      if (found.makespan_s < other_s) shorter++;
      expect(found.cycle).toBeUndefined();
    }
    expect(shorter).toBeGreaterThan(0);
  });
});

/** Pairs of pieces that meet on a mixer, from a hotel without slots. */
function pairs(count: number): PlanProblem {
  const instruments = [instrument('hotel', 100, true), instrument('mixer'), instrument('reader')];
  const tasks = Array.from({ length: count }, (_, i) => [
    task(`mix ${i}`, 40, {
      on: 1,
      uses: [
        [2 * i, 1],
        [2 * i + 1, 2],
      ],
    }),
    task(`read ${i}`, 20, { on: 2, uses: [[2 * i, 1]] }),
    task(`store ${i}`, 0, { on: 0, uses: [[2 * i, 0]] }),
    task(`store other ${i}`, 0, { on: 0, uses: [[2 * i + 1, 0]] }),
  ]).flat();
  const labware = Array.from({ length: 2 * count }, (_, l) => {
    const first = 4 * Math.floor(l / 2);
    const chain = l % 2 === 0 ? [first, first + 1, first + 2] : [first, first + 3];
    return { id: `p${l}`, location: { instrument: 0, slot: 0 }, tasks: chain };
  });
  return problemOf({ instruments, tasks, labware, move_s: () => 5 });
}

describe('the sentence on the bottleneck', () => {
  it('says how fast equal groups of pieces can follow each other', () => {
    const problem = pairs(6);
    const found = planned(problem);
    // Four moves of 5 s and 40 s of mixing, of which nothing can overlap.
    expect(found.cycle).toMatchObject({ units: 6, pieces_per_unit: 2, cycle_s: 60, resource: 1 });
    expect(bottleneckText(problem, found)).toContain(
      'In a steady cycle, one of 6 equal groups of 2 pieces ends every 60 s',
    );
  });

  it('says nothing of the kind where the pieces differ, or are few', () => {
    const problem = pairs(6);
    const [first, ...others] = problem.tasks;
    const tasks = [{ ...first!, duration_s: 41 }, ...others];
    for (const one of [{ ...problem, tasks }, pairs(2)]) {
      const found = planned(one);
      expect(found.cycle).toBeUndefined();
      expect(bottleneckText(one, found)).not.toContain('cycle');
    }
  });

  it('follows the order of runs', () => {
    const problem = pairs(4);
    const jobs = [1, 0].map((rank, i) => ({
      tasks: problem.tasks.flatMap((_, t) => (Math.floor(t / 8) === i ? [t] : [])),
      rank,
      weight: 1 + rank,
      due_s: Number.POSITIVE_INFINITY,
    }));
    const { tasks, cycle } = planned({ ...problem, jobs: jobs.toReversed() });
    expect(cycle?.cycle_s).toBe(60);
    const end = (from: number) =>
      Math.max(
        ...tasks.flatMap(({ task: t, end_s }) => (t >= from && t < from + 8 ? [end_s] : [])),
      );
    expect(end(0)).toBeLessThan(end(8));
  });
});
