/**
 * Runs of real toolpaths on an arm that follows exactly: waits, branches, outputs, grids, routines,
 * restarts, loops, pauses (spec §2.2, §3.1; decisions D22, D27 to D29).
 */

import { describe, expect, it } from 'vitest';
import type { Action, Toolpath } from '../../contract/types.ts';
import { planResume } from '../../physics/motion/resume.ts';
import { buildToolpath } from '../../physics/toolpath/build.ts';
import type { LoadedToolpath } from './commands.ts';
import { ADA, AWAY, Bench, HOME } from './ideal-arm.cases.ts';

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
  return { name: 'test', hash: 'cd', program: built.program, metadata };
}

function start(timeline: Action[], options: { loop?: number; extra?: Partial<Toolpath> } = {}) {
  const bench = new Bench().prepare(loaded(timeline, options.extra));
  const loop = options.loop ?? 1;
  expect(bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop })).toBeNull();
  return bench;
}

const output = (bench: Bench, key = 'd0') => bench.robot.memory.io.outputs[key];
const turn = (bench: Bench) => bench.arm.feedback.position_rad[0]!;

function resume(bench: Bench): string | null {
  const { halt } = bench.robot;
  const profile = halt ? planResume({ path: halt.path, s: halt.s, caps: halt.caps }).profile : null;
  return bench.ask({ kind: 'resume', caller: ADA, profile });
}

describe('waits', () => {
  it('holds for the time asked, to the tick', () => {
    const bench = start([toHome, on, wait(1), off]);
    bench.pass(0.996);
    expect(output(bench)).toBe(true);
    bench.pass(0.012);
    expect(output(bench)).toBe(false);
    expect(bench.state).toBe('ready');
  });

  it('does not count a pause', () => {
    const bench = start([toHome, on, wait(1), off]);
    bench.pass(0.5);
    bench.ask({ kind: 'pause', caller: ADA });
    bench.pass(10);
    expect(output(bench)).toBe(true);
    expect(resume(bench)).toBeNull();
    bench.pass(0.4);
    expect(output(bench)).toBe(true);
    bench.pass(0.15);
    expect(output(bench)).toBe(false);
  });

  it('waits for an input however long it takes', () => {
    const bench = start([toHome, { type: 'wait', condition: input(D1, true) }, on]);
    bench.pass(30);
    expect(bench.state).toBe('running');
    bench.ask({ kind: 'inputs', values: { d1: true } });
    bench.pass(0.012);
    expect(output(bench)).toBe(true);
  });

  it('tests an output as it stands', () => {
    const condition = { type: 'output-test', io: D0, value: true } as const;
    const bench = start([toHome, { type: 'wait', condition }, goAway]);
    bench.pass(1);
    expect(turn(bench)).toBe(0);
    bench.ask({ kind: 'globals', caller: ADA, changes: [{ key: 'outputs.d0', value: true }] });
    expect(bench.passUntil('ready')).toBe(true);
    expect(turn(bench)).toBeCloseTo(AWAY[0]!, 6);
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
    const bench = new Bench().prepare(loaded([toHome, branches]));
    bench.ask({ kind: 'inputs', values });
    bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
    expect(bench.passUntil('ready')).toBe(true);
    expect(turn(bench)).toBeCloseTo(end, 6);
    expect(output(bench)).toBe(set);
  });

  it('goes on from wherever the branch left the arm', () => {
    const bench = new Bench().prepare(loaded([toHome, branches, goBack, off]));
    bench.ask({ kind: 'inputs', values: { d0: true } });
    bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
    expect(bench.passUntil('ready')).toBe(true);
    expect(turn(bench)).toBeCloseTo(0, 6);
  });

  it('restarts from the start without counting a loop', () => {
    const again: Action = {
      type: 'if',
      branches: [{ condition: input(D0, true), timeline: [{ type: 'restart' }] }],
    };
    const bench = new Bench().prepare(loaded([toHome, goAway, goBack, again, goAway, goBack]));
    bench.ask({ kind: 'inputs', values: { d0: true } });
    bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
    bench.pass(20);
    expect(bench.state).toBe('running');
    expect(bench.robot.memory.loop_count).toBe(0);
    bench.ask({ kind: 'inputs', values: { d0: false } });
    expect(bench.passUntil('ready')).toBe(true);
    expect(bench.robot.memory.loop_count).toBe(1);
  });
});

describe('routines and loops', () => {
  it('calls a routine whole, in its place', () => {
    const routines = [{ name: 'blink', timeline: [on, wait(0.5), off] }];
    const call = { type: 'call-routine', name: 'blink' } as Action;
    const bench = start([toHome, call, goAway], { extra: { routines } });
    bench.pass(0.3);
    expect(output(bench)).toBe(true);
    expect(turn(bench)).toBe(0);
    expect(bench.passUntil('ready')).toBe(true);
    expect(output(bench)).toBe(false);
  });

  it('goes back to home between loops, not after the last', () => {
    const bench = start([toHome, goAway], { loop: 2 });
    let visits = 0;
    let away = false;
    while (bench.state === 'running') {
      bench.pass(0.004);
      const there = Math.abs(turn(bench) - AWAY[0]!) < 1e-6;
      if (there && !away) visits += 1;
      away = there;
    }
    expect(visits).toBe(2);
    expect(turn(bench)).toBeCloseTo(AWAY[0]!, 6);
  });

  it('approaches home when it starts elsewhere', () => {
    const bench = new Bench();
    bench.arm.feedback.position_rad.set(AWAY);
    bench.ask({ kind: 'stand_at', joints: AWAY });
    bench.prepare(loaded([toHome, on]));
    bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
    bench.pass(0.1);
    expect(output(bench)).toBe(false);
    expect(bench.passUntil('ready')).toBe(true);
    expect(turn(bench)).toBeCloseTo(0, 6);
    expect(output(bench)).toBe(true);
  });

  it('does not hang on a timeline that takes no time', () => {
    const bench = start([toHome, on, off], { loop: 0 });
    bench.pass(1);
    expect(bench.state).toBe('running');
    expect(bench.robot.memory.loop_count).toBeGreaterThan(1000);
  });
});

describe('pause', () => {
  it('stays on the path with bounded jerk and ends where it would have', () => {
    const bench = start([toHome, goAway]);
    const seen: number[][] = [];
    const record = (seconds: number) => {
      for (let t = 0; t < seconds; t += 0.004) {
        bench.pass(0.004);
        seen.push(Array.from(bench.arm.feedback.position_rad));
      }
    };
    record(0.3);
    bench.ask({ kind: 'pause', caller: ADA });
    record(1.5);
    expect(resume(bench)).toBeNull();
    record(4);
    expect(bench.state).toBe('ready');
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

  it('can be followed by a cancel and another motion at once', () => {
    const bench = start([toHome, goAway]);
    bench.pass(0.3);
    bench.ask({ kind: 'pause', caller: ADA });
    expect(bench.ask({ kind: 'cancel', caller: ADA })).toBeNull();
    expect(bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 })).toBeNull();
    expect(bench.passUntil('ready')).toBe(true);
    expect(turn(bench)).toBeCloseTo(AWAY[0]!, 6);
  });
});

describe('the lock in teach mode', () => {
  it('lapses after 5 s and stops the motion on its path', () => {
    const bench = new Bench().prepare(loaded([toHome, goAway, goBack]));
    bench.ask({ kind: 'run', caller: ADA, mode: 'teach', loop: 0 });
    bench.pass(4.9);
    expect(bench.state).toBe('running');
    bench.pass(0.11);
    expect(bench.robot.lockHolder).toBeNull();
    expect(bench.passUntil('ready', 2)).toBe(true);
  });

  it('has five minutes again once the motion is done', () => {
    const bench = new Bench().prepare(loaded([toHome, goAway]));
    bench.ask({ kind: 'run', caller: ADA, mode: 'teach', loop: 1 });
    expect(bench.passUntil('ready', 4)).toBe(true);
    bench.pass(299);
    expect(bench.robot.lockHolder).toEqual(ADA);
    bench.pass(2);
    expect(bench.robot.lockHolder).toBeNull();
  });
});

describe('the daily schedule', () => {
  it('starts at its time whoever holds the lock, and stops after its end', () => {
    const bench = new Bench().prepare(loaded([toHome, goAway, goBack]));
    const times = { start_time: '00:00:10', end_time: '00:00:20' };
    bench.ask({ kind: 'scheduler', caller: ADA, enabled: true, ...times });
    bench.ask({ kind: 'release_lock', caller: ADA });
    bench.pass(9.9);
    expect(bench.state).toBe('ready');
    bench.pass(0.2);
    expect(bench.state).toBe('running');
    expect(bench.robot.snapshot()).toMatchObject({ control: { run_mode: 'automatic' } });
    bench.pass(10);
    expect(bench.state).toBe('stopping');
    expect(bench.passUntil('ready', 5)).toBe(true);
    expect(bench.robot.memory.schedule.next_start_ms).toBe(86_400_000 + 10_000);
  });
});
