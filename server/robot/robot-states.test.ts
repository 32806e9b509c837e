/**
 * Every state × every command, against a table derived from §3.1, §4.4 to §4.6 and
 * decisions D14, D27 to D31. `yes` = done; a name = the row of the error table that refuses.
 */
import { describe, expect, it } from 'vitest';
import { planJointMove } from '../../physics/motion/joint-move.ts';
import type { Command } from './commands.ts';
import { ADA, AWAY, HOME, RobotHarness } from './robot-harness.cases.ts';

const STATES = [
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
type State = (typeof STATES)[number];

const YES = 'yes';
const NO = 'wrong_state';

/** In the order of STATES. */
const EXPECTED: Record<string, readonly string[]> = {
  //                    ready error run pause stop back  upd  dis  shut coll
  run: /*            */ [YES, NO, NO, NO, NO, NO, NO, NO, NO, NO],
  home: /*           */ [YES, NO, NO, NO, NO, NO, NO, NO, NO, NO],
  go_to: /*          */ [YES, NO, NO, NO, NO, NO, NO, NO, NO, NO],
  load: /*           */ [YES, NO, NO, NO, NO, NO, NO, NO, NO, NO],
  unload: /*         */ [YES, NO, NO, NO, NO, NO, NO, NO, NO, NO],
  pause: /*          */ [NO, NO, YES, NO, YES, NO, NO, NO, NO, NO],
  resume: /*         */ [NO, NO, NO, YES, NO, NO, NO, NO, NO, NO],
  cancel: /*         */ [NO, NO, NO, YES, NO, NO, NO, NO, NO, NO],
  stop_loop: /*      */ [NO, NO, YES, NO, NO, NO, NO, NO, NO, NO],
  reset_errors: /*   */ [NO, YES, NO, NO, NO, NO, NO, NO, NO, NO],
  acknowledge: /*    */ [NO, NO, NO, NO, NO, NO, NO, NO, NO, YES],
  scheduler: /*      */ [YES, YES, YES, YES, YES, YES, NO, YES, NO, YES],
  detection: /*      */ [YES, YES, YES, YES, YES, YES, NO, YES, NO, YES],
  globals: /*        */ [YES, YES, YES, YES, YES, YES, NO, NO, NO, YES],
  lock: /*           */ [YES, YES, YES, YES, YES, YES, YES, YES, NO, YES],
  renew_lock: /*     */ [YES, YES, YES, YES, YES, YES, YES, YES, NO, YES],
  release_lock: /*   */ [YES, YES, YES, YES, YES, YES, YES, YES, NO, YES],
};

function reach(state: State): RobotHarness {
  const harness = new RobotHarness().prepare();
  const run = () => harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
  const ways: Record<State, () => void> = {
    ready: () => {},
    error: () => {
      harness.recovers = true;
      harness.arm.feedback.fault = { kind: 'lost', joint: 2, message: 'Joint 3 does not answer' };
      harness.advance(0.004);
      harness.arm.feedback.fault = null;
    },
    running: () => {
      run();
      harness.advance(0.1);
    },
    paused: () => {
      run();
      harness.advance(0.1);
      harness.apply({ kind: 'pause', caller: ADA });
      harness.advance(2);
    },
    stopping: () => {
      run();
      harness.advance(0.1);
      harness.apply({ kind: 'stop_loop', caller: ADA });
    },
    backdriving: () => harness.apply({ kind: 'backdriving', pressed: true }),
    updating: () => harness.apply({ kind: 'begin_update' }),
    disabled: () => harness.apply({ kind: 'estop', engaged: true }),
    shutting_down: () => harness.apply({ kind: 'shut_down' }),
    collision: () => {
      harness.apply({
        kind: 'collision_detection',
        caller: ADA,
        enabled: true,
        sensitivity: 'high',
      });
      run();
      harness.advance(0.1);
      harness.arm.feedback.contact = { joint: 1, at_s: 0.1 };
      harness.advance(0.004);
      harness.arm.feedback.contact = null;
    },
  };
  ways[state]();
  return harness;
}

function commandOf(name: string, harness: RobotHarness): Command {
  const start = Float64Array.from(harness.robot.restPose);
  const end = Float64Array.from(AWAY);
  const caps = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0] as const };
  const { path, profile } = planJointMove({ start, end, caps, waypoints: [] });
  const toolpath = harness.robot.memory.loaded!;
  const byHolder: Record<string, Command> = {
    run: { kind: 'run', caller: ADA, mode: 'automatic', loop: 1 },
    go_to: {
      kind: 'go_to',
      caller: ADA,
      mode: 'automatic',
      motion: { start, path, profile, caps },
    },
    load: { kind: 'load', caller: ADA, toolpath },
    acknowledge: { kind: 'acknowledge_collision', caller: ADA },
    scheduler: { kind: 'scheduler', caller: ADA, enabled: false },
    detection: { kind: 'collision_detection', caller: ADA, enabled: false },
    globals: { kind: 'globals', caller: ADA, changes: [{ key: 'outputs.d0', value: true }] },
    resume: {
      kind: 'resume',
      caller: ADA,
      profile: harness.robot.pausedMotion ? restProfile(harness) : null,
    },
  };
  return byHolder[name] ?? ({ kind: name, caller: ADA } as Command);
}

function restProfile(harness: RobotHarness) {
  const { s } = harness.robot.pausedMotion!;
  return {
    duration_s: 1,
    knots_s: Float64Array.of(0, 1),
    coefficients: Float64Array.of(s, 0, 0, 0),
  };
}

describe('states × commands', () => {
  for (const [name, row] of Object.entries(EXPECTED)) {
    it.each(STATES.map((state, index) => [state, row[index]!] as const))(
      `${name} in %s: %s`,
      (state, expected) => {
        const harness = reach(state);
        expect(harness.state).toBe(state);
        if (name === 'lock' && state !== 'shutting_down') {
          harness.apply({ kind: 'release_lock', caller: ADA });
        }
        const held = JSON.stringify(harness.robot.memory.io);
        const answer = harness.apply(commandOf(name, harness));
        if (name === 'lock' && state === 'shutting_down') expect(answer).toBe('lock_held_by_you');
        else expect(answer ?? YES).toBe(expected);
        if (expected === NO) {
          expect(harness.state).toBe(state);
          expect(JSON.stringify(harness.robot.memory.io)).toBe(held);
        }
      },
    );
  }
});

describe('effects of the commands', () => {
  it('runs and counts the requested loops, then is ready', () => {
    const harness = new RobotHarness().prepare();
    expect(harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 2 })).toBeNull();
    expect(harness.state).toBe('running');
    expect(harness.advanceUntil('ready')).toBe(true);
    const { control } = harness.robot.snapshot() as { control: Record<string, unknown> };
    expect(control).toMatchObject({ loop_count: 2, loop_target: 2, run_mode: 'not_running' });
    expect(Array.from(harness.arm.feedback.position_rad)).toEqual(HOME);
  });

  it('stops after the current loop and can be paused until then', () => {
    const harness = new RobotHarness().prepare();
    harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
    harness.advance(0.3);
    harness.apply({ kind: 'stop_loop', caller: ADA });
    harness.apply({ kind: 'pause', caller: ADA });
    harness.advance(1);
    harness.apply(commandOf('resume', harness));
    expect(harness.state).toBe('stopping');
  });

  it('enters error, keeps the lock and sets the output_on_error', () => {
    const harness = new RobotHarness();
    const toolpath = thereAndBackWithOutput();
    harness.prepare(toolpath);
    harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
    harness.advance(0.1);
    harness.arm.feedback.fault = { kind: 'overheated', joint: 4, message: 'Joint 5 is too hot' };
    harness.recovers = false;
    harness.advance(0.004);
    expect(harness.state).toBe('error');
    expect(harness.robot.memory.io.outputs['d3']).toBe(true);
    expect(harness.robot.lockHolder).toEqual(ADA);
    expect(harness.apply({ kind: 'reset_errors', caller: ADA })).toBe('wrong_state');
    harness.recovers = true;
    expect(harness.apply({ kind: 'reset_errors', caller: ADA })).toBeNull();
    harness.settle();
    expect(harness.state).toBe('ready');
  });

  it.each([
    [false, 'ready'],
    [true, 'error'],
  ])('leaves an emergency stop, pressed while moving: %s, to %s', (moving, next) => {
    const harness = new RobotHarness().prepare();
    if (moving) harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
    harness.advance(0.2);
    harness.apply({ kind: 'estop', engaged: true });
    expect(harness.state).toBe('disabled');
    harness.advance(2);
    harness.apply({ kind: 'estop', engaged: false });
    expect(harness.state).toBe(next);
  });
});

function thereAndBackWithOutput() {
  const toolpath = new RobotHarness().prepare().robot.memory.loaded!;
  const output_on_error = {
    io: { location: 'base', type: 'digital', index: 3 },
    value: true,
  } as const;
  return { ...toolpath, program: { ...toolpath.program, output_on_error } };
}

describe('the refusal while the arm comes to rest', () => {
  const details = (harness: RobotHarness) =>
    harness.robot.refusalOf({ kind: 'reset_errors', caller: ADA })?.details;

  it('names the cause and what to do after the release of an emergency stop', () => {
    const harness = new RobotHarness().prepare();
    harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
    harness.advance(0.2);
    harness.apply({ kind: 'estop', engaged: true });
    expect(details(harness)).toContain('while the robot is disabled');
    harness.apply({ kind: 'estop', engaged: false });
    expect(details(harness)).toBe(
      'reset_errors is not possible yet: the arm still brakes, and the robot leaves disabled ' +
        'when it stands; wait, or advance a stepped clock',
    );
    harness.advance(2);
    expect([harness.state, details(harness)]).toEqual(['error', undefined]);
  });
});

it('the waypoint button emits the pose that the snapshot shows', () => {
  const harness = new RobotHarness();
  harness.arm.feedback.position_rad[0] = -3.5e-19;
  harness.arm.feedback.position_rad[1] = 0.123456789;
  harness.advance(0.05);
  harness.apply({ kind: 'backdriving', pressed: true });
  harness.robot.takeEvents();
  harness.apply({ kind: 'waypoint_button' });
  const event = harness.robot.takeEvents().find(({ kind }) => kind === 'backdriving');
  const { 'servos.telemetry.position': waypoint } = harness.robot.snapshot();
  expect(event).toEqual({ kind: 'backdriving', waypoint });
});
