import { describe, expect, it } from 'vitest';
import {
  ALLOWED_STATES,
  isAllowed,
  ROBOT_COMMANDS,
  ROBOT_STATES,
  ROBOT_TRIGGERS,
  type RobotState,
  type RobotTrigger,
  stateAfter,
  wrongStateDetails,
} from './robot-states.ts';

/** The table of spec §3.1, row by row, and the decided gaps. */
const transitions: readonly (readonly [RobotState, RobotTrigger, RobotState])[] = [
  ['ready', 'run', 'running'],
  ['ready', 'home', 'running'],
  ['ready', 'go_to', 'running'],
  ['running', 'pause', 'paused'],
  ['stopping', 'pause', 'paused'],
  ['paused', 'resume', 'running'],
  ['paused', 'resume_last_loop', 'stopping'],
  ['paused', 'cancel', 'ready'],
  ['running', 'stop_loop', 'stopping'],
  ['stopping', 'motion_finished', 'ready'],
  ['running', 'motion_finished', 'ready'],
  ['error', 'reset_errors', 'ready'],
  ['collision', 'acknowledge_collision', 'ready'],
  ['ready', 'backdriving_pressed', 'backdriving'],
  ['backdriving', 'backdriving_released', 'ready'],
  ['ready', 'update_started', 'updating'],
  ['updating', 'update_finished', 'ready'],
  ['disabled', 'estop_released', 'ready'],
  ['disabled', 'estop_released_with_error', 'error'],
];

describe('transitions', () => {
  it.each(transitions)('%s + %s -> %s', (state, trigger, next) => {
    expect(stateAfter(state, trigger)).toBe(next);
  });

  it('ignores control calls outside the table', () => {
    const calls = ROBOT_TRIGGERS.slice(0, 9);
    const found = ROBOT_STATES.flatMap((state) =>
      calls.filter((call) => stateAfter(state, call)).map((call) => `${state} ${call}`),
    );
    const known = transitions.map(([state, trigger]) => `${state} ${trigger}`);
    expect(found.filter((row) => !known.includes(row))).toEqual([]);
  });

  it('never leaves shutting_down', () => {
    expect(ROBOT_TRIGGERS.filter((trigger) => stateAfter('shutting_down', trigger))).toEqual([]);
  });

  it('shuts down from every other state', () => {
    const others = ROBOT_STATES.filter((state) => state !== 'shutting_down');
    expect(others.map((state) => stateAfter(state, 'shut_down'))).toEqual(
      others.map(() => 'shutting_down'),
    );
  });

  it('accepts an emergency stop except in updating, disabled and shutting_down', () => {
    const deaf = ROBOT_STATES.filter((state) => stateAfter(state, 'estop_pressed') === null);
    expect(deaf).toEqual(['updating', 'disabled', 'shutting_down']);
  });
});

describe('allowed states', () => {
  it('agree with the transitions for every command that is a trigger', () => {
    for (const command of ROBOT_COMMANDS) {
      const trigger = ROBOT_TRIGGERS.find((name) => name === command);
      if (!trigger || command === 'collision_detection') continue;
      const leading = ROBOT_STATES.filter((state) => stateAfter(state, trigger) !== null);
      expect([command, leading]).toEqual([
        command,
        ROBOT_STATES.filter((state) => isAllowed(command, state)),
      ]);
    }
  });

  it('accept nothing while shutting down', () => {
    const taking = ROBOT_COMMANDS.filter((command) => isAllowed(command, 'shutting_down'));
    expect(taking).toEqual([]);
  });

  it('accept the lock in every other state', () => {
    expect(ALLOWED_STATES.lock).toHaveLength(ROBOT_STATES.length - 1);
  });

  it('appear in the error details', () => {
    expect(wrongStateDetails('pause', 'ready')).toContain('while the robot is ready');
    expect(wrongStateDetails('go_to', 'error')).toContain('Reset hard errors first');
    expect(wrongStateDetails('go_to', 'error')).toContain('/api/v1/controls/reset_errors');
    expect(wrongStateDetails('go_to', 'collision')).toContain('/controls/acknowledge_collision');
  });
});
