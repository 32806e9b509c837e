/** Planning time: 200 tasks in at most 50 ms, and a small workcell. */
import { createPrng } from '../physics/math/prng.ts';
import { plan } from '../server/workflow/plan/planner.ts';
import { randomProblem } from '../server/workflow/plan/problems.cases.ts';

const ROUNDS = 15;

function measure(name: string, pieces: number, steps: number): void {
  const times: number[] = [];
  let tasks = 0;
  let makespan_s = 0;
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const shape = { pieces, steps, instruments: 8, slots: 2, choice: true };
    const problem = randomProblem(createPrng(seed), shape);
    tasks = problem.tasks.length;
    const before_ms = performance.now();
    const found = plan(problem, { seed });
    times.push(performance.now() - before_ms);
    if (!found.ok) throw new Error(found.error.messages.join('; '));
    makespan_s = found.value.makespan_s;
  }
  times.sort((a, b) => a - b);
  const median_ms = times[Math.floor(times.length / 2)]!;
  const worst_ms = times.at(-1)!;
  console.log(
    `${name}: ${tasks} tasks, median ${median_ms.toFixed(1)} ms, worst ${worst_ms.toFixed(1)} ms ` +
      `(last makespan ${makespan_s} s)`,
  );
}

measure('small workcell', 3, 3);
measure('large workcell', 40, 4);
