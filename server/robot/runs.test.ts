/**
 * Runs of toolpaths on an ideal arm: waits, branches, outputs, grids, routines,
 * restarts, loops, pauses (§2.2, §3.1; decisions D22, D27 to D29).
 */
import { describe, expect, it } from 'vitest';
import type { Action, Toolpath } from '../../contract/types.generated.ts';
import { planResume } from '../../physics/motion/resume.ts';
import { buildToolpath } from '../../physics/toolpath/build.ts';
import { END_OF_LOOP, type ProgramStep } from '../../physics/toolpath/program.ts';
import { createIo, readInput } from './io.ts';
import type { LoadedToolpath } from './loaded-toolpath.ts';
import {
  ADA,
  AWAY,
  HOME,
  moveStep,
  NO_SOURCE,
  RobotHarness,
  toolpathOf,
} from './robot-harness.cases.ts';

const D0 = { location: 'base', type: 'digital', index: 0 } as const;
const D1 = { location: 'base', type: 'digital', index: 1 } as const;

const toHome: Action = { type: 'home', waypoint_id: 0 };
const goAway: Action = { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1 };
const goBack: Action = { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0 };
const on: Action = { type: 'output-set', io: D0, value: true };
const off: Action = { type: 'output-set', io: D0, value: false };
const wait = (duration: number): Action => ({
  type: 'wait',
  condition: { type: 'time', duration },
});
const input = (io: typeof D0 | typeof D1, value: boolean) =>
  ({ type: 'input', io, value }) as const;

function loaded(timeline: Action[], extra: Partial<Toolpath> = {}): LoadedToolpath {
  const metadata: Toolpath['metadata'] = {
    version: 2,
    default_max_speed: 0.5,
    analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    next_label_id: 3,
    payload: 0,
  };
  const waypoints = [HOME, AWAY].map((joints, index) => ({
    label_id: index + 1,
    joints: joints as Toolpath['waypoints'][number]['joints'],
  }));
  const toolpath: Toolpath = { metadata, timeline, waypoints, ...extra };
  const built = buildToolpath(toolpath, { program: true, trajectory: false });
  if (built.kind !== 'built' || !built.program) throw new Error(JSON.stringify(built));
  return { name: 'test', hash: 'cd', program: built.program, source: NO_SOURCE, metadata };
}

function start(timeline: Action[], options: { loop?: number; extra?: Partial<Toolpath> } = {}) {
  const harness = new RobotHarness().prepare(loaded(timeline, options.extra));
  const loop = options.loop ?? 1;
  expect(harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop })).toBeNull();
  return harness;
}

const output = (harness: RobotHarness, key = 'd0') => harness.robot.memory.io.outputs[key];
const turn = (harness: RobotHarness) => harness.arm.feedback.position_rad[0]!;

function resume(harness: RobotHarness): string | null {
  const { pausedMotion: paused } = harness.robot;
  const profile = paused
    ? planResume({ path: paused.path, s: paused.s, caps: paused.caps }).profile
    : null;
  return harness.apply({ kind: 'resume', caller: ADA, profile });
}

describe('waits', () => {
  it('wait for the requested time, exact to the tick', () => {
    const harness = start([toHome, on, wait(1), off]);
    harness.advance(0.996);
    expect(output(harness)).toBe(true);
    harness.advance(0.012);
    expect(output(harness)).toBe(false);
    expect(harness.state).toBe('ready');
  });

  it('do not count a pause', () => {
    const harness = start([toHome, on, wait(1), off]);
    harness.advance(0.5);
    harness.apply({ kind: 'pause', caller: ADA });
    harness.advance(10);
    expect(output(harness)).toBe(true);
    expect(resume(harness)).toBeNull();
    harness.advance(0.4);
    expect(output(harness)).toBe(true);
    harness.advance(0.15);
    expect(output(harness)).toBe(false);
  });

  it('wait for an input without a time limit', () => {
    const harness = start([toHome, { type: 'wait', condition: input(D1, true) }, on]);
    harness.advance(30);
    expect(harness.state).toBe('running');
    harness.apply({ kind: 'inputs', values: { d1: true } });
    harness.advance(0.012);
    expect(output(harness)).toBe(true);
  });

  it('test the present value of an output', () => {
    const condition = { type: 'output-test', io: D0, value: true } as const;
    const harness = start([toHome, { type: 'wait', condition }, goAway]);
    harness.advance(1);
    expect(turn(harness)).toBe(0);
    harness.apply({ kind: 'globals', caller: ADA, changes: [{ key: 'outputs.d0', value: true }] });
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(turn(harness)).toBeCloseTo(AWAY[0]!, 6);
  });
});

describe('branches', () => {
  const branches: Action = {
    type: 'if',
    branches: [
      { condition: input(D0, true), timeline: [goAway, on] },
      { condition: input(D1, true), timeline: [on] },
    ],
  };

  it.each([
    [{ d0: true, d1: true }, AWAY[0]!, true],
    [{ d0: false, d1: true }, 0, true],
    [{ d0: false, d1: false }, 0, false],
  ])('with %o ends at %d', (values, end, set) => {
    const harness = new RobotHarness().prepare(loaded([toHome, branches]));
    harness.apply({ kind: 'inputs', values });
    harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(turn(harness)).toBeCloseTo(end, 6);
    expect(output(harness)).toBe(set);
  });

  it('continue from the pose at the end of the branch', () => {
    const harness = new RobotHarness().prepare(loaded([toHome, branches, goBack, off]));
    harness.apply({ kind: 'inputs', values: { d0: true } });
    harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(turn(harness)).toBeCloseTo(0, 6);
  });

  it('restart from the start without counting a loop', () => {
    const again: Action = {
      type: 'if',
      branches: [{ condition: input(D0, true), timeline: [{ type: 'restart' }] }],
    };
    const harness = new RobotHarness().prepare(
      loaded([toHome, goAway, goBack, again, goAway, goBack]),
    );
    harness.apply({ kind: 'inputs', values: { d0: true } });
    harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
    harness.advance(20);
    expect(harness.state).toBe('running');
    expect(harness.robot.memory.loop_count).toBe(0);
    harness.apply({ kind: 'inputs', values: { d0: false } });
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(harness.robot.memory.loop_count).toBe(1);
  });
});

describe('routines and loops', () => {
  it('run a called routine completely, at the call', () => {
    const routines = [{ name: 'blink', timeline: [on, wait(0.5), off] }];
    const call = { type: 'call-routine', name: 'blink' } as Action;
    const harness = start([toHome, call, goAway], { extra: { routines } });
    harness.advance(0.3);
    expect(output(harness)).toBe(true);
    expect(turn(harness)).toBe(0);
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(output(harness)).toBe(false);
  });

  it('return to home between loops, not after the last', () => {
    const harness = start([toHome, goAway], { loop: 2 });
    let visits = 0;
    let away = false;
    while (harness.state === 'running') {
      harness.advance(0.004);
      const there = Math.abs(turn(harness) - AWAY[0]!) < 1e-6;
      if (there && !away) visits += 1;
      away = there;
    }
    expect(visits).toBe(2);
    expect(turn(harness)).toBeCloseTo(AWAY[0]!, 6);
  });

  it('approach home when the arm is elsewhere', () => {
    const harness = new RobotHarness();
    harness.arm.feedback.position_rad.set(AWAY);
    harness.apply({ kind: 'stand_at', joints: AWAY });
    harness.prepare(loaded([toHome, on]));
    harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
    harness.advance(0.1);
    expect(output(harness)).toBe(false);
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(turn(harness)).toBeCloseTo(0, 6);
    expect(output(harness)).toBe(true);
  });

  it('do not hang on a timeline without duration', () => {
    const harness = start([toHome, on, off], { loop: 0 });
    harness.advance(1);
    expect(harness.state).toBe('running');
    expect(harness.robot.memory.loop_count).toBeGreaterThan(1000);
  });
});

describe('pause', () => {
  it('stays on the path with bounded jerk and reaches the planned end', () => {
    const harness = start([toHome, goAway]);
    const seen: number[][] = [];
    const record = (seconds: number) => {
      for (let t = 0; t < seconds; t += 0.004) {
        harness.advance(0.004);
        seen.push(Array.from(harness.arm.feedback.position_rad));
      }
    };
    record(0.3);
    harness.apply({ kind: 'pause', caller: ADA });
    record(1.5);
    expect(resume(harness)).toBeNull();
    record(4);
    expect(harness.state).toBe('ready');
    const along = (q: number[]) => q.map((angle, j) => angle - HOME[j]!);
    const way = along(AWAY);
    for (const q of seen) {
      const share = along(q)[0]! / way[0]!;
      for (let j = 0; j < 6; j++) expect(along(q)[j]!).toBeCloseTo(share * way[j]!, 9);
    }
    const accelerations = seen
      .slice(2)
      .map((q, i) => (q[0]! - 2 * seen[i + 1]![0]! + seen[i]![0]!) / 0.004 ** 2);
    expect(Math.max(...accelerations.map(Math.abs))).toBeLessThan(12.1);
  });
});

describe('the lock in teach mode', () => {
  it('expires after 5 s and stops the motion on its path', () => {
    const harness = new RobotHarness().prepare(loaded([toHome, goAway, goBack]));
    harness.apply({ kind: 'run', caller: ADA, mode: 'teach', loop: 0 });
    harness.advance(4.9);
    expect(harness.state).toBe('running');
    harness.advance(0.11);
    expect(harness.robot.lockHolder).toBeNull();
    expect(harness.advanceUntil('ready', 2)).toBe(true);
  });

  it('expires after five minutes again when the motion is complete', () => {
    const harness = new RobotHarness().prepare(loaded([toHome, goAway]));
    harness.apply({ kind: 'run', caller: ADA, mode: 'teach', loop: 1 });
    expect(harness.advanceUntil('ready', 4)).toBe(true);
    harness.advance(299);
    expect(harness.robot.lockHolder).toEqual(ADA);
    harness.advance(2);
    expect(harness.robot.lockHolder).toBeNull();
  });
});

describe('the daily schedule', () => {
  it('starts at its time regardless of the lock, and stops after its end', () => {
    const harness = new RobotHarness().prepare(loaded([toHome, goAway, goBack]));
    const times = { start_time: '00:00:10', end_time: '00:00:20' };
    harness.apply({ kind: 'scheduler', caller: ADA, enabled: true, ...times });
    harness.apply({ kind: 'release_lock', caller: ADA });
    harness.advance(9.9);
    expect(harness.state).toBe('ready');
    harness.advance(0.2);
    expect(harness.state).toBe('running');
    expect(harness.robot.snapshot()).toMatchObject({ control: { run_mode: 'automatic' } });
    harness.advance(10);
    expect(harness.state).toBe('stopping');
    expect(harness.advanceUntil('ready', 5)).toBe(true);
    expect(harness.robot.memory.schedule.next_start_ms).toBe(86_400_000 + 10_000);
  });
});

describe('the steps of a run', () => {
  const STILL = { location: 'base', type: 'analog', index: 1 } as const;
  const outputStep = (next: number): ProgramStep => ({
    kind: 'output',
    io: D0,
    value: true,
    next,
    at: '/timeline/1',
    cell: [],
  });

  function started(toolpath: LoadedToolpath, mode: 'automatic' | 'teach' = 'automatic') {
    const harness = new RobotHarness().prepare(toolpath);
    expect(harness.apply({ kind: 'run', caller: ADA, mode, loop: 0 })).toBeNull();
    return harness;
  }

  it('without duration are taken in the tick in which the run is ready again', () => {
    const harness = start([toHome, on]);
    harness.advance(0.004);
    expect([harness.state, output(harness)]).toEqual(['ready', true]);
  });

  it('without duration are at most 64 in a tick', () => {
    // A loop of an output takes two steps: the output, and the end of the loop.
    const harness = started(toolpathOf([outputStep(END_OF_LOOP)]));
    harness.advance(0.004);
    expect(harness.robot.memory.loop_count).toBe(32);
    harness.advance(0.004);
    expect(harness.robot.memory.loop_count).toBe(64);
  });

  it('are named by the action that goes on, also during the return home', () => {
    const at = () => harness.robot.memory.activity?.at;
    const way = moveStep(HOME, AWAY, 1);
    const back = moveStep(AWAY, HOME, 0);
    if (back.kind !== 'move') throw new Error('a move is needed');
    const { move } = back;
    const harness = started(toolpathOf([way, { kind: 'return', move, at: '/return', cell: [] }]));
    expect(at()).toBe('');
    harness.advance(0.1);
    expect(at()).toBe('/timeline/1');
    while (harness.robot.memory.loop_count === 0) harness.advance(0.004);
    expect([harness.robot.plannedPath === move.path, at()]).toEqual([true, '/timeline/1']);
  });

  it.each([
    ['automatic', 1.5, 1.5],
    ['automatic', 0.1, 0.1],
    ['automatic', 9, 1.5],
    ['teach', 1.5, 0.25],
    ['teach', 0.1, 0.1],
  ] as const)('stop below the speed of mode and toolpath: %s, %d m/s', (mode, wanted, cap) => {
    const step = moveStep(HOME, AWAY, END_OF_LOOP);
    if (step.kind !== 'move') throw new Error('a move is needed');
    const move = { ...step.move, tool_speed_m_s: wanted };
    const harness = started(toolpathOf([{ ...step, move }]), mode);
    harness.advance(0.1);
    harness.apply({ kind: 'pause', caller: ADA });
    harness.settle();
    expect(harness.robot.pausedMotion?.caps).toMatchObject({
      tool_speed_m_s: cap,
      tool_offset_m: [0, 0, 0],
      payload_kg: 0,
      timing: null,
    });
  });

  it('read the noise of an open input as the snapshot shows it', () => {
    const io = createIo();
    const readings = Array.from({ length: 12 }, (_, s) => Number(readInput(io, 'a1', 250 * s, 1)));
    const noisiest = readings.indexOf(Math.max(...readings));
    expect(noisiest).toBeGreaterThan(1);
    const second = Math.max(...readings.filter((_, index) => index !== noisiest));
    const thresholds = { lower: 0, upper: (readings[noisiest]! + second) / 2 };
    const condition = { type: 'input', io: STILL, operator: 'above', thresholds } as const;
    const harness = start([toHome, { type: 'wait', condition }, on]);
    harness.advance(noisiest);
    expect(output(harness)).toBe(false);
    harness.advance(0.004);
    expect(output(harness)).toBe(true);
  });

  it('are none where the state of a file has no toolpath', () => {
    const { robot, tick } = start([toHome, goAway]);
    const state = robot.save(tick);
    const harness = new RobotHarness();
    harness.robot.restore({ ...state, memory: { ...state.memory, loaded: null } }, 0);
    harness.advance(0.02);
    expect([harness.state, harness.robot.isMoving]).toEqual(['running', false]);
    expect([harness.robot.idle, harness.robot.nextDeadline_tick]).toEqual([false, 75_000]);
  });
});
