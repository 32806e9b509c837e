/**
 * The state machine of the robot as data (spec §3.1). The robot follows it, the viewer disables
 * buttons by it, and a test enumerates states × triggers.
 */

export const ROBOT_STATES = [
  'ready',
  'error',
  'running',
  'paused',
  'stopping',
  'backdriving',
  'updating',
  'disabled',
  'shutting_down',
  'collision',
] as const;

/** The value of `control.state`. */
export type RobotState = (typeof ROBOT_STATES)[number];

/**
 * Everything that changes the state. The first nine are control calls. Two pairs name one cause
 * with two outcomes: only the robot knows whether the pause began in the last loop, and whether an
 * error or an interrupted motion preceded the emergency stop.
 */
export const ROBOT_TRIGGERS = [
  'run',
  'home',
  'go_to',
  'pause',
  'resume',
  'cancel',
  'stop_loop',
  'reset_errors',
  'acknowledge_collision',
  'resume_last_loop',
  'motion_finished',
  'motion_dropped',
  'fault',
  'collision',
  'estop_pressed',
  'estop_released',
  'estop_released_with_error',
  'backdriving_pressed',
  'backdriving_released',
  'update_started',
  'update_finished',
  'shut_down',
] as const;

export type RobotTrigger = (typeof ROBOT_TRIGGERS)[number];

type Transitions = { readonly [trigger in RobotTrigger]?: RobotState };

/** Transitions that nearly every state shares. */
const INTERRUPTIONS = {
  fault: 'error',
  estop_pressed: 'disabled',
  shut_down: 'shutting_down',
} as const;

/**
 * The transition table. `motion_dropped`: a motion is aborted without an error, for example when
 * the lock is lost in teach mode; a running motion first stops on its path. An emergency stop that
 * is pressed during an update takes effect when the update has finished.
 */
const TRANSITIONS: { readonly [state in RobotState]: Transitions } = {
  ready: {
    ...INTERRUPTIONS,
    run: 'running',
    home: 'running',
    go_to: 'running',
    collision: 'collision',
    backdriving_pressed: 'backdriving',
    update_started: 'updating',
  },
  running: {
    ...INTERRUPTIONS,
    pause: 'paused',
    stop_loop: 'stopping',
    motion_finished: 'ready',
    motion_dropped: 'ready',
    collision: 'collision',
  },
  stopping: {
    ...INTERRUPTIONS,
    pause: 'paused',
    motion_finished: 'ready',
    motion_dropped: 'ready',
    collision: 'collision',
  },
  paused: {
    ...INTERRUPTIONS,
    resume: 'running',
    resume_last_loop: 'stopping',
    cancel: 'ready',
    motion_dropped: 'ready',
    collision: 'collision',
  },
  error: { ...INTERRUPTIONS, reset_errors: 'ready' },
  collision: { ...INTERRUPTIONS, acknowledge_collision: 'ready' },
  backdriving: { ...INTERRUPTIONS, backdriving_released: 'ready' },
  updating: { update_finished: 'ready', shut_down: 'shutting_down' },
  disabled: {
    estop_released: 'ready',
    estop_released_with_error: 'error',
    shut_down: 'shutting_down',
  },
  shutting_down: {},
};

/** The state that a trigger leads to, or null when the state ignores it. */
export function stateAfter(state: RobotState, trigger: RobotTrigger): RobotState | null {
  return TRANSITIONS[state][trigger] ?? null;
}

/** States in which a planned motion exists, moving or paused. */
export const MOTION_STATES: readonly RobotState[] = ['running', 'paused', 'stopping'];

/** The commands whose acceptance depends on the state of the robot. */
export const ROBOT_COMMANDS = [
  'run',
  'home',
  'go_to',
  'pause',
  'resume',
  'cancel',
  'stop_loop',
  'reset_errors',
  'acknowledge_collision',
  'use',
  'scheduler',
  'collision_detection',
  'globals',
  'lock',
  'update',
] as const;

export type RobotCommand = (typeof ROBOT_COMMANDS)[number];

function allBut(...refusing: readonly RobotState[]): readonly RobotState[] {
  return ROBOT_STATES.filter((state) => !refusing.includes(state));
}

/** The states in which the robot accepts each command. */
export const ALLOWED_STATES: { readonly [command in RobotCommand]: readonly RobotState[] } = {
  run: ['ready'],
  home: ['ready'],
  go_to: ['ready'],
  pause: ['running', 'stopping'],
  resume: ['paused'],
  cancel: ['paused'],
  stop_loop: ['running'],
  reset_errors: ['error'],
  acknowledge_collision: ['collision'],
  use: ['ready'],
  scheduler: allBut('updating', 'shutting_down'),
  collision_detection: allBut('updating', 'shutting_down'),
  globals: allBut('updating', 'disabled', 'shutting_down'),
  lock: allBut('shutting_down'),
  update: ['ready'],
};

/** Whether the robot accepts a command in a state. */
export function isAllowed(command: RobotCommand, state: RobotState): boolean {
  return ALLOWED_STATES[command].includes(state);
}

/**
 * The details of ERROR_WRONG_STATE: the command, the state, and the states that allow it. A robot
 * that `isLeaving` the state only waits for the arm to stand.
 */
export function wrongStateDetails(
  command: RobotCommand,
  state: RobotState,
  isLeaving = false,
): string {
  if (isLeaving) {
    const cause = `the arm still brakes, and the robot leaves ${state} when it stands`;
    return `${command} is not possible yet: ${cause}; wait, or advance a stepped clock`;
  }
  if (state === 'error') {
    const call = 'POST /api/v1/controls/reset_errors';
    return `Reset hard errors first (${call}): ${command} is not possible in error`;
  }
  if (state === 'collision') {
    const call = 'POST /api/v1/controls/acknowledge_collision';
    return `Acknowledge the collision first (${call}): ${command} is not possible in collision`;
  }
  const fitting = ALLOWED_STATES[command].join(', ');
  return `${command} is not possible while the robot is ${state}; it needs: ${fitting}`;
}
