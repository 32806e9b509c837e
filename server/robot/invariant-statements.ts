/**
 * Statements about published state and motion that must always hold (decision D29). The invariant
 * monitor evaluates them after every tick and every command.
 */

import type { Feedback } from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { isAllowed, MOTION_STATES, type RobotState } from '../../contract/robot-states.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import type { Caller } from './caller.ts';
import { isTeachMotionActive, type RobotMemory } from './memory.ts';

/** Speed of a joint at rest that only a motion can cause (rad/s): 100 times the threshold. */
export const MOVING_RAD_S = 0.1;
/** Longest time that a servo arm needs to find that a drive failed: 200 ms. */
const DRIFT_TICKS = 50;
/** Tolerance of speed limits for tracking and rounding. */
export const SPEED_SLACK = 1.02;
/** Largest distance of a setpoint from its path (rad): ten times that of a stale start. */
export const PATH_TOLERANCE_RAD = 1e-5;

/** An event of the stream and its audience (§6.1); `receiver` is null when it is published. */
export interface EventDelivery {
  readonly type: string;
  readonly audience: {
    readonly kind: string;
    readonly user_id?: number;
    readonly token_id?: number;
  };
  readonly receiver: Pick<Caller, 'user_id' | 'token_id'> | null;
}

/** The events that not everyone receives (§6.1), with their audiences. */
const PRIVATE_EVENTS: Readonly<Record<string, 'user_id' | 'token_id'>> = {
  toolpath_created: 'user_id',
  toolpath_updated: 'user_id',
  toolpath_deleted: 'user_id',
  toolpath_shared: 'user_id',
  backdriving: 'token_id',
};
/** What the statements read; one object, updated in place. */
export interface View {
  memory: Readonly<RobotMemory>;
  feedback: Feedback;
  tick: number;
  isMoving: boolean;
  /** Whether the arm stood at the end of the last two ticks: a transition reads the earlier one. */
  stood: [earlier: boolean, last: boolean];
  /** Ticks without a change of setpoints. */
  still_ticks: number;
  /** Ticks in a row in which a joint moves although the robot is at rest. */
  drift_ticks: number;
  /** The state that the last evaluation saw. */
  before: RobotState;
  loops_before: number;
  /** True once the simulated world acted on the arm: then it may move at rest. */
  isDisturbed: boolean;
  /** Speed of the flange at the last sample (m/s). */
  flange_m_s: number;
  /** Speed of the flange's setpoint at the last sample (m/s). */
  flangeSetpoint_m_s: number;
  /** Joint whose reference is too fast, or -1. */
  fastJoint: number;
  /** Distance of the setpoint from the planned path (rad); 0 within the tolerance. */
  offPath_rad: number;
  /** Difference between the snapshot and what the stream published; null for none. */
  streamProblem: string | null;
  /** The event that is published or received; null outside the hub. */
  delivery: EventDelivery | null;
  /** The published state; null while no client subscribes or none was published. */
  published: unknown;
}

/** Speed of the fastest joint (rad/s). */
export function fastestJoint_rad_s({ velocity_rad_s }: Feedback): number {
  let fastest = 0;
  for (let j = 0; j < 6; j++) fastest = Math.max(fastest, Math.abs(velocity_rad_s[j]!));
  return fastest;
}

/** The states in which the arm stands. */
export const isStationary = (state: RobotState) => state === 'ready' || state === 'paused';

function speedText({ feedback }: View): string {
  return `a joint moves at ${fastestJoint_rad_s(feedback).toFixed(3)} rad/s`;
}

function flangeCap_m_s({ activity }: View['memory']): number {
  return activity?.mode === 'teach' ? limits.speed_teach_m_per_s : limits.speed_automatic_m_per_s;
}

/** A statement's published side, and what contradicts it. */
export type StatementRow = readonly [
  left: (view: View) => string,
  right: (view: View) => string | null,
];

/** Who else than the audience of an event gets it, or null. */
function audienceProblem({ delivery, memory }: View): string | null {
  if (delivery === null) return null;
  const { type, audience, receiver } = delivery;
  const key = PRIVATE_EVENTS[type];
  if (key === undefined) return audience.kind === 'everyone' ? null : 'only some receive it';
  const owner = audience[key];
  if (owner === undefined) return 'everyone receives it';
  if (receiver !== null) return receiver[key] === owner ? null : `user ${receiver.user_id} got it`;
  const isHolder = key === 'user_id' || memory.lock?.holder.token_id === owner;
  return isHolder ? null : 'the receiver does not hold the lock';
}

const stateOf = ({ memory }: View) => memory.state;

/** Each statement: the published side, and what contradicts it, or null where it holds. */
export const STATEMENTS = {
  'ready and paused are entered at standstill': [
    stateOf,
    (view) => {
      const { memory, before, stood } = view;
      const isEntered = isStationary(memory.state) && before !== memory.state;
      return isEntered && !stood.includes(true) ? speedText(view) : null;
    },
  ],
  'ready and paused have no motion': [
    stateOf,
    (view) => {
      if (!isStationary(view.memory.state)) return null;
      if (view.isMoving) return 'setpoints change';
      const isDrifting = !view.isDisturbed && view.drift_ticks > DRIFT_TICKS;
      return isDrifting ? speedText(view) : null;
    },
  ],
  'running, stopping and paused have an activity, other states none': [
    stateOf,
    ({ memory: { state, activity } }) =>
      MOTION_STATES.includes(state) === (activity !== null)
        ? null
        : `the activity is ${activity?.kind ?? 'none'}`,
  ],
  'a motion that runs moves, waits or comes to rest': [
    stateOf,
    ({ memory: { state, activity, ending, awaited }, still_ticks }) => {
      if (state !== 'running' || still_ticks < 2 || ending || awaited) return null;
      return activity?.kind === 'run' ? null : 'nothing moves and nothing is awaited';
    },
  ],
  'a teach-mode motion has an owner or is being dropped': [
    ({ memory }) => (memory.lock ? 'locked' : 'unlocked'),
    ({ memory }) =>
      memory.lock || memory.ending === 'motion_dropped' || !isTeachMotionActive(memory)
        ? null
        : 'a teach-mode motion is active',
  ],
  'a held lock is not expired': [
    ({ memory }) => (memory.lock ? 'locked' : 'unlocked'),
    ({ memory: { lock }, tick }) =>
      lock && lock.expires_tick < tick - 1 ? `expired at tick ${lock.expires_tick}` : null,
  ],
  'the flange keeps to the cap of the mode': [
    ({ memory }) => memory.activity?.mode ?? 'not_running',
    ({ memory, flange_m_s, flangeSetpoint_m_s, isDisturbed }) => {
      const speed_m_s = isDisturbed ? flangeSetpoint_m_s : Math.max(flange_m_s, flangeSetpoint_m_s);
      return memory.activity && speed_m_s > SPEED_SLACK * flangeCap_m_s(memory)
        ? `the flange moves at ${speed_m_s.toFixed(3)} m/s`
        : null;
    },
  ],
  'setpoints keep to the joint speeds': [
    stateOf,
    ({ fastJoint }) =>
      fastJoint < 0 ? null : `the setpoint of ${jointName(fastJoint)} is too fast`,
  ],
  'setpoints lie on the planned path': [
    stateOf,
    ({ offPath_rad }) => (offPath_rad > 0 ? `${offPath_rad.toExponential(1)} rad beside it` : null),
  ],
  'loops are counted one by one, up to the target': [
    ({ memory }) => `loop ${memory.loop_count} of ${memory.loop_target}`,
    ({ memory: { loop_count, loop_target }, loops_before }) => {
      if (loop_target > 0 && loop_count > loop_target) return 'the target is exceeded';
      return loop_count >= loops_before || loop_count === 0 ? null : `before: ${loops_before}`;
    },
  ],
  'an error has a cause': [
    stateOf,
    ({ memory }) => (memory.state === 'error' && memory.error === null ? 'no cause' : null),
  ],
  'an emergency stop disables the robot': [
    stateOf,
    ({ memory: { state, estop } }) => {
      const isExempt = state === 'disabled' || state === 'updating' || state === 'shutting_down';
      return estop && !isExempt ? 'the emergency stop is pressed' : null;
    },
  ],
  'an awaited command is allowed': [
    stateOf,
    ({ memory: { awaited, state } }) =>
      awaited && !isAllowed(awaited, state) ? `${awaited} is awaited` : null,
  ],
  'the stream and the snapshot agree': [
    ({ published }) => String(published),
    ({ published, memory }) =>
      published === null || published === memory.state ? null : memory.state,
  ],
  'the changes on the stream add up to the snapshot': [
    stateOf,
    ({ streamProblem }) => streamProblem,
  ],
  'an event reaches its audience alone': [
    ({ delivery }) => delivery?.type ?? '',
    (view) => audienceProblem(view),
  ],
} as const satisfies Readonly<Record<string, StatementRow>>;
