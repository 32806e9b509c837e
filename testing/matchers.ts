/** Matchers for `expect.extend` of vitest and jest: what tests of arms ask for most. */
import type { RobotEvent } from '../contract/types.ts';
import type { Twin } from '../server/index.ts';

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

function stateOf(twin: Twin): unknown {
  const control = twin.snapshot()['control'] as { readonly state: unknown };
  return control.state;
}

/** The states that events announce, in order. */
export function statesIn(events: readonly RobotEvent[]): readonly string[] {
  return events.flatMap((event) => {
    const state = event.type === 'state_change' ? event.changes.control?.state : undefined;
    return state === undefined ? [] : [state];
  });
}

export const twinMatchers = {
  /** The robot of a twin is in a state. */
  toBeInState(twin: Twin, state: string): Verdict {
    const now = stateOf(twin);
    const pass = now === state;
    return { pass, message: () => `the robot is ${now}, ${pass ? 'not wanted' : `not ${state}`}` };
  },

  /** Every joint stands within a tolerance (rad) of an angle. */
  toStandAt(twin: Twin, joints: readonly number[], tolerance_rad = 1e-3): Verdict {
    const now = twin.snapshot()['servos.telemetry.position'] as readonly number[];
    const off = joints.findIndex((angle, j) => !(Math.abs(angle - now[j]!) <= tolerance_rad));
    const pass = off < 0;
    const message = () =>
      pass
        ? `the arm stands at ${joints.join(', ')}, which was not wanted`
        : `joint ${off} stands at ${now[off]}, not at ${joints[off]} (± ${tolerance_rad})`;
    return { pass, message };
  },

  /** Events announce these states, in this order and no others. */
  toAnnounceStates(events: readonly RobotEvent[], states: readonly string[]): Verdict {
    const seen = statesIn(events);
    const pass = seen.join() === states.join();
    return { pass, message: () => `the events announce ${seen.join(' → ') || 'no state'}` };
  },
};

/** The matchers as methods, for the declarations of a test runner. */
export interface TwinMatchers<Result = unknown> {
  toBeInState(state: string): Result;
  toStandAt(joints: readonly number[], tolerance_rad?: number): Result;
  toAnnounceStates(states: readonly string[]): Result;
}
