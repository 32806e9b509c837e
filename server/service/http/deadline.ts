import { refuse } from '../../../contract/refusal.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { Answer } from './reply.ts';

/** The time limit of a call. Once it has passed the call is refused and must have no effect. */
export interface Deadline {
  readonly passed: boolean;
  /** The client has closed its connection and waits for no answer. */
  readonly isLeft: boolean;
  /** The effect has begun: the call is answered by its outcome, not by the time limit. */
  isCommitted: boolean;
}

/** A deadline as those see it who end the call or its time. */
export type OpenDeadline = { -readonly [Name in keyof Deadline]: Deadline[Name] };

/** The deadline of a call that begins. */
export function openDeadline(): OpenDeadline {
  return { passed: false, isLeft: false, isCommitted: false };
}

/**
 * Whether no client waits for the answer any more: its time is over, or the client has left. A
 * clock that goes on for hours would hold up every other call that advances it.
 */
export function isUnawaited({ passed, isLeft }: Deadline): boolean {
  return passed || isLeft;
}

interface TimeoutOptions {
  readonly limit_s: number;
  readonly wall: WallClock;
  readonly deadline: Pick<OpenDeadline, 'passed' | 'isCommitted'>;
}

/** The result of the work, or a refusal when it takes longer than the limit. */
export function withTimeout(
  work: Promise<Answer>,
  { limit_s, wall, deadline }: TimeoutOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = wall.afterUnreferenced(limit_s * 1000, () => {
      if (deadline.isCommitted) return;
      deadline.passed = true;
      resolve(refuse('timed_out', `Not done within ${limit_s} s`));
    });
    const settle =
      <Value>(end: (value: Value) => void) =>
      (value: Value) => {
        cancel();
        end(value);
      };
    work.then(settle(resolve), settle(reject));
  });
}
