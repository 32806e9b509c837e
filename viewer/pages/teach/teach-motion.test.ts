import { beforeEach, describe, expect, it } from 'vitest';
import type { ArmClient } from '../../../contract/client.ts';
import { success } from '../../../contract/result.ts';
import type { GoToBody, Joints } from '../../../contract/types.generated.ts';
import { MODEL_RANGE } from '../../../physics/arm/arm-range.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import { ArmStore } from '../../link/arm-store.ts';
import type { Commands } from '../../link/commands.ts';
import { TeachMotion } from './teach-motion.ts';
import { createTeachSettings } from './teach-settings.ts';

const START: Joints = [0, -0.8, -1.6, 0, -0.74, 0];
const FOUND: Joints = [0.1, -0.8, -1.6, 0, -0.74, 0];
const MOVE_X = { kind: 'move', axis: 0 } as const;
const TURN_Z = { kind: 'turn', axis: 2 } as const;

let calls: string[];
let sent: GoToBody[];
/** Which calls of go_to are refused, counted from one. */
let refused: ReadonlySet<number>;
let measured: Joints;
let states: string[];
let settings: ReturnType<typeof createTeachSettings>;
let store: ArmStore;
let motion: TeachMotion;

/** The first joint turned by an angle. */
function turned(by_rad: number) {
  return (from: Joints) => from.with(0, from[0] + by_rad) as Joints;
}

/** The calls that teaching makes, each with the same joints as its reply. */
function clientOf(): ArmClient {
  const recorded = (name: string, reply: object) => async () => {
    calls.push(name);
    return reply;
  };
  const found = { result: 'success', joints: FOUND };
  const state = async () => ({
    snapshot: {
      'servos.telemetry.position': measured,
      control: { state: states.shift() ?? 'ready' },
    },
  });
  const client = {
    nudge: recorded('nudge', { nudge: found }),
    rotate: recorded('rotate', { rotate: { result: 'error', error: 'j5_boundary_limit' } }),
    inverseKinematics: recorded('ik', { ik: found }),
    getSnapshot: state,
  };
  return client as object as ArmClient;
}

beforeEach(() => {
  [calls, sent, states] = [[], [], []];
  refused = new Set();
  measured = START;
  settings = createTeachSettings();
  store = new ArmStore();
  const call: ArmCalls['call'] = async (act) => success(await act(clientOf()));
  const goTo: Commands['goTo'] = async (body) => {
    sent.push(body);
    if (refused.has(sent.length)) return false;
    measured = body.joints;
    return true;
  };
  const cancel = async () => {
    calls.push('cancel');
    states = [];
  };
  const acquireLock = async () => true;
  motion = new TeachMotion({
    arm: store,
    calls: { call } as Partial<ArmCalls> as ArmCalls,
    commands: { goTo, cancel, acquireLock } as Partial<Commands> as Commands,
    range: () => MODEL_RANGE,
    settings,
    motionOptions: () => ({ avoidance_zones: [] }),
  });
});

it('turns one joint from the current pose, in teach mode, with the zones', async () => {
  expect(await motion.jog(turned(0.02))).toBe(true);
  const joints = START.with(0, 0.02);
  expect(sent).toEqual([{ mode: 'teach', joints, max_speed: 0.1, avoidance_zones: [] }]);
});

it('accumulates steps from goal to goal, not from telemetry', async () => {
  await motion.jog(turned(0.1));
  measured = START.with(0, 0.096) as Joints;
  await motion.jog(turned(0.1));
  expect(sent.at(-1)!.joints[0]).toBeCloseTo(0.2, 12);
});

it('starts from the pose to which the arm was moved meanwhile', async () => {
  await motion.jog(turned(0.1));
  measured = START.with(0, 0.5) as Joints;
  await motion.jog(turned(0.1));
  expect(sent.at(-1)!.joints[0]).toBeCloseTo(0.6, 12);
});

it('waits until the arm stops, and ignores requests meanwhile', async () => {
  states = ['running', 'stopping'];
  const first = motion.goTo(FOUND);
  expect(motion.moving).toBe(true);
  expect(await motion.jog(turned(1))).toBe(false);
  expect(await first).toBe(true);
  expect([motion.moving, sent.length, states.length]).toEqual([false, 1, 0]);
  expect(motion.settling()).toBe(true);
});

it('returns false when the arm stopped elsewhere', async () => {
  states = ['running', 'collision'];
  expect(await motion.goTo(FOUND)).toBe(false);
});

it('uses the nudge call along base axes and the rotate call about tool axes', async () => {
  await motion.step(MOVE_X, 0.001);
  settings.frame.value = 'tool';
  await motion.step(MOVE_X, 0.001);
  settings.frame.value = 'base';
  await motion.step(TURN_Z, 0.01);
  await motion.moveTool((pose) => pose.with(11, 0.3));
  expect(calls).toEqual(['nudge', 'ik', 'ik', 'ik']);
  expect(sent.map(({ joints }) => joints)).toEqual([FOUND, FOUND, FOUND, FOUND]);
});

it('does not move when the calculation fails, and shows the reason', async () => {
  settings.frame.value = 'tool';
  expect(await motion.step(TURN_Z, 0.01)).toBe(false);
  expect([sent, store.view().notice?.code]).toEqual([[], 'j5_boundary_limit']);
  expect(store.view().notice?.text).toContain('J6 beyond its limit');
});

describe('a motion that is held', () => {
  /** The arm moves for as long as nobody stops it. */
  const moving = () => Array.from({ length: 1000 }, () => 'running');

  it('stops where it is when it is released, and adds no step to its goal', async () => {
    const press = new AbortController();
    states = moving();
    const turning = motion.turnWhileHeld(0, [1, 0.5], press.signal);
    await expect.poll(() => sent.length).toBe(1);
    expect(calls).toEqual([]);
    press.abort();
    expect(await turning).toBe(false);
    expect(calls).toEqual(['cancel']);
    expect(sent[0]!.joints[0]).toBeCloseTo(1, 12);
    measured = START.with(0, 0.3) as Joints;
    await motion.jog(turned(0.1));
    expect(sent.at(-1)!.joints[0]).toBeCloseTo(0.4, 12);
  });

  it('goes as far as the range and the way allow', async () => {
    refused = new Set([1]);
    const held = new AbortController().signal;
    expect(await motion.turnWhileHeld(0, [9, 1, 0.5], held)).toBe(true);
    expect(sent.map(({ joints }) => joints[0])).toEqual([1, 0.5]);
  });

  it('stops a step of the tool that is released', async () => {
    const press = new AbortController();
    states = moving();
    const step = motion.step(MOVE_X, 0.02, press.signal);
    await expect.poll(() => sent.length).toBe(1);
    press.abort();
    expect(await step).toBe(false);
    expect(calls).toEqual(['nudge', 'cancel']);
  });

  it('does not go on where the loss of the lock has stopped the arm on its way', async () => {
    states = moving();
    const turning = motion.turnWhileHeld(0, [1], new AbortController().signal);
    await expect.poll(() => sent.length).toBe(1);
    measured = START.with(0, 0.3) as Joints;
    states = [];
    expect(await turning).toBe(false);
    expect(sent.length).toBe(1);
  });

  it('does not begin after the release', async () => {
    expect(await motion.turnWhileHeld(0, [1], AbortSignal.abort())).toBe(false);
    expect(sent).toEqual([]);
  });
});
