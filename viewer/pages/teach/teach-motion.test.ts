import { beforeEach, expect, it } from 'vitest';
import type { ArmClient } from '../../../contract/client.ts';
import { success } from '../../../contract/result.ts';
import type { GoToBody, Joints } from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import { createArmStore } from '../../link/arm-store.ts';
import type { Commands } from '../../link/commands.ts';
import { TeachMotion } from './teach-motion.ts';
import { createTeachSettings } from './teach-settings.ts';

const START: Joints = [0, -0.8, -1.6, 0, -0.74, 0];
const FOUND: Joints = [0.1, -0.8, -1.6, 0, -0.74, 0];
const MOVE_X = { kind: 'move', axis: 0 } as const;
const TURN_Z = { kind: 'turn', axis: 2 } as const;

let calls: string[];
let sent: GoToBody[];
let measured: Joints;
let states: string[];
let settings: ReturnType<typeof createTeachSettings>;
let store: ReturnType<typeof createArmStore>;
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
  measured = START;
  settings = createTeachSettings();
  store = createArmStore();
  const call: ArmCalls['call'] = async (act) => success(await act(clientOf()));
  const goTo: Commands['goTo'] = async (body) => {
    sent.push(body);
    return true;
  };
  motion = new TeachMotion({
    arm: store,
    calls: { call } as Partial<ArmCalls> as ArmCalls,
    commands: { goTo } as Partial<Commands> as Commands,
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
  settings.set({ frame: 'tool' });
  await motion.step(MOVE_X, 0.001);
  settings.set({ frame: 'base' });
  await motion.step(TURN_Z, 0.01);
  await motion.moveTool((pose) => pose.with(11, 0.3));
  expect(calls).toEqual(['nudge', 'ik', 'ik', 'ik']);
  expect(sent.map(({ joints }) => joints)).toEqual([FOUND, FOUND, FOUND, FOUND]);
});

it('does not move when the calculation fails, and shows the reason', async () => {
  settings.set({ frame: 'tool' });
  expect(await motion.step(TURN_Z, 0.01)).toBe(false);
  expect([sent, store.view().notice?.code]).toEqual([[], 'j5_boundary_limit']);
  expect(store.view().notice?.text).toContain('J6 beyond its limit');
});
