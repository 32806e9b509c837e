/**
 * Effects of the control calls (§4.5), and the checks of every tick: faults and contacts, expiry of
 * the lock, the daily schedule, the next deadline (decisions D13, D28, D30, D33).
 */
import { describe, expect, it } from 'vitest';
import type { ArmFaultKind } from '../../bridge/arm-driver.ts';
import type { TcpConfig, ToolpathMetadata } from '../../contract/types.generated.ts';
import { planJointMove } from '../../physics/motion/joint-move.ts';
import { planResume } from '../../physics/motion/resume.ts';
import { END_OF_LOOP, type Program, type ProgramStep } from '../../physics/toolpath/program.ts';
import type { Command } from './commands.ts';
import type { LoadedToolpath } from './loaded-toolpath.ts';
import type { LoopEvent } from './loop-event.ts';
import {
  ADA,
  AWAY,
  BEN,
  HOME,
  RobotHarness,
  thereAndBack,
  toolpathOf,
} from './robot-harness.cases.ts';

type Condition = Extract<ProgramStep, { kind: 'wait' }>['condition'];

const CAPS = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0] as const };
const D3 = { location: 'base', type: 'digital', index: 3 } as const;
const run = { kind: 'run', caller: ADA, mode: 'automatic', loop: 1 } as const;
const home = { kind: 'home', caller: ADA } as const;
const pause = { kind: 'pause', caller: ADA } as const;
const abort = { kind: 'abort_motion', caller: ADA } as const;

/** A tool of a length along the axis of the flange (m). */
const toolOf = (z: number, radius: number): TcpConfig => ({
  offsets: { x: 0, y: 0, z },
  rotations: { x: 0, y: 0, z: 0 },
  radius,
});

function waitStep(condition: Condition, next = END_OF_LOOP): ProgramStep {
  return { kind: 'wait', condition, next, at: '/timeline/1', cell: [] };
}

function withMetadata(extra: Partial<ToolpathMetadata>, program: Partial<Program> = {}) {
  const toolpath = toolpathOf([], program);
  return { ...toolpath, metadata: { ...toolpath.metadata, ...extra } };
}

/** A robot with the lock and a toolpath, which stands away from home. */
function standingAway(toolpath: LoadedToolpath = toolpathOf([])): RobotHarness {
  const harness = new RobotHarness();
  harness.arm.feedback.position_rad.set(AWAY);
  harness.apply({ kind: 'stand_at', joints: AWAY });
  return harness.prepare(toolpath);
}

function running(mode: 'automatic' | 'teach' = 'automatic', loop = 1): RobotHarness {
  const harness = new RobotHarness().prepare();
  harness.apply({ kind: 'run', caller: ADA, mode, loop });
  harness.advance(0.3);
  harness.robot.takeEvents();
  return harness;
}

function logOf({ robot }: RobotHarness): string[] {
  const lineOf = (one: LoopEvent) => (one.kind === 'log' ? [`${one.level}: ${one.text}`] : []);
  return robot.takeEvents().flatMap(lineOf);
}

const memoryOf = (harness: RobotHarness) => harness.robot.memory;
const restTurn = (harness: RobotHarness) => harness.robot.restPose[0]!;

function goTo(start: number[], extra: { tool?: TcpConfig } = {}): Command {
  const ends = { start: Float64Array.from(HOME), end: Float64Array.from(AWAY) };
  const { path, profile } = planJointMove({ ...ends, caps: CAPS, waypoints: [] });
  const motion = { start: Float64Array.from(start), path, profile, caps: CAPS, ...extra };
  return { kind: 'go_to', caller: ADA, mode: 'automatic', motion };
}

describe('a loaded toolpath', () => {
  const tool = (z: number) => ({ tcp_config: toolOf(z, 0.05) });

  it.each<[string, Partial<ToolpathMetadata>, unknown]>([
    ['with a tool', tool(0.1), { tip_m: [0, 0, 0.1], radius_m: 0.05 }],
    ['with the shortest tool', tool(1e-6), { tip_m: [0, 0, 1e-6], radius_m: 0.05 }],
    ['with a shorter one', tool(9e-7), null],
    ['without a tool', {}, null],
  ])('%s sets the tool at the flange', (_name, metadata, expected) => {
    const harness = new RobotHarness().prepare(withMetadata(tool(0.3)));
    harness.apply({ kind: 'load', caller: ADA, toolpath: withMetadata(metadata) });
    expect(memoryOf(harness).tool).toEqual(expected);
  });

  it('sets the analog modes, counts no loops and is logged by its name', () => {
    const harness = running();
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(memoryOf(harness)).toMatchObject({ loop_count: 1, loop_target: 1 });
    harness.robot.takeEvents();
    const analog_modes = { i0: 'current', i1: 'voltage', o0: 'voltage', o1: 'current' } as const;
    const toolpath = toolpathOf([], { analog_modes });
    harness.apply({ kind: 'load', caller: ADA, toolpath });
    expect(memoryOf(harness)).toMatchObject({ loaded: toolpath, loop_count: 0, loop_target: 0 });
    expect(memoryOf(harness).io).toMatchObject({
      inputs: { a0_mode: 'current', a1_mode: 'voltage', a0: 4, a1: 0 },
      outputs: { a0_mode: 'voltage', a1_mode: 'current', a0: 0, a1: 4 },
    });
    expect(logOf(harness)).toEqual(['info: Toolpath “There and back” loaded']);
  });
});

describe('run and home', () => {
  it.each([
    [run, 'Need a valid uploaded timeline to run'],
    [home, 'Need a valid uploaded timeline to go home to'],
  ])('need a toolpath: %j', (command, details) => {
    const harness = new RobotHarness();
    harness.apply({ kind: 'lock', caller: ADA });
    const refusal = harness.robot.apply<Command>(command, 0);
    expect(refusal).toMatchObject({ refused: 'toolpath_missing', details });
    expect(harness.state).toBe('ready');
  });

  it.each([run, home])('are refused where the way home is: %j', (command) => {
    const harness = standingAway(toolpathOf([], { home: Float64Array.of(9, 0, 0, 0, 0, 0) }));
    const refusal = harness.robot.apply<Command>(command, harness.tick);
    const details = { error: expect.any(String), code: expect.any(String) };
    expect(refusal).toMatchObject({ refused: 'motion_refused', details });
    expect([harness.state, memoryOf(harness).activity]).toEqual(['ready', null]);
  });

  it.each([run, home])('keep to the range of the arm: %j', (command) => {
    const range = { min_rad: [-3, -3, -3, -3, -3, -3], max_rad: [-0.1, 3, 3, 3, 3, 3] };
    const harness = new RobotHarness({ range });
    harness.apply({ kind: 'stand_at', joints: AWAY });
    expect(harness.prepare().apply(command)).toBe('motion_refused');
  });

  it.each([
    [run, 'automatic', 0.5],
    [{ ...run, mode: 'teach' }, 'teach', 0.25],
    [home, 'teach', 0.25],
  ] as const)('approach home below the speed of the mode: %j', (command, mode, cap) => {
    const { kind } = command;
    const offset = [0, 0, 0.1] as const;
    const harness = standingAway(toolpathOf([], { payload_kg: 1.5, tool_offset_m: offset }));
    expect(harness.apply(command)).toBeNull();
    const cursor = { step: END_OF_LOOP, wait_started_s: null };
    const activity = { kind, mode, scheduled: false, payload_kg: 1.5, cursor, at: '' };
    expect(memoryOf(harness).activity).toEqual(activity);
    expect([harness.robot.isMoving, restTurn(harness)]).toEqual([true, 0]);
    harness.advance(0.1);
    harness.apply(pause);
    harness.settle();
    expect(harness.robot.pausedMotion?.caps).toEqual({
      tool_speed_m_s: cap,
      tool_offset_m: offset,
      payload_kg: 1.5,
      timing: null,
    });
  });

  it.each([run, home])('do not move an arm that is at home: %j', (command) => {
    const harness = new RobotHarness().prepare(toolpathOf([waitStep(SOON)]));
    harness.apply(command);
    expect([harness.state, harness.robot.isMoving]).toEqual(['running', false]);
  });

  it('count the loops of this run, and resume it as one that goes on', () => {
    const harness = running('automatic', 0);
    harness.apply({ kind: 'stop_loop', caller: ADA });
    harness.apply(pause);
    harness.settle();
    expect(memoryOf(harness).resume_to).toBe('stopping');
    harness.apply({ kind: 'cancel', caller: ADA });
    harness.apply({ ...run, loop: 3 });
    expect(memoryOf(harness)).toMatchObject({
      loop_count: 0,
      loop_target: 3,
      resume_to: 'running',
      ending: null,
    });
  });
});

const SOON = { type: 'time', duration: 1 } as const;

describe('go_to', () => {
  it.each([
    [1e-6, null, 'running'],
    [1.1e-6, 'wrong_state', 'ready'],
  ])('from a pose that is %d rad away: %s', (distance, refused, state) => {
    const harness = new RobotHarness().prepare();
    const [, ...others] = HOME;
    expect(harness.apply(goTo([distance, ...others]))).toBe(refused);
    expect([harness.state, harness.robot.isMoving]).toEqual([state, state === 'running']);
  });

  it.each([
    ['that of the toolpath', toolpathOf([], { payload_kg: 1.5 }), 1.5],
    ['none without a toolpath', null, 0],
  ])('carries the payload: %s', (_name, toolpath, payload_kg) => {
    const harness = new RobotHarness();
    harness.apply({ kind: 'lock', caller: ADA });
    if (toolpath) harness.apply({ kind: 'load', caller: ADA, toolpath });
    expect(harness.apply(goTo(HOME))).toBeNull();
    const cursor = { step: 0, wait_started_s: null };
    const activity = { kind: 'go_to', mode: 'automatic', scheduled: false, payload_kg, cursor };
    expect(memoryOf(harness).activity).toEqual({ ...activity, at: '' });
  });

  it('mounts the tool that it names, and keeps it otherwise', () => {
    const harness = new RobotHarness().prepare();
    harness.apply(goTo(HOME, { tool: toolOf(0.2, 0.04) }));
    const tool = { tip_m: [0, 0, 0.2], radius_m: 0.04 };
    expect(memoryOf(harness).tool).toEqual(tool);
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(harness.apply(home)).toBeNull();
    expect(harness.advanceUntil('ready')).toBe(true);
    harness.apply(goTo(HOME));
    expect([harness.state, memoryOf(harness).tool]).toEqual(['running', tool]);
  });
});

describe('pause and resume', () => {
  it('brake once, however often the pause is requested', () => {
    const standstills = [1, 8].map((times) => {
      const harness = running();
      for (let i = 0; i < times; i++) {
        harness.apply(pause);
        harness.advance(0.008);
      }
      expect(harness.advanceUntil('paused', 2)).toBe(true);
      return { tick: harness.tick, pose: Array.from(harness.robot.restPose) };
    });
    expect(standstills[1]).toEqual(standstills[0]);
  });

  it('need the rest of the motion as planned for the pause', () => {
    const harness = running();
    harness.apply(pause);
    harness.settle();
    expect(harness.apply({ kind: 'resume', caller: ADA, profile: null })).toBe('wrong_state');
    expect([harness.state, harness.robot.isMoving]).toEqual(['paused', false]);
    const { path, s, caps } = harness.robot.pausedMotion!;
    harness.advance(3);
    const { profile } = planResume({ path, s, caps });
    expect(harness.apply({ kind: 'resume', caller: ADA, profile })).toBeNull();
    expect([harness.state, harness.robot.isMoving]).toEqual(['running', true]);
    expect(memoryOf(harness).activity?.cursor.wait_started_s).toBeNull();
  });

  it('go on in a state of a file that has no activity', () => {
    const { robot } = new RobotHarness().prepare();
    const state = robot.save(0);
    robot.restore({ ...state, memory: { ...state.memory, state: 'paused' } }, 0);
    expect(robot.apply({ kind: 'resume', caller: ADA, profile: null }, 0)).toBeNull();
    expect(robot.memory.state).toBe('running');
  });
});

describe('an aborted motion', () => {
  it('goes on for a caller without the lock', () => {
    const harness = running();
    expect(harness.apply({ ...abort, caller: BEN })).toBe('lock_not_held');
    expect([harness.state, memoryOf(harness).ending]).toEqual(['running', null]);
  });

  it('stops where a pause would', () => {
    const [aborted, paused] = [running(), running()];
    expect(aborted.apply(abort)).toBeNull();
    paused.apply(pause);
    expect(Array.from(aborted.robot.restPose)).toEqual(Array.from(paused.robot.restPose));
    const rest = Array.from(aborted.robot.restPose);
    expect(aborted.advanceUntil('ready', 2)).toBe(true);
    expect(Array.from(aborted.arm.feedback.position_rad)).toEqual(rest);
    expect(memoryOf(aborted).loop_count).toBe(0);
  });

  it('is none where the arm moves without one: nothing ends later', () => {
    const harness = new RobotHarness().prepare();
    harness.arm.feedback.standing = false;
    expect(harness.apply(abort)).toBeNull();
    expect([harness.state, memoryOf(harness).ending]).toEqual(['ready', null]);
  });
});

describe('the commands after a fault or a contact', () => {
  it('refuse a reset at once while the cause persists', () => {
    const harness = running();
    harness.recovers = false;
    harness.arm.feedback.fault = { kind: 'lost', joint: 2, message: 'Joint 3 does not answer' };
    harness.advance(0.004);
    expect(harness.apply({ kind: 'reset_errors', caller: ADA })).toBe('wrong_state');
    expect(harness.robot.isCommandAwaited).toBe(false);
  });

  it('keep the sensitivity of the detection unless they name one', () => {
    const harness = new RobotHarness().prepare();
    const set = { kind: 'collision_detection', caller: ADA, enabled: true } as const;
    harness.apply({ ...set, sensitivity: 'high' });
    harness.apply({ ...set, enabled: false });
    expect(memoryOf(harness).detection).toEqual({ enabled: false, sensitivity: 'high' });
    harness.apply(set);
    expect(memoryOf(harness).detection).toEqual({ enabled: true, sensitivity: 'high' });
  });
});

describe('the joints', () => {
  function touched(options: {
    detects: boolean;
    fault?: ArmFaultKind;
    joint?: number;
    lags?: true;
  }) {
    const program = { output_on_error: { io: D3, value: true } };
    const harness = standingAway(toolpathOf([], program));
    const set = { kind: 'collision_detection', caller: ADA, enabled: options.detects } as const;
    harness.apply(set);
    harness.apply(run);
    harness.advance(0.1);
    harness.robot.takeEvents();
    const { fault: kind, joint = 1, lags = false } = options;
    harness.arm.feedback.contact = { joint, at_s: 0.1, lags };
    if (kind) harness.arm.feedback.fault = { kind, joint: 1, message: 'J2 lags behind' };
    harness.advance(0.004);
    return harness;
  }

  it.each<[boolean, ArmFaultKind | undefined, string]>([
    [true, undefined, 'collision'],
    [true, 'following_error', 'collision'],
    [true, 'overload', 'collision'],
    [true, 'overheated', 'error'],
    [false, undefined, 'running'],
    [false, 'following_error', 'error'],
  ])('in contact, detected: %s, with the fault %s: %s', (detects, fault, state) => {
    const harness = touched({ detects, ...(fault ? { fault } : {}) });
    expect(harness.state).toBe(state);
    expect(memoryOf(harness).io.outputs['d3']).toBe(state !== 'running');
    harness.arm.feedback.contact = null;
    harness.advance(0.004);
    expect(harness.state).toBe(state);
  });

  it.each([
    [0, 'J1'],
    [3, 'J4'],
  ])('that touch are named in the log: %d, %s', (joint, name) => {
    const log = logOf(touched({ detects: true, joint }));
    expect(log).toContain(`error: Collision: unexpected torque at ${name}`);
  });

  it('of a joint that stays behind its goal may be a load that is too heavy', () => {
    const log = logOf(touched({ detects: true, lags: true }));
    expect(log).toContain(
      'error: Collision: J2 stays behind its goal: something holds it, or its load is too heavy for this speed',
    );
  });

  it('are followed in a collision: motions start where the drives hold them', () => {
    const harness = touched({ detects: true });
    harness.advance(1);
    for (const turn of [0.2, 0.25]) {
      harness.arm.feedback.held_rad = Float64Array.from([turn, ...AWAY.slice(1)]);
      harness.advance(0.004);
      expect(restTurn(harness)).toBe(turn);
    }
  });

  it.each([
    [0.15, 'ready', []],
    [0.1512, 'error', ['error: No fresh joint data for 0.151 s; check the link to the joints']],
  ])('whose data is %d s old: %s', (age_s, state, log) => {
    const harness = new RobotHarness();
    harness.arm.feedback.age_s = age_s;
    harness.advance(0.004);
    expect(harness.state).toBe(state);
    expect(logOf(harness).slice(1)).toEqual(log);
  });

  it('outside their range are an error, logged once though they brake there', () => {
    const range = { min_rad: [-3, -3, -3, -3, -3, -3], max_rad: [0.2, 3, 3, 3, 3, 3] };
    const harness = new RobotHarness({ range }).prepare();
    harness.apply(run);
    expect(harness.advanceUntil('error', 2)).toBe(true);
    harness.advance(1);
    const errors = logOf(harness).filter((line) => line.startsWith('error'));
    expect(errors).toEqual(['error: A setpoint is outside the joint limits']);
    expect(memoryOf(harness).error).toBe('A setpoint is outside the joint limits');
  });

  it('cannot end an update, which does not hide that they fail', () => {
    const harness = new RobotHarness();
    harness.apply({ kind: 'begin_update' });
    harness.arm.feedback.fault = { kind: 'lost', joint: 2, message: 'Joint 3 does not answer' };
    harness.advance(0.004);
    const said = ['updating', 'Joint 3 does not answer'];
    expect([harness.state, memoryOf(harness).error]).toEqual(said);
  });
});

describe('a lost lock', () => {
  it('is one whose time has come', () => {
    const harness = new RobotHarness().prepare();
    harness.apply({ kind: 'run', caller: ADA, mode: 'teach', loop: 0 });
    harness.advance(5);
    expect(harness.robot.lockHolder).toEqual(ADA);
    harness.robot.takeEvents();
    harness.advance(0.004);
    expect(harness.robot.lockHolder).toBeNull();
    expect(harness.robot.takeEvents()).toEqual([
      { kind: 'lock_status', holder: null },
      expect.objectContaining({ kind: 'log', level: 'warning' }),
    ]);
  });

  it('stops no automatic run', () => {
    const harness = running();
    harness.apply({ kind: 'forget_token', token_id: ADA.token_id });
    expect(harness.robot.takeEvents()).toEqual([{ kind: 'lock_status', holder: null }]);
    expect([harness.state, memoryOf(harness).ending]).toEqual(['running', null]);
    expect(memoryOf(harness).loop_count).toBe(0);
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(memoryOf(harness).loop_count).toBe(1);
  });

  it('does not bind the next holder to a teach-mode motion that was aborted', () => {
    const harness = running('teach');
    harness.apply({ kind: 'estop', engaged: true });
    expect(memoryOf(harness).teach_braking).toBe(true);
    harness.apply({ kind: 'forget_token', token_id: ADA.token_id });
    harness.apply({ kind: 'lock', caller: BEN });
    expect(memoryOf(harness).lock?.expires_tick).toBe(harness.tick + 75_000);
    expect(harness.apply({ kind: 'release_lock', caller: BEN })).toBeNull();
  });
});

describe('the daily schedule', () => {
  function scheduled(toolpath: LoadedToolpath | null = thereAndBack()) {
    const harness = new RobotHarness();
    harness.apply({ kind: 'lock', caller: ADA });
    if (toolpath) harness.apply({ kind: 'load', caller: ADA, toolpath });
    const times = { start_time: '00:00:01', end_time: '00:00:02' };
    harness.apply({ kind: 'scheduler', caller: ADA, enabled: true, ...times });
    harness.robot.takeEvents();
    return harness;
  }

  it('starts and ends its run at the tick of its times', () => {
    const harness = scheduled();
    harness.advance(1);
    expect(harness.state).toBe('ready');
    harness.advance(0.004);
    expect(harness.state).toBe('running');
    expect(memoryOf(harness).activity).toMatchObject({ scheduled: true, mode: 'automatic' });
    harness.advance(0.996);
    expect(harness.state).toBe('running');
    harness.advance(0.004);
    expect(harness.state).toBe('stopping');
    const next = [
      memoryOf(harness).schedule.next_start_ms,
      memoryOf(harness).schedule.next_stop_ms,
    ];
    expect(next).toEqual([86_401_000, 86_402_000]);
  });

  it.each<[string, () => RobotHarness, string]>([
    [
      'a toolpath is missing',
      () => scheduled(null),
      'Scheduled run not started: it needs ready and a loaded toolpath',
    ],
    [
      'the robot is not ready',
      () => {
        const harness = scheduled();
        harness.apply({ kind: 'backdriving', pressed: true });
        harness.robot.takeEvents();
        return harness;
      },
      'Scheduled run not started: it needs ready and a loaded toolpath',
    ],
    [
      'the way home is refused',
      () => scheduled(toolpathOf([], { home: Float64Array.of(9, 0, 0, 0, 0, 0) })),
      'Scheduled run not started: J1 would be at 9.0000 rad; its limits are',
    ],
  ])('warns when %s', (_name, prepare, text) => {
    const harness = prepare();
    const { state } = harness;
    harness.advance(1.1);
    expect(logOf(harness)).toEqual([expect.stringContaining(`warning: ${text}`)]);
    expect([harness.state, memoryOf(harness).activity]).toEqual([state, null]);
    harness.advance(1);
    expect(harness.state).toBe(state);
  });

  it('ends no run that a client started', () => {
    const harness = scheduled();
    harness.advance(0.5);
    harness.apply({ ...run, loop: 0 });
    harness.advance(1.6);
    expect(harness.state).toBe('running');
  });

  it('ends a paused run with the loop in which it is resumed', () => {
    const harness = scheduled();
    harness.advance(1.2);
    harness.apply(pause);
    harness.advance(1);
    expect([harness.state, memoryOf(harness).resume_to]).toEqual(['paused', 'stopping']);
  });
});
