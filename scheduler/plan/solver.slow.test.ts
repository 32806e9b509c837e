import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { planFaults } from './plan-check.cases.ts';
import { plan } from './planner.ts';
import type { PlanProblem, TimeConstraint } from './problem.ts';
import { assayProblem, instrument, randomProblem } from './problems.cases.ts';
import { compare, INSTANCES, optimum, present, SOLVER_LIMIT_S, title } from './solver.cases.ts';

const SHAPES = [
  { pieces: 2, steps: 1, instruments: 2, slots: 1 },
  { pieces: 2, steps: 2, instruments: 3, slots: 1 },
  { pieces: 3, steps: 1, instruments: 2, slots: 2 },
  { pieces: 2, steps: 3, instruments: 3, slots: 2 },
];

describe.skipIf(!present)(title, () => {
  it('agrees that the assay takes 375 s', () => {
    expect(optimum(assayProblem())).toBe(375);
  });

  it('finds no better plans for random workcells, and the planner is nearly always optimal', () => {
    const gaps: number[] = [];
    let unproven = 0;
    for (let seed = 1; gaps.length < INSTANCES && seed < 3 * INSTANCES; seed++) {
      const shape = SHAPES[seed % SHAPES.length]!;
      const problem = randomProblem(createPrng(seed), shape);
      const found = plan(problem, { seed });
      if (!found.ok) continue;
      const best_s = optimum(problem);
      if (typeof best_s !== 'number') {
        unproven++;
        continue;
      }
      expect(planFaults(problem, found.value)).toEqual([]);
      expect(found.value.makespan_s, `seed ${seed}`).toBeGreaterThanOrEqual(best_s);
      expect(found.value.lower_bound_s, `seed ${seed}`).toBeLessThanOrEqual(best_s);
      gaps.push(found.value.makespan_s / best_s - 1);
    }
    expect(gaps.length).toBe(INSTANCES);
    const exact = gaps.filter((gap) => gap < 1e-9).length / gaps.length;
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    process.stdout.write(
      `${gaps.length} instances against glpsol: optimal in ${percent(exact)}, ` +
        `mean gap ${percent(mean)}, worst ${percent(Math.max(...gaps))}; ` +
        `${unproven} more that it did not prove in ${SOLVER_LIMIT_S} s\n`,
    );
    expect(exact).toBeGreaterThanOrEqual(0.95);
    expect(mean).toBeLessThanOrEqual(0.02);
  });
});

/** A random workcell where the next task of a piece must begin soon after the one before. */
function withLimits(seed: number): PlanProblem {
  const random = createPrng(seed);
  const problem = randomProblem(random, SHAPES[seed % SHAPES.length]!);
  const constraints = problem.labware.flatMap(({ id, tasks: chain }) =>
    chain.slice(1).flatMap((to, i): TimeConstraint[] => {
      if (random() < 0.4) return [];
      const max_s = 5 + Math.floor(60 * random());
      const min_s = random() < 0.3 ? Math.min(max_s, 20) : 0;
      const ends = { from: chain[i]!, from_end: true, to, to_end: false };
      return [{ id: `${id} ${i}`, ...ends, min_s, max_s }];
    }),
  );
  return { ...problem, constraints };
}

describe.skipIf(!present)(`${title}, with limits of time`, () => {
  it('holds limits of time as well as the solver, and finds a plan where there is one', () => {
    compare({ name: 'limits', problemOf: withLimits, countsInfeasible: true });
  });
});

const BUFFER_SHAPES = [
  { pieces: 2, steps: 2, instruments: 2, slots: 1 },
  { pieces: 3, steps: 1, instruments: 2, slots: 1 },
  { pieces: 2, steps: 3, instruments: 2, slots: 1 },
  { pieces: 3, steps: 2, instruments: 3, slots: 1 },
];

/** More pieces with less work each: what the solver can still prove. */
const CROWDED_SHAPES = [
  { pieces: 4, steps: 1, instruments: 2, slots: 1 },
  { pieces: 5, steps: 1, instruments: 3, slots: 1 },
  { pieces: 6, steps: 1, instruments: 3, slots: 1 },
];

/** A workcell with one slot on each instrument, buffers, limits, and equal times of all moves. */
function withBuffers(seed: number, shapes: typeof BUFFER_SHAPES, slots: number): PlanProblem {
  const random = createPrng(5000 + seed);
  const problem = randomProblem(random, shapes[seed % shapes.length]!);
  const rack = problem.instruments.length;
  const { labware, tasks } = problem;
  // Half of the pieces stay where their last task ends: others need them out of the way.
  const isLeft = labware.map(() => random() < 0.5);
  const last = new Set(labware.flatMap((one, l) => (isLeft[l] ? [one.tasks.at(-1)!] : [])));
  const kept = tasks.flatMap((_, t) => (last.has(t) ? [] : [t]));
  const numbers = new Map(kept.map((t, i) => [t, i] as const));
  const own = (list: readonly number[]) => list.flatMap((t) => numbers.get(t) ?? []);
  const pieces = labware.map((one) => ({ ...one, tasks: own(one.tasks) }));
  const constraints = pieces.flatMap(({ id, tasks: chain }): TimeConstraint[] => {
    if (chain.length < 2 || random() < 0.5) return [];
    const ends = { from: chain[0]!, from_end: true, to: chain[1]!, to_end: false };
    return [{ id, ...ends, min_s: 0, max_s: 20 + Math.floor(40 * random()) }];
  });
  return {
    ...problem,
    instruments: [...problem.instruments, instrument('rack', slots)],
    tasks: kept.map((t) => ({ ...tasks[t]!, after: own(tasks[t]!.after) })),
    labware: pieces,
    constraints,
    buffers: Array.from({ length: slots }, (_, i) => ({ instrument: rack, slot: i + 1 })),
    move_s: () => 7,
  };
}

describe.skipIf(!present)(`${title}, with buffers and limits of time`, () => {
  it('finds no better plans, and a plan where the planner finds none only if there is none', () => {
    const first = Number(process.env['ARMTWIN_FIRST'] ?? 1);
    const wanted = Number(process.env['ARMTWIN_ROUNDS'] ?? INSTANCES);
    const name = 'a buffer and limits';
    const problemOf = (seed: number) => withBuffers(seed, BUFFER_SHAPES, 1);
    const { buffered } = compare({ name, problemOf, first, wanted });
    expect(buffered).toBeGreaterThan(0);
  }, 1_800_000);

  it('finds no better plans for 4 to 6 pieces and two buffer slots', () => {
    const first = Number(process.env['ARMTWIN_FIRST'] ?? 1);
    const wanted = Number(process.env['ARMTWIN_ROUNDS'] ?? INSTANCES);
    const name = '4 to 6 pieces, two buffer slots and limits';
    const problemOf = (seed: number) => withBuffers(seed, CROWDED_SHAPES, 2);
    const { buffered } = compare({ name, problemOf, first, wanted });
    expect(buffered).toBeGreaterThan(0);
  }, 3_600_000);
});
