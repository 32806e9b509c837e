import type { Result } from '../../contract/result.ts';
import { runCooperatively } from '../../server/clock/turns.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import { type PlanOptions, planSteps } from './planner.ts';
import type { Plan, PlanFault, PlanProblem } from './problem.ts';

/** Like `plan`, without blocking the event loop. */
export function planCooperatively(
  problem: PlanProblem,
  options: PlanOptions,
  wall: WallClock,
): Promise<Result<Plan, PlanFault>> {
  const steps = planSteps(problem, options);
  return runCooperatively(wall, () => {
    const { done, value } = steps.next();
    return done ? value : null;
  });
}
