import { describe, expect, it } from 'vitest';
import { plan } from './planner.ts';
import type { TimeConstraint } from './problem.ts';
import { assayProblem, instrument, problemOf, task } from './problems.cases.ts';
import { planRobustness, type RobustnessOptions } from './robustness.ts';

function robustnessOf(
  problem: ReturnType<typeof problemOf>,
  options: Partial<RobustnessOptions> = {},
) {
  const found = plan(problem, { seed: 1 });
  if (!found.ok) throw new Error('no plan');
  const { constraints } = problem;
  const given = { seed: 1, executions: 1000, scatter: 0.2, constraints, ...options };
  const steps = planRobustness(problem, found.value, given);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return { ...step.value, planned_s: found.value.makespan_s };
  }
}

/** Two tasks of 100 s in sequence on one instrument. */
function twoTasks(constraints: readonly TimeConstraint[] = []) {
  const tasks = [task('a', 100, { on: 0 }), task('b', 100, { on: 0, after: [0] })];
  return problemOf({ instruments: [instrument('x')], tasks, constraints });
}

describe('executions of a plan with scattered durations', () => {
  it('take exactly the planned time without scatter, in every plan', () => {
    const apart = problemOf({
      instruments: [instrument('x'), instrument('y')],
      tasks: [task('a', 100, { on: 0 }), task('b', 100, { on: 1 })],
      constraints: [
        { id: 'order', from: 0, from_end: true, to: 1, to_end: false, min_s: 0, max_s: 60 },
      ],
    });
    for (const problem of [assayProblem(), twoTasks(), apart]) {
      const { mean_makespan_s, p90_makespan_s, planned_s } = robustnessOf(problem, { scatter: 0 });
      expect(mean_makespan_s).toBeCloseTo(planned_s, 9);
      expect(p90_makespan_s).toBeCloseTo(planned_s, 9);
    }
  });

  it('have the mean and the spread of the distribution', () => {
    // Each duration is triangular on 80 to 140 s, mode 100 s: mean 106.67 s, variance 155.6 s².
    const { mean_makespan_s, p90_makespan_s } = robustnessOf(twoTasks(), { executions: 20_000 });
    expect(mean_makespan_s).toBeGreaterThan(213);
    expect(mean_makespan_s).toBeLessThan(213.7);
    // Nearly normal with a deviation of 17.6 s: 213.3 + 1.28 · 17.6.
    expect(p90_makespan_s).toBeGreaterThan(234.5);
    expect(p90_makespan_s).toBeLessThan(238.5);
  });

  it('say how often each limit holds', () => {
    const ends = { from: 0, from_end: false, to: 0, to_end: true, min_s: 0 };
    const limits = [
      { id: 'never', ...ends, max_s: 79 },
      { id: 'mode', ...ends, max_s: 100 },
      { id: 'always', ...ends, max_s: 140 },
    ];
    // The plan itself must be possible: the limits are looked at in the executions only.
    const found = plan(twoTasks(), { seed: 1 });
    if (!found.ok) throw new Error('no plan');
    const options = { seed: 3, executions: 20_000, scatter: 0.2, constraints: limits };
    const steps = planRobustness(twoTasks(), found.value, options);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const holds = step.value.limits.map((one) => one.holds);
    expect([holds[0], holds[2]]).toEqual([0, 1]);
    // A third of the triangle lies below its mode.
    expect(holds[1]).toBeGreaterThan(0.32);
    expect(holds[1]).toBeLessThan(0.347);
  });

  it('wait for least times, and are equal for equal seeds', () => {
    const lag = { id: 'rest', from: 0, from_end: true, to: 1, to_end: false, min_s: 500 };
    const waiting = robustnessOf(twoTasks([{ ...lag, max_s: Number.POSITIVE_INFINITY }]));
    expect(waiting.mean_makespan_s).toBeGreaterThan(700);
    expect(waiting.limits).toEqual([{ id: 'rest', holds: 1 }]);
    expect(robustnessOf(assayProblem())).toEqual(robustnessOf(assayProblem()));
    expect(robustnessOf(assayProblem(), { seed: 2 })).not.toEqual(robustnessOf(assayProblem()));
  });
});
