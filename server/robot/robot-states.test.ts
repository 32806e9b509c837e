/**
 * Every state × every command, against a table written by hand from spec §3.1, §4.4 to §4.6 and
 * decisions D14, D27 to D31. `yes` = done; a name = the row of the error table that refuses.
 */
import { describe, expect, it } from 'vitest';
import { planJointMove } from '../../physics/motion/joint-move.ts';
import type { Command } from './commands.ts';
import { ADA, AWAY, Bench, HOME } from './ideal-arm.cases.ts';

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

function reach(state: State): Bench {
  const bench = new Bench().prepare();
  const run = () => bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
  const ways: Record<State, () => void> = {
    ready: () => {},
    error: () => {
      bench.recovers = true;
      bench.arm.feedback.fault = { kind: 'lost', joint: 2, message: 'Joint 3 does not answer' };
      bench.pass(0.004);
      bench.arm.feedback.fault = null;
    },
    running: () => {
      run();
      bench.pass(0.1);
    },
    paused: () => {
      run();
      bench.pass(0.1);
      bench.ask({ kind: 'pause', caller: ADA });
      bench.pass(2);
    },
    stopping: () => {
      run();
      bench.pass(0.1);
      bench.ask({ kind: 'stop_loop', caller: ADA });
    },
    backdriving: () => bench.ask({ kind: 'backdriving', pressed: true }),
    updating: () => bench.ask({ kind: 'begin_update' }),
    disabled: () => bench.ask({ kind: 'estop', engaged: true }),
    shutting_down: () => bench.ask({ kind: 'shut_down' }),
    collision: () => {
      bench.ask({ kind: 'collision_detection', caller: ADA, enabled: true, sensitivity: 'high' });
      run();
      bench.pass(0.1);
      bench.arm.feedback.contact = { joint: 1, at_s: 0.1 };
      bench.pass(0.004);
      bench.arm.feedback.contact = null;
    },
  };
  ways[state]();
  return bench;
}

function commandOf(name: string, bench: Bench): Command {
  const start = Float64Array.from(bench.robot.restPose);
  const end = Float64Array.from(AWAY);
  const caps = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0] as const };
  const { path, profile } = planJointMove({ start, end, caps, waypoints: [] });
  const toolpath = bench.robot.memory.loaded!;
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
    resume: { kind: 'resume', caller: ADA, profile: bench.robot.halt ? restProfile(bench) : null },
  };
  return byHolder[name] ?? ({ kind: name, caller: ADA } as Command);
}

function restProfile(bench: Bench) {
  const { s } = bench.robot.halt!;
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
        const bench = reach(state);
        expect(bench.state).toBe(state);
        if (name === 'lock' && state !== 'shutting_down') {
          bench.ask({ kind: 'release_lock', caller: ADA });
        }
        const held = JSON.stringify(bench.robot.memory.io);
        const answer = bench.ask(commandOf(name, bench));
        if (name === 'lock' && state === 'shutting_down') expect(answer).toBe('lock_held_by_you');
        else expect(answer ?? YES).toBe(expected);
        if (expected === NO) {
          expect(bench.state).toBe(state);
          expect(JSON.stringify(bench.robot.memory.io)).toBe(held);
        }
      },
    );
  }
});

describe('where the commands lead', () => {
  it('runs the loops asked for, counts them and is ready again', () => {
    const bench = new Bench().prepare();
    expect(bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 2 })).toBeNull();
    expect(bench.state).toBe('running');
    expect(bench.passUntil('ready')).toBe(true);
    const { control } = bench.robot.snapshot() as { control: Record<string, unknown> };
    expect(control).toMatchObject({ loop_count: 2, loop_target: 2, run_mode: 'not_running' });
    expect(Array.from(bench.arm.feedback.position_rad)).toEqual(HOME);
  });

  it('stops after the loop under way and can be paused while it does', () => {
    const bench = new Bench().prepare();
    bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
    bench.pass(0.3);
    bench.ask({ kind: 'stop_loop', caller: ADA });
    bench.ask({ kind: 'pause', caller: ADA });
    bench.pass(1);
    bench.ask(commandOf('resume', bench));
    expect(bench.state).toBe('stopping');
  });

  it('goes to error with the lock kept and the output of the toolpath set', () => {
    const bench = new Bench();
    const toolpath = thereAndBackWithOutput();
    bench.prepare(toolpath);
    bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
    bench.pass(0.1);
    bench.arm.feedback.fault = { kind: 'overheated', joint: 4, message: 'Joint 5 is too hot' };
    bench.recovers = false;
    bench.pass(0.004);
    expect(bench.state).toBe('error');
    expect(bench.robot.memory.io.outputs['d3']).toBe(true);
    expect(bench.robot.lockHolder).toEqual(ADA);
    expect(bench.ask({ kind: 'reset_errors', caller: ADA })).toBe('wrong_state');
    bench.recovers = true;
    expect(bench.ask({ kind: 'reset_errors', caller: ADA })).toBeNull();
    expect(bench.state).toBe('ready');
  });

  it.each([
    [false, 'ready'],
    [true, 'error'],
  ])('leaves an emergency stop, pressed while moving: %s, to %s', (moving, next) => {
    const bench = new Bench().prepare();
    if (moving) bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
    bench.pass(0.2);
    bench.ask({ kind: 'estop', engaged: true });
    expect(bench.state).toBe('disabled');
    bench.pass(2);
    bench.ask({ kind: 'estop', engaged: false });
    expect(bench.state).toBe(next);
  });
});

function thereAndBackWithOutput() {
  const toolpath = new Bench().prepare().robot.memory.loaded!;
  const output_on_error = {
    io: { location: 'base', type: 'digital', index: 3 },
    value: true,
  } as const;
  return { ...toolpath, program: { ...toolpath.program, output_on_error } };
}
