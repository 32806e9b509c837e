/** Plans of equal pieces: when they have the order of the steady cycle, and when another. */

import { describe, expect, it } from 'vitest';
import { operationsOf } from './operations.ts';
import { type PlanOptions, plan } from './planner.ts';
import type { Plan, PlanProblem } from './problem.ts';
import { instrument, limitOf, problemOf, task } from './problems.cases.ts';
import { steadyCycle } from './steady-cycle.ts';

function solved(problem: PlanProblem, options: Partial<PlanOptions> = {}): Plan {
  const found = plan(problem, { seed: 1, ...options });
  if (!found.ok) throw new Error(found.error.messages.join('; '));
  return found.value;
}

const instruments = ['hotel', 'near', 'far'].map((id) => instrument(id, id === 'hotel' ? 9 : 1));

/** Three pieces that are read in slot 1 of an instrument in no time, and go back. */
function reading(candidates: readonly number[], parts: Partial<PlanProblem> = {}): PlanProblem {
  const tasks = [0, 1, 2].flatMap((l) => [
    { ...task(`read ${l}`, 0, { on: 1, uses: [[l, 1]] }), candidates },
    task(`store ${l}`, 0, { on: 0, uses: [[l, l]] }),
  ]);
  const labware = [0, 1, 2].map((l) => {
    return { id: `p${l}`, location: { instrument: 0, slot: l }, tasks: [2 * l, 2 * l + 1] };
  });
  return problemOf({ instruments, tasks, labware, ...parts });
}

/** The units that take turns in the steady cycle of a problem. */
function unitsInTurn(problem: PlanProblem): number | undefined {
  const steps = steadyCycle(operationsOf(problem));
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value?.cycle.units_per_cycle;
}

const usedBy = ({ tasks }: Plan) => new Set(tasks.map((one) => one.instrument));

describe('the order of a steady cycle', () => {
  it('is not that of a plan where it is longer', () => {
    // The cycle takes turns between both, and the arm needs long to one of them.
    const move_s: PlanProblem['move_s'] = (from, to) =>
      from.instrument === 2 || to.instrument === 2 ? 50 : 5;
    const problem = reading([2, 1], { move_s });
    expect(unitsInTurn(problem)).toBe(2);
    const found = solved(problem);
    expect(found.makespan_s).toBe(3 * 10);
    expect(usedBy(found)).toEqual(new Set([0, 1]));
  });

  it('is not that of a plan where it ends before all is done', () => {
    // A piece of no task stands in one of both instruments, which the cycle does not know.
    const base = reading([1, 2]);
    const idle = { id: 'idle', location: { instrument: 2, slot: 1 }, tasks: [] };
    const problem = { ...base, labware: [...base.labware, idle] };
    expect(unitsInTurn(problem)).toBe(2);
    const found = solved(problem);
    expect(found.tasks.length).toBe(6);
    expect(usedBy(found)).toEqual(new Set([0, 1]));
  });

  it('is not that of a plan where it breaks limits of time', () => {
    const pieces = [0, 1, 2, 3];
    const tasks = pieces.flatMap((l) => [
      task(`long ${l}`, 15, { on: 1, uses: [[l, 10 * l]] }),
      task(`short ${l}`, 0, { on: 1, uses: [[l, 10 * l + 1]] }),
    ]);
    const labware = pieces.map((l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: l }, tasks: [2 * l, 2 * l + 1] };
    });
    const constraints = pieces.map((l) =>
      limitOf({ id: `after ${l}`, from: 2 * l, to: 2 * l + 1, max_s: 21 }),
    );
    const problem = problemOf({ instruments, tasks, labware, constraints });
    expect(unitsInTurn(problem)).toBe(1);
    // In the order of the cycle, all is done by then, but too late for a limit.
    expect(solved(problem).makespan_s).toBe(120);
  });

  it('is that of a plan for jobs where it is as good', () => {
    // The pieces are read side by side, and stay there.
    const tasks = [0, 1, 2].map((l) => task(`read ${l}`, 5, { on: 1, uses: [[l, l]] }));
    const labware = [0, 1, 2].map((l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: l }, tasks: [l] };
    });
    const jobs = [{ tasks: [0, 1, 2], rank: 0, weight: 1, due_s: Number.POSITIVE_INFINITY }];
    const problem = problemOf({ instruments, tasks, labware, jobs });
    const orderOf = ({ moves }: Plan) => moves.map((one) => one.labware);
    const base = solved(problem);
    expect(orderOf(base)).toEqual([0, 1, 2]);
    const previous = {
      tasks: base.tasks.map((one) => ({ ...one, task: 2 - one.task })),
      moves: base.moves.map((one) => ({ ...one, task: 2 - one.task, labware: 2 - one.labware })),
    };
    // With less effort there is no cycle.
    expect(orderOf(solved(problem, { previous, effort: 0.01 }))).toEqual([2, 1, 0]);
    expect(orderOf(solved(problem, { previous }))).toEqual([0, 1, 2]);
  });
});
