/** Matchers for `expect.extend` of Vitest and Jest. */
import type { RobotEvent } from '../contract/types.ts';
import type { Twin } from '../server/index.ts';

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

function stateOf(twin: Twin): unknown {
  const control = twin.snapshot()['control'] as { readonly state: unknown };
  return control.state;
}

/** The robot states in the events, in order. */
export function statesIn(events: readonly RobotEvent[]): readonly string[] {
  return events.flatMap((event) => {
    const state = event.type === 'state_change' ? event.changes.control?.state : undefined;
    return state === undefined ? [] : [state];
  });
}

export const twinMatchers = {
  /** The robot of a twin is in a state. */
  toBeInState(twin: Twin, state: string): MatcherResult {
    const now = stateOf(twin);
    const pass = now === state;
    return {
      pass,
      message: () => `the robot is ${now}, ${pass ? 'but should not be' : `not ${state}`}`,
    };
  },

  /** Every joint is within a tolerance (rad) of an angle. */
  toStandAt(twin: Twin, joints: readonly number[], tolerance_rad = 1e-3): MatcherResult {
    const now = twin.snapshot()['servos.telemetry.position'] as readonly number[];
    const off = joints.findIndex((angle, j) => !(Math.abs(angle - now[j]!) <= tolerance_rad));
    const pass = off < 0;
    const message = () =>
      pass
        ? `the arm is at ${joints.join(', ')}, but should not be`
        : `joint ${off} is at ${now[off]}, not at ${joints[off]} (± ${tolerance_rad})`;
    return { pass, message };
  },

  /** The events contain exactly these states, in this order. */
  toAnnounceStates(events: readonly RobotEvent[], states: readonly string[]): MatcherResult {
    const seen = statesIn(events);
    const pass = seen.join() === states.join();
    return { pass, message: () => `the events announce ${seen.join(' → ') || 'no state'}` };
  },
};

/** The matchers as methods, for type declarations of a test runner. */
export interface TwinMatchers<Result = unknown> {
  toBeInState(state: string): Result;
  toStandAt(joints: readonly number[], tolerance_rad?: number): Result;
  toAnnounceStates(states: readonly string[]): Result;
}
