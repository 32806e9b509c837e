/** Plans without holding the loop: a few attempts, then sockets and ticks, then a few more. */
import type { Result } from '../../contract/result.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { type PlanOptions, planning } from './plan/planner.ts';
import type { Plan, PlanFault, PlanProblem } from './plan/problem.ts';

/** Longest stretch of work (ms). The plan does not depend on where it is cut. */
const SLICE_MS = 2;

/** Resolves to what `plan` answers. */
export function planPatiently(
  problem: PlanProblem,
  options: PlanOptions,
  wall: WallClock,
): Promise<Result<Plan, PlanFault>> {
  const steps = planning(problem, options);
  return new Promise((resolve, reject) => {
    const slice = () => {
      const end_ms = wall.now_ms() + SLICE_MS;
      try {
        do {
          const step = steps.next();
          if (step.done) {
            resolve(step.value);
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
