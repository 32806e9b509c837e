/** Plans without holding the loop: a little work, then sockets and ticks, then a little more. */
import type { Result } from '../../contract/result.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { type PlanOptions, planning } from './plan/planner.ts';
import type { Plan, PlanFault, PlanProblem } from './plan/problem.ts';

/** Longest stretch of work (ms). The plan does not depend on where it is cut. */
const SLICE_MS = 2;

/** Calls `step` until it answers something else than null, and resolves to that. */
export function patiently<Answer>(wall: WallClock, step: () => Answer | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const slice = () => {
      const end_ms = wall.now_ms() + SLICE_MS;
      try {
        do {
          const answer = step();
          if (answer !== null) {
            resolve(answer);
            return;
          }
        } while (wall.now_ms() < end_ms);
        wall.soon(slice);
      } catch (error) {
        reject(error);
      }
    };
    slice();
  });
}

/** Resolves to what `plan` answers. */
export function planPatiently(
  problem: PlanProblem,
  options: PlanOptions,
  wall: WallClock,
): Promise<Result<Plan, PlanFault>> {
  const steps = planning(problem, options);
  return patiently(wall, () => {
    const { done, value } = steps.next();
    return done ? value : null;
  });
}
