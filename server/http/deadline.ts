/**
 * How long a call may take. What has been refused as too late must not be done after all, so the
 * work behind a call can ask whether its time is up.
 */
import type { WallClock } from '../clock/wall-clock.ts';
import { refuse } from '../robot/refusal.ts';
import type { Answer } from './handler.ts';

/** Once it has passed the call has been refused: what was planned for it must not be done. */
export interface Deadline {
  readonly passed: boolean;
}

interface Bounds {
  readonly limit_s: number;
  readonly wall: WallClock;
  readonly deadline: { passed: boolean };
}

/** The work's answer, or a refusal when it takes longer than it may. */
export function withTimeout(
  work: Promise<Answer>,
  { limit_s, wall, deadline }: Bounds,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = wall.afterUnreferenced(limit_s * 1000, () => {
      deadline.passed = true;
      resolve(refuse('timed_out', `Not done within ${limit_s} s`));
    });
    const ending =
      <Value>(end: (value: Value) => void) =>
      (value: Value) => {
        cancel();
        end(value);
      };
    work.then(ending(resolve), ending(reject));
  });
}
