/**
 * The robot as its loop and its readers see it: setpoints, events, ticks that may be skipped, the
 * snapshot of the wire (§2.10), and the complete state of resets and recordings.
 */
import { describe, expect, it } from 'vitest';
import type { Feedback } from '../../bridge/arm-driver.ts';
import { planResume } from '../../physics/motion/resume.ts';
import { END_OF_LOOP, type ProgramStep } from '../../physics/toolpath/program.ts';
import type { LoopEvent } from './loop-event.ts';
import { ADA, AWAY, BEN, HOME, RobotHarness, toolpathOf } from './robot-harness.cases.ts';
import { DISCRETE_SECTIONS, TELEMETRY_SECTIONS } from './snapshot-message.ts';
import type { RobotStateSnapshot } from './state-snapshot.ts';

const run = { kind: 'run', caller: ADA, mode: 'automatic', loop: 1 } as const;
const pause = { kind: 'pause', caller: ADA } as const;

/** A robot in a run that waits for a second. */
function waiting(): RobotHarness {
  const condition = { type: 'time', duration: 1 } as const;
  const place = { next: END_OF_LOOP, at: '/timeline/1', cell: [] };
  const step: ProgramStep = { kind: 'wait', condition, ...place };
  const harness = new RobotHarness().prepare(toolpathOf([step]));
  harness.advance(0.1);
  harness.apply(run);
  return harness;
}

function running(loop = 1): RobotHarness {
  const harness = new RobotHarness().prepare();
  harness.apply({ ...run, loop });
  harness.advance(0.3);
  harness.robot.takeEvents();
  return harness;
}

/** The setpoint of the next tick. */
function setpointOf(harness: RobotHarness) {
  const { samples, ...setpoint } = harness.robot.tick(harness.arm.feedback, harness.tick);
  harness.tick += 1;
  return setpoint;
}

function changesOf({ robot }: RobotHarness): Record<string, unknown> | null {
  const isChange = (one: LoopEvent) => one.kind === 'state_change';
  const found = robot.takeEvents().find(isChange);
  return found?.kind === 'state_change' ? found.changes : null;
}

describe('the setpoint', () => {
  it('follows a motion, and holds the arm at rest and after a fault', () => {
    const harness = new RobotHarness().prepare();
    expect(setpointOf(harness).mode).toBe('hold');
    harness.apply(run);
    harness.advance(0.2);
    expect(setpointOf(harness).mode).toBe('follow');
    harness.arm.feedback.fault = { kind: 'lost', joint: 2, message: 'Joint 3 does not answer' };
    const setpoint = setpointOf(harness);
    expect([setpoint.mode, harness.robot.isMoving]).toEqual(['hold', true]);
  });

  it('lets a hand guide the arm until the button is released', () => {
    const harness = new RobotHarness().prepare();
    harness.apply({ kind: 'collision_detection', caller: ADA, enabled: true, sensitivity: 'low' });
    expect(setpointOf(harness)).toMatchObject({ mode: 'hold', detection: 'low' });
    harness.apply({ kind: 'backdriving', pressed: true });
    expect(setpointOf(harness)).toMatchObject({ mode: 'backdrive', detection: null });
    harness.arm.feedback.standing = false;
    harness.apply({ kind: 'backdriving', pressed: false });
    expect(setpointOf(harness)).toMatchObject({ mode: 'hold', detection: 'low' });
  });

  it('carries payload and tool of the toolpath, and no detection unless it is on', () => {
    const harness = new RobotHarness();
    expect(setpointOf(harness)).toMatchObject({ payload_kg: 0, tool: null, detection: null });
    const offsets = { x: 0, y: 0, z: 0.1 };
    const tcp_config = { offsets, rotations: { x: 0, y: 0, z: 0 }, radius: 0.05 };
    const toolpath = toolpathOf([], { payload_kg: 1.5 });
    const metadata = { ...toolpath.metadata, tcp_config };
    harness.prepare({ ...toolpath, metadata });
    const tool = { tip_m: [0, 0, 0.1], radius_m: 0.05 };
    expect(setpointOf(harness)).toMatchObject({ payload_kg: 1.5, tool });
    harness.apply(run);
    expect(setpointOf(harness)).toMatchObject({ payload_kg: 1.5, tool });
  });

  it('leaves the reference at rest where it is', () => {
    const harness = new RobotHarness();
    harness.advance(0.1);
    expect(Array.from(harness.robot.reference)).toEqual(HOME);
  });

  it('may leave the range of the arm in a collision, in which the arm follows the contact', () => {
    const range = { min_rad: [-3, -3, -3, -3, -3, -3], max_rad: [0.2, 3, 3, 3, 3, 3] };
    const harness = new RobotHarness({ range }).prepare();
    expect(harness.robot.range).toBe(range);
    expect(new RobotHarness().robot.range).toBeNull();
    harness.apply({ kind: 'collision_detection', caller: ADA, enabled: true });
    harness.apply(run);
    while (harness.arm.feedback.position_rad[0]! < 0.197) harness.advance(0.004);
    harness.arm.feedback.contact = { joint: 1, at_s: 0.3 };
    harness.advance(0.004);
    expect(harness.robot.restPose[0]).toBeGreaterThan(0.202);
    harness.advance(1);
    expect([harness.state, harness.robot.isMoving]).toEqual(['collision', false]);
  });

  it('ends a motion to a pose after the motion, not before', () => {
    const harness = new RobotHarness();
    harness.arm.feedback.position_rad.set(AWAY);
    harness.apply({ kind: 'stand_at', joints: AWAY });
    harness.prepare().apply({ kind: 'home', caller: ADA });
    harness.advance(0.1);
    expect(harness.robot.memory.ending).toBeNull();
    expect(harness.robot.holdsLock(ADA)).toBe(true);
    expect(harness.robot.holdsLock(BEN)).toBe(false);
  });
});

describe('events and versions', () => {
  it('report the lock when it changes hands, and are taken once', () => {
    const harness = new RobotHarness();
    const eventsOf = (kind: 'lock' | 'renew_lock' | 'release_lock', caller = ADA) => {
      harness.apply({ kind, caller });
      return harness.robot.takeEvents();
    };
    expect(eventsOf('lock')).toEqual([{ kind: 'lock_status', holder: ADA }]);
    expect(harness.robot.takeEvents()).toEqual([]);
    expect(eventsOf('renew_lock')).toEqual([]);
    expect(eventsOf('lock', BEN)).toEqual([]);
    harness.apply({ kind: 'inputs', values: { d0: true } });
    expect(harness.robot.takeEvents()).toEqual([]);
    expect(eventsOf('release_lock')).toEqual([{ kind: 'lock_status', holder: null }]);
    expect(harness.robot.takeEvents()).toEqual([]);
  });

  it('of the snapshot are new after whatever may change it', () => {
    const { robot, arm } = new RobotHarness();
    const state = robot.save(0);
    const acts: Record<string, () => unknown> = {
      apply: () => robot.apply({ kind: 'estop', engaged: false }, 0),
      tick: () => robot.tick(arm.feedback, 0),
      followWorld: () => robot.followWorld([], 1),
      observe: () => robot.observe(arm.feedback),
      restore: () => robot.restore(state, 1),
    };
    for (const act of Object.values(acts)) {
      const before = robot.version;
      act();
      expect(robot.version).toBeGreaterThan(before);
    }
  });

  it('follow what a person did between two ticks', () => {
    const harness = new RobotHarness();
    const { robot, arm } = harness;
    harness.apply({ kind: 'inputs', values: { d0: true, d1: true } });
    robot.followWorld(['d1'], 0);
    expect(robot.memory.io.inputs).toMatchObject({ d0: true, d1: false });
    for (const [estop, state] of [
      [true, 'disabled'],
      [false, 'ready'],
    ] as const) {
      arm.feedback.estop = estop;
      robot.followWorld([], 0);
      expect(harness.state).toBe(state);
    }
  });
});

describe('tracked changes', () => {
  function tracked(harness: RobotHarness): RobotHarness {
    harness.robot.trackChanges(true);
    return harness;
  }
  const telemetry = expect.objectContaining({
    'servos.telemetry.position': expect.any(Array),
    'servos.telemetry.velocity': expect.any(Array),
  });

  it('are none while they are not tracked, and start where tracking starts', () => {
    const harness = new RobotHarness();
    harness.apply({ kind: 'inputs', values: { d0: true } });
    expect([changesOf(harness), harness.robot.changeTracker]).toEqual([null, null]);
    tracked(harness);
    const { changeTracker } = harness.robot;
    expect(changeTracker).not.toBeNull();
    expect(harness.robot.takeEvents()).toEqual([]);
    expect(tracked(harness).robot.changeTracker).toBe(changeTracker);
    harness.robot.trackChanges(false);
    harness.apply({ kind: 'inputs', values: { d0: false } });
    expect([changesOf(harness), harness.robot.changeTracker]).toEqual([null, null]);
  });

  it('have the changed fields alone, once', () => {
    const harness = tracked(new RobotHarness());
    harness.apply({ kind: 'inputs', values: { d0: true, d1: false } });
    expect(changesOf(harness)).toEqual({ 'global.inputs': { d0: true } });
    expect(harness.robot.takeEvents()).toEqual([]);
    harness.apply({ kind: 'estop', engaged: true });
    expect(changesOf(harness)).toEqual({
      control: { state: 'disabled' },
      global: { estop: true },
    });
  });

  it('have the telemetry at every fifth tick, whole, where it has changed', () => {
    const harness = tracked(running());
    changesOf(harness);
    const seen: string[] = [];
    for (let i = 0; i < 10; i++) {
      const { tick } = harness;
      harness.advance(0.004);
      const changes = changesOf(harness);
      if (!changes) continue;
      expect(changes).toEqual(telemetry);
      seen.push(`${tick % 5}: ${Object.keys(changes).filter((name) => name === 'control')}`);
    }
    expect(seen).toEqual(['0: ', '0: ']);
  });

  it('have the telemetry of a new state', () => {
    const harness = tracked(running(0));
    while (harness.tick % 5 !== 3) harness.advance(0.004);
    harness.apply({ kind: 'inputs', values: { d0: true } });
    expect(changesOf(harness)).toEqual({ 'global.inputs': { d0: true } });
    harness.apply({ kind: 'stop_loop', caller: ADA });
    const changes = changesOf(harness);
    expect(changes).toMatchObject({ control: { state: 'stopping' } });
    expect(changes).toEqual(telemetry);
  });
});

describe('the snapshot', () => {
  it('has the names and values of the wire', () => {
    const harness = new RobotHarness().prepare();
    const feedback: Feedback = {
      ...harness.arm.feedback,
      temperature_c: Float64Array.of(45, 45.06, 45.07, 45.19, 30.9, -1),
      velocity_rad_s: Float64Array.of(0, -1e-9, 1, -1, 0.0001, 0.5),
    };
    harness.robot.observe(feedback);
    const times = { start_time: '00:01:00', end_time: '00:02:00' };
    harness.apply({ kind: 'scheduler', caller: ADA, enabled: true, ...times });
    const changes = [{ key: 'outputs.d1', value: true }];
    harness.apply({ kind: 'globals', caller: ADA, changes });
    const snapshot = harness.robot.snapshot();
    expect(Object.keys(snapshot)).toEqual([...DISCRETE_SECTIONS, ...TELEMETRY_SECTIONS]);
    expect(snapshot).toMatchObject({
      collision_detection: { enabled: false, sensitivity: 'medium' },
      control: { state: 'ready', toolpath_name: 'There and back', toolpath_hash: 'ab' },
      'global.inputs': { d0: false, a0: 0.003, a0_mode: 'voltage' },
      'global.outputs': { d0: false, d1: true, a0: 0, ee_d0: false },
      scheduler: { enabled: true, start_time: '00:01:00', stop_time: '00:02:00' },
    });
    expect(snapshot['servos.telemetry.temperature']).toEqual([45, 45, 45.12, 45.25, 30.87, -1]);
    expect(snapshot['servos.telemetry.velocity']).toEqual([0, 0, 57.296, -57.296, 0.006, 28.648]);
  });

  it('names no toolpath where none is loaded', () => {
    const { control } = new RobotHarness().robot.snapshot();
    const none = { toolpath_name: '', toolpath_hash: '', run_mode: 'not_running' };
    expect(control).toEqual({ state: 'ready', loop_count: 0, loop_target: 0, ...none });
  });
});

describe('the time that a motion takes', () => {
  it('is that of the plan, also while it is paused', () => {
    const harness = new RobotHarness().prepare();
    expect(harness.robot.remainingMotion_s).toBe(0);
    harness.apply(run);
    harness.advance(0.004);
    const whole_s = harness.robot.remainingMotion_s;
    harness.advance(0.2);
    expect(harness.robot.remainingMotion_s).toBeCloseTo(whole_s - 0.2, 9);
  });
});

/** A state of the robot, and what another robot does with it. */
describe('a saved state', () => {
  function restored(state: RobotStateSnapshot, tick: number): RobotHarness {
    const harness = new RobotHarness();
    harness.tick = tick;
    harness.robot.restore(state, tick);
    harness.monitor.onRestore(tick, harness.arm.feedback);
    return harness;
  }

  it('is a copy that goes on like the first one', () => {
    const harness = running();
    const state = harness.robot.save(harness.tick);
    const text = JSON.stringify(state);
    const other = restored(state, harness.tick);
    other.arm.feedback.position_rad.set(harness.arm.feedback.position_rad);
    for (const one of [harness, other]) one.advance(0.1);
    expect(Array.from(other.robot.reference)).toEqual(Array.from(harness.robot.reference));
    expect(other.robot.memory).toEqual(harness.robot.memory);
    harness.apply({ kind: 'inputs', values: { d0: true } });
    expect(JSON.stringify(state)).toBe(text);
    expect(other.robot.memory.io.inputs['d0']).toBe(false);
    expect(state.memory.loaded).toBe(harness.robot.memory.loaded);
  });

  it('reports the lock where it has another holder, and refuses what waits', () => {
    const free = new RobotHarness().robot.save(0);
    const held = new RobotHarness().prepare().robot.save(0);
    const eventsOf = (harness: RobotHarness, state: RobotStateSnapshot) => {
      harness.robot.takeEvents();
      harness.robot.restore(state, harness.tick);
      return harness.robot.takeEvents();
    };
    expect(eventsOf(new RobotHarness(), held)).toEqual([{ kind: 'lock_status', holder: ADA }]);
    expect(eventsOf(new RobotHarness().prepare(), held)).toEqual([]);
    const braking = running();
    braking.apply(pause);
    expect(eventsOf(braking, free)).toEqual([
      { kind: 'completed', refusal: expect.objectContaining({ refused: 'wrong_state' }) },
      { kind: 'lock_status', holder: null },
    ]);
  });

  it('at another tick has the same times left', () => {
    const harness = waiting();
    harness.advance(0.3);
    harness.apply(pause);
    harness.advance(0.2);
    const state = harness.robot.save(harness.tick);
    const { lock, paused_tick, activity } = state.memory;
    const { robot, tick } = restored(state, 1150);
    expect(robot.memory).toMatchObject({
      lock: { expires_tick: lock!.expires_tick + 1000 },
      paused_tick: paused_tick + 1000,
    });
    expect(robot.memory.activity!.cursor.wait_started_s).toBeCloseTo(
      activity!.cursor.wait_started_s! + 4,
      9,
    );
    expect([tick, robot.source.tick]).toEqual([1150, 1149]);
    const moving = restored(running().robot.save(75), 1075);
    expect(moving.robot.memory.activity!.cursor.wait_started_s).toBeNull();
    robot.restore(new RobotHarness().robot.save(0), 1000);
    expect([robot.lockHolder, robot.memory.activity]).toEqual([null, null]);
  });

  it('at another tick keeps the schedule to its times of day', () => {
    const harness = new RobotHarness().prepare();
    const times = { start_time: '00:00:10', end_time: '00:00:20' };
    harness.apply({ kind: 'scheduler', caller: ADA, enabled: true, ...times });
    const state = harness.robot.save(0);
    expect(restored(state, 3000).robot.memory.schedule).toMatchObject({
      next_start_ms: 86_410_000,
      next_stop_ms: 20_000,
    });
    harness.advance(10);
    const due = restored(harness.robot.save(harness.tick), harness.tick);
    due.advance(0.004);
    expect(due.state).toBe('running');
  });

  it('has the date, the place and the noise of its robot', () => {
    const place = { epoch_ms: 5000, timezone: 'Europe/Berlin', seed: 2 };
    const state = new RobotHarness(place).robot.save(7);
    expect(state).toMatchObject({ ...place, tick: 7 });
    const { robot } = restored(state, 7);
    expect(robot.save(8)).toMatchObject({ ...place, tick: 8 });
    expect(robot.snapshot()['global.inputs']).toMatchObject({ a0: 0.015 });
  });

  it('of a pause is resumed by the rest of its motion', () => {
    const harness = running();
    harness.apply(pause);
    harness.settle();
    const other = restored(harness.robot.save(harness.tick), harness.tick);
    other.arm.feedback.position_rad.set(harness.arm.feedback.position_rad);
    const { path, s, caps } = other.robot.pausedMotion!;
    const { profile } = planResume({ path, s, caps });
    expect(other.apply({ kind: 'resume', caller: ADA, profile })).toBeNull();
    expect(other.advanceUntil('ready')).toBe(true);
    expect(other.arm.feedback.position_rad[0]).toBeCloseTo(0, 6);
  });
});
