/**
 * The robot's hardware and its operators: emergency stop, input signals, buttons, updates and power
 * (§3.1; decisions D31, D32, D34).
 */
import { describe, expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD, TELEMETRY } from '../../physics/arm/arm-model.ts';
import { END_OF_LOOP, type ProgramStep } from '../../physics/toolpath/program.ts';
import type { Command } from './commands.ts';
import type { LoopEvent } from './loop-event.ts';
import { publishedPose } from './published-pose.ts';
import { ADA, AWAY, BEN, HOME, RobotHarness, toolpathOf } from './robot-harness.cases.ts';

const QUANTUM_RAD = TELEMETRY.position_quantum_rad;
const run = { kind: 'run', caller: ADA, mode: 'automatic', loop: 1 } as const;
const press = { kind: 'estop', engaged: true } as const;
const release = { kind: 'estop', engaged: false } as const;
const power_cycle = { kind: 'power_cycle' } as const;

function running(): RobotHarness {
  const harness = new RobotHarness().prepare();
  harness.apply(run);
  harness.advance(0.3);
  harness.robot.takeEvents();
  return harness;
}

function eventsOf<Kind extends LoopEvent['kind']>({ robot }: RobotHarness, kind: Kind) {
  const isOfKind = (one: LoopEvent): one is Extract<LoopEvent, { kind: Kind }> => one.kind === kind;
  return robot.takeEvents().filter(isOfKind);
}

const logOf = (harness: RobotHarness) =>
  eventsOf(harness, 'log').map(({ level, text }) => `${level}: ${text}`);
const ioOf = ({ robot }: RobotHarness) => robot.memory.io;
const restTurn = ({ robot }: RobotHarness) => robot.restPose[0];

/** The details of the refusal of a command in a wrong state; undefined where it is executed. */
function detailsOf(harness: RobotHarness, command: Command): unknown {
  const refusal = harness.robot.apply(command, harness.tick);
  if (refusal) expect(refusal.refused).toBe('wrong_state');
  return refusal?.details;
}

function fail(harness: RobotHarness): void {
  harness.arm.feedback.fault = { kind: 'lost', joint: 2, message: 'Joint 3 does not answer' };
  harness.advance(0.004);
}

describe('the emergency stop', () => {
  it('interrupts a motion also where it is pressed again before the arm stands', () => {
    const harness = running();
    for (const command of [press, release, press]) harness.apply(command);
    harness.advance(2);
    harness.apply(release);
    expect(harness.state).toBe('error');
  });

  it('is followed by the error that was active when it was pressed', () => {
    const harness = new RobotHarness().prepare();
    fail(harness);
    harness.apply(press);
    harness.arm.feedback.fault = null;
    harness.advance(0.1);
    expect(harness.state).toBe('disabled');
    harness.apply(release);
    expect([harness.state, harness.robot.memory.error]).toEqual([
      'error',
      'Joint 3 does not answer',
    ]);
  });

  it('lets the arm brake, by hand and wired', () => {
    const harness = running();
    harness.arm.feedback.estop = true;
    harness.advance(0.004);
    expect([harness.state, harness.robot.isMoving]).toEqual(['disabled', true]);
  });

  it('that is wired gives the held pose at its release, also while one is pressed', () => {
    const harness = new RobotHarness().prepare();
    harness.apply(press);
    harness.arm.feedback.estop = true;
    harness.arm.feedback.held_rad = Float64Array.from(AWAY);
    harness.advance(0.1);
    expect(restTurn(harness)).toBe(HOME[0]);
    harness.arm.feedback.estop = false;
    harness.advance(0.1);
    expect([harness.state, restTurn(harness)]).toEqual(['disabled', AWAY[0]]);
  });
});

describe('input signals', () => {
  it('change together, or none does where one is invalid', () => {
    const harness = new RobotHarness();
    const before = JSON.stringify(ioOf(harness));
    const values = { d0: true, d1: 5, a0: 11, x9: true };
    expect(harness.robot.apply({ kind: 'inputs', values }, 0)).toMatchObject({
      refused: 'invalid_arguments',
      details: ['d1', 'a0', 'x9'].map((key) => ({ path: `/${key}`, problem: expect.any(String) })),
    });
    expect(JSON.stringify(ioOf(harness))).toBe(before);
    expect(harness.apply({ kind: 'inputs', values: { d0: true, a0: 9 } })).toBeNull();
    expect(ioOf(harness)).toMatchObject({ inputs: { d0: true, a0: 9 }, wired: { a0: true } });
  });

  it('follow the outputs of their wires, which a new set replaces', () => {
    const harness = new RobotHarness().prepare();
    const set = (key: string, value: boolean) =>
      harness.apply({ kind: 'globals', caller: ADA, changes: [{ key, value }] });
    const wires = { d0: 'd1', d2: 'd3' };
    harness.apply({ kind: 'loopback', wires });
    wires.d2 = 'd1';
    for (const key of ['outputs.d0', 'outputs.d2']) set(key, true);
    expect(ioOf(harness).inputs).toMatchObject({ d0: false, d1: true, d2: false, d3: true });
    harness.apply({ kind: 'loopback', wires: {} });
    set('outputs.d0', false);
    expect(ioOf(harness).inputs['d1']).toBe(true);
  });

  it('that are stuck keep their value until they are not', () => {
    const harness = new RobotHarness();
    const stuck = { d0: true };
    harness.apply({ kind: 'stick_inputs', stuck });
    Object.assign(stuck, { d1: true });
    harness.apply({ kind: 'inputs', values: { d0: true, d1: true } });
    expect(ioOf(harness).inputs).toMatchObject({ d0: false, d1: true });
    harness.apply({ kind: 'stick_inputs', stuck: {} });
    harness.apply({ kind: 'inputs', values: { d0: true } });
    expect(ioOf(harness).inputs['d0']).toBe(true);
  });
});

describe('the backdriving button', () => {
  const down = { kind: 'backdriving', pressed: true } as const;
  const up = { kind: 'backdriving', pressed: false } as const;

  it('is pressed in ready and released in backdriving alone', () => {
    const harness = new RobotHarness();
    expect(detailsOf(harness, up)).toBe('The backdriving button is not pressed');
    expect(detailsOf(harness, down)).toBeUndefined();
    expect(detailsOf(harness, down)).toBe('The backdriving button is pressed already');
    expect(harness.apply(down)).toBe('wrong_state');
    expect(harness.state).toBe('backdriving');
    expect(harness.apply(up)).toBeNull();
    expect(harness.state).toBe('ready');
  });

  it('can be pressed again while a hand still moves the arm', () => {
    const harness = new RobotHarness();
    harness.apply(down);
    harness.arm.feedback.standing = false;
    expect(harness.apply(up)).toBeNull();
    expect(detailsOf(harness, up)).toBe('The backdriving button is not pressed');
    expect(harness.robot.memory.button_released).toBe(true);
    expect(harness.apply(down)).toBeNull();
    harness.advance(0.1);
    expect(harness.state).toBe('backdriving');
  });

  it('is refused in other states', () => {
    expect(detailsOf(running(), down)).toBe('Backdriving needs ready; the robot is running');
    expect(detailsOf(running(), up)).toBe('The backdriving button is not pressed');
  });

  it('names why the arm cannot be guided', () => {
    let reason: string | null = 'The servos have no current mode';
    const harness = new RobotHarness({ guidingRefusal: () => reason });
    expect(detailsOf(harness, down)).toBe(reason);
    expect(harness.state).toBe('ready');
    expect(detailsOf(harness, up)).toBe('The backdriving button is not pressed');
    reason = null;
    expect(harness.apply(down)).toBeNull();
  });

  it('starts from the pose that the drives hold', () => {
    const harness = new RobotHarness();
    harness.arm.feedback.held_rad = Float64Array.from(AWAY);
    harness.apply(down);
    expect(restTurn(harness)).toBe(AWAY[0]);
  });

  it('is needed for the waypoint button', () => {
    const harness = new RobotHarness();
    expect(detailsOf(harness, { kind: 'waypoint_button' })).toContain('needs backdriving');
    expect(eventsOf(harness, 'backdriving')).toEqual([]);
  });
});

describe('the published pose', () => {
  const publish = (angles: ArrayLike<number>) => {
    const { feedback } = new RobotHarness().arm;
    return publishedPose({ ...feedback, position_rad: Float64Array.from(angles) });
  };

  it('is a multiple of the quantum of the sensors, and has no negative zero', () => {
    const steps = [0, 1, -1, 1000, -1000, 3];
    const between = steps.map((count) => (count + 0.4) * QUANTUM_RAD);
    const expected = steps.map((count) => count * QUANTUM_RAD);
    for (const [joint, angle] of publish(between).entries()) {
      expect(angle).toBeCloseTo(expected[joint]!, 12);
    }
    expect(publish([-0.2, -0.1, 0, 0.1, 0.2, 0.3].map((share) => share * QUANTUM_RAD))).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
  });

  it.each([
    ['the largest', JOINT_MAX_RAD, 1],
    ['the smallest', JOINT_MIN_RAD, -1],
  ])('is within the limits for %s angles, and beyond them where the joints are', (...row) => {
    const [, limits, sign] = row;
    const within = publish(limits);
    const beyond = publish(limits.map((limit) => limit + 2 * sign * QUANTUM_RAD));
    for (let joint = 0; joint < 6; joint++) {
      const inside_rad = sign * (limits[joint]! - within[joint]!);
      expect(inside_rad).toBeGreaterThanOrEqual(0);
      expect(inside_rad).toBeLessThan(QUANTUM_RAD);
      const outside_rad = sign * (beyond[joint]! - limits[joint]!);
      expect(Math.abs(outside_rad - 2 * QUANTUM_RAD)).toBeLessThanOrEqual(QUANTUM_RAD / 2 + 1e-12);
    }
  });
});

describe('a power cycle', () => {
  it('clears lock, toolpath, tool and outputs, and keeps settings and inputs', () => {
    const harness = new RobotHarness().prepare();
    const { robot } = harness;
    harness.apply({ kind: 'inputs', values: { d1: true, a1: 3 } });
    harness.apply({ kind: 'loopback', wires: { d2: 'd3' } });
    harness.apply({ kind: 'stick_inputs', stuck: { ee_d0: true } });
    const changes = [{ key: 'outputs.d0', value: true }] as const;
    harness.apply({ kind: 'globals', caller: ADA, changes });
    harness.apply({ kind: 'collision_detection', caller: ADA, enabled: true, sensitivity: 'low' });
    const times = { start_time: '00:01:00', end_time: '00:02:00' };
    harness.apply({ kind: 'scheduler', caller: ADA, enabled: true, ...times });
    const { schedule, detection } = structuredClone(robot.memory);
    robot.takeEvents();
    harness.apply(power_cycle);
    expect(robot.memory).toMatchObject({ state: 'ready', lock: null, loaded: null, tool: null });
    expect(robot.memory).toMatchObject({ schedule, detection });
    expect(ioOf(harness)).toMatchObject({
      inputs: { d1: true, a1: 3 },
      outputs: { d0: false },
      wired: { d1: true, a1: true },
      loopback: { d2: 'd3' },
      stuck: { ee_d0: true },
    });
    expect(robot.takeEvents()).toEqual([
      { kind: 'lock_status', holder: null },
      { kind: 'log', level: 'info', text: 'Power cycle' },
    ]);
    harness.apply(power_cycle);
    expect(eventsOf(harness, 'lock_status')).toEqual([]);
  });

  it('lets a moving arm brake first, and refuses what waits for that', () => {
    const harness = running();
    harness.apply({ kind: 'pause', caller: ADA });
    harness.apply(power_cycle);
    const refusal = expect.objectContaining({ refused: 'wrong_state' });
    expect(eventsOf(harness, 'completed')).toEqual([{ kind: 'completed', refusal }]);
    expect([harness.state, harness.robot.isMoving]).toEqual(['disabled', true]);
    expect([harness.robot.plannedPath, harness.robot.memory.activity]).toEqual([null, null]);
    harness.advance(2);
    expect(harness.state).toBe('ready');
    expect(harness.arm.feedback.position_rad[0]).toBeLessThan(AWAY[0]!);
  });

  it('of a guided arm waits until it stands', () => {
    const harness = new RobotHarness();
    harness.arm.feedback.standing = false;
    harness.apply(power_cycle);
    expect(harness.state).toBe('disabled');
    harness.advance(0.1);
    expect(harness.state).toBe('ready');
  });

  it('leaves the robot disabled while the emergency stop is pressed', () => {
    const harness = new RobotHarness();
    harness.apply(press);
    harness.apply(power_cycle);
    harness.advance(0.1);
    expect([harness.state, harness.robot.memory.estop_by_hand]).toEqual(['disabled', true]);
    harness.apply(release);
    expect(harness.state).toBe('ready');
  });

  it('clears faults and contacts, and reports the safety state', () => {
    const harness = new RobotHarness().prepare();
    harness.apply({ kind: 'collision_detection', caller: ADA, enabled: true });
    harness.arm.feedback.contact = { joint: 1, at_s: 0 };
    harness.advance(0.004);
    expect(harness.state).toBe('collision');
    harness.robot.takeEvents();
    harness.apply(power_cycle);
    expect(eventsOf(harness, 'safety')).toEqual([{ kind: 'safety', state: 'ok' }]);
    harness.advance(0.1);
    expect([harness.state, harness.arm.feedback.contact]).toEqual(['ready', null]);
  });

  it('completes an update, as does an emergency stop that was pressed in it', () => {
    const harness = new RobotHarness().prepare();
    harness.apply({ kind: 'begin_update' });
    harness.apply(press);
    expect(harness.state).toBe('updating');
    harness.robot.takeEvents();
    harness.apply({ kind: 'finish_update' });
    expect([harness.state, harness.robot.lockHolder]).toEqual(['disabled', null]);
    expect(logOf(harness)).toEqual([
      'info: updating → ready (update finished)',
      'info: Power cycle',
    ]);
    harness.apply(release);
    expect(harness.state).toBe('ready');
  });
});

describe('the pose at rest', () => {
  const stand = { kind: 'stand_at', joints: AWAY } as const;

  it.each<[string, () => RobotHarness]>([
    ['moves', running],
    [
      'brakes without a motion',
      () => {
        const harness = running();
        harness.apply(press);
        return harness;
      },
    ],
    [
      'waits in a run',
      () => {
        const condition = { type: 'time', duration: 9 } as const;
        const place = { next: END_OF_LOOP, at: '/timeline/1', cell: [] };
        const wait: ProgramStep = { kind: 'wait', condition, ...place };
        const harness = new RobotHarness().prepare(toolpathOf([wait]));
        harness.apply(run);
        return harness;
      },
    ],
  ])('cannot be set while the arm %s', (_name, reach) => {
    const harness = reach();
    const before = Array.from(harness.robot.restPose);
    expect(detailsOf(harness, stand)).toContain('The arm is moving');
    expect(Array.from(harness.robot.restPose)).toEqual(before);
  });

  it('is set without motion', () => {
    const harness = new RobotHarness();
    expect(harness.apply(stand)).toBeNull();
    expect([restTurn(harness), harness.robot.isMoving]).toEqual([AWAY[0], false]);
  });
});

describe('a shutdown', () => {
  it('refuses what waits for standstill, and sets no output', () => {
    const harness = running();
    const io = { location: 'base', type: 'digital', index: 3 } as const;
    const { loaded } = harness.robot.memory;
    Object.assign(loaded!.program, { output_on_error: { io, value: true } });
    harness.apply({ kind: 'pause', caller: ADA });
    harness.apply({ kind: 'shut_down' });
    const refusal = expect.objectContaining({ refused: 'wrong_state' });
    expect(eventsOf(harness, 'completed')).toEqual([{ kind: 'completed', refusal }]);
    expect([harness.state, ioOf(harness).outputs['d3']]).toEqual(['shutting_down', false]);
    harness.advance(1);
    expect(harness.robot.isMoving).toBe(false);
    expect(harness.arm.feedback.position_rad[0]).toBeLessThan(AWAY[0]!);
  });
});

it('a token that ends takes its own lock with it, and no other', () => {
  const harness = new RobotHarness();
  const forget = (token_id: number) => harness.apply({ kind: 'forget_token', token_id });
  forget(ADA.token_id);
  expect(harness.robot.takeEvents()).toEqual([]);
  harness.apply({ kind: 'lock', caller: ADA });
  forget(BEN.token_id);
  expect(harness.robot.lockHolder).toEqual(ADA);
  harness.robot.takeEvents();
  forget(ADA.token_id);
  expect(harness.robot.lockHolder).toBeNull();
  expect(harness.robot.takeEvents()).toEqual([{ kind: 'lock_status', holder: null }]);
});
