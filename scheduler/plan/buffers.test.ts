/** Buffers: swaps and blocked slots that have no plan without them, and plans that stay valid. */

import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { planFaults } from './plan-check.cases.ts';
import { plan } from './planner.ts';
import type { PlanLabware, PlanProblem } from './problem.ts';
import { instrument, problemOf, randomProblem, task } from './problems.cases.ts';

const BUFFER = { instrument: 2, slot: 1 };

/** Two plates that change places between two instruments with one slot each. */
function swapProblem(buffers: PlanProblem['buffers']): PlanProblem {
  const instruments = [instrument('left'), instrument('right'), instrument('rack', 4)];
  const tasks = [
    task('a left', 10, { on: 0, uses: [[0, 1]] }),
    task('b right', 10, { on: 1, uses: [[1, 1]] }),
    task('a right', 10, { on: 1, uses: [[0, 1]], after: [0, 1] }),
    task('b left', 10, { on: 0, uses: [[1, 1]], after: [0, 1] }),
  ];
  const labware: PlanLabware[] = [
    { id: 'a', location: { instrument: 0, slot: 1 }, tasks: [0, 2] },
    { id: 'b', location: { instrument: 1, slot: 1 }, tasks: [1, 3] },
  ];
  return problemOf({ instruments, tasks, labware, buffers });
}

describe('a swap of two plates', () => {
  it('has no plan without a buffer, and each plate is named', () => {
    const found = plan(swapProblem([]), { seed: 1 });
    expect(found.ok).toBe(false);
    if (found.ok) return;
    expect(found.error.kind).toBe('deadlock');
    expect(found.error.messages).toEqual([
      'a right waits for right slot 1 for a, held by b',
      'b left waits for left slot 1 for b, held by a',
    ]);
  });

  it('puts one plate aside, and takes as long as three moves need', () => {
    const problem = swapProblem([BUFFER]);
    const found = plan(problem, { seed: 1 });
    if (!found.ok) throw new Error(found.error.messages.join());
    expect(planFaults(problem, found.value)).toEqual([]);
    expect(found.value.moves.map(({ toBuffer = false }) => toBuffer)).toEqual([true, false, false]);
    // Tasks to 10 s, three moves of 15 s, the last task.
    expect(found.value.makespan_s).toBe(10 + 3 * 15 + 10);
  });

  it('replans from every moment of the plan with what has started', () => {
    const problem = swapProblem([BUFFER]);
    const first = plan(problem, { seed: 1 });
    if (!first.ok) throw new Error('no plan');
    const { tasks, moves, makespan_s } = first.value;
    for (let now_s = 0; now_s <= makespan_s; now_s += 5) {
      const started = [
        ...tasks.map((one) => ({ kind: 'task' as const, ...one })),
        ...moves.map((one) => ({ kind: 'move' as const, ...one })),
      ]
        .filter(({ start_s }) => start_s < now_s)
        .sort((a, b) => a.start_s - b.start_s);
      const again = plan({ ...problem, now_s, started }, { seed: 2, previous: first.value });
      if (!again.ok) throw new Error(`${now_s} s: ${again.error.messages.join()}`);
      expect(again.value.makespan_s).toBe(Math.max(makespan_s, now_s));
    }
  });
});

it('clears an instrument that a finished plate blocks', () => {
  const instruments = [instrument('hotel', 9), instrument('washer'), instrument('rack', 2)];
  const tasks = [
    task('wash a', 20, { on: 1, uses: [[0, 1]] }),
    task('wash b', 20, { on: 1, uses: [[1, 1]] }),
    task('wash c', 20, { on: 1, uses: [[2, 1]] }),
  ];
  const labware = [0, 1, 2].map((i) => {
    return { id: 'abc'[i]!, location: { instrument: 0, slot: i + 1 }, tasks: [i] };
  });
  const parts = { instruments, tasks, labware };
  expect(plan(problemOf(parts), { seed: 1 }).ok).toBe(false);
  const one = problemOf({ ...parts, buffers: [BUFFER] });
  expect(plan(one, { seed: 1 }).ok).toBe(false);
  const two = problemOf({ ...parts, buffers: [BUFFER, { ...BUFFER, slot: 2 }] });
  const found = plan(two, { seed: 1 });
  if (!found.ok) throw new Error(found.error.messages.join());
  expect(planFaults(two, found.value)).toEqual([]);
  expect(found.value.moves.filter(({ toBuffer }) => toBuffer).length).toBe(2);
});

it('keeps plans of random workcells valid, and never makes a plan impossible', () => {
  let solved = 0;
  let withBuffers = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const shape = { pieces: 3, steps: 3, instruments: 2, slots: 1 };
    const random = randomProblem(createPrng(seed), shape);
    const rack = random.instruments.length;
    const instruments = [...random.instruments, instrument('rack', 2)];
    const buffers = [1, 2].map((slot) => ({ instrument: rack, slot }));
    const move_s = () => 7;
    const without = { ...random, instruments, move_s };
    const problem = { ...without, buffers };
    const found = plan(problem, { seed, effort: 0.1 });
    if (plan(without, { seed, effort: 0.1 }).ok) solved++;
    if (!found.ok) continue;
    withBuffers++;
    expect(planFaults(problem, found.value), `seed ${seed}`).toEqual([]);
  }
  expect(withBuffers).toBeGreaterThanOrEqual(solved);
  expect(withBuffers).toBeGreaterThan(9);
});
