import { beforeEach, expect, it } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import { success } from '../../contract/result.ts';
import type { GoToBody, Joints } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import { createArmStore } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { type ArmMover, createArmMover } from './arm-mover.ts';
import { createTeachSettings } from './teach-settings.ts';

const START: Joints = [0, -0.8, -1.6, 0, -0.74, 0];
const FOUND: Joints = [0.1, -0.8, -1.6, 0, -0.74, 0];
const MOVE_X = { kind: 'move', axis: 0 } as const;
const TURN_Z = { kind: 'turn', axis: 2 } as const;

let said: string[];
let sent: GoToBody[];
let stands: Joints;
let states: string[];
let settings: ReturnType<typeof createTeachSettings>;
let store: ReturnType<typeof createArmStore>;
let mover: ArmMover;

/** The first joint turned by so much. */
function turned(by_rad: number) {
  return (from: Joints) => from.with(0, from[0] + by_rad) as Joints;
}

/** The calls that a mover makes, each answered with the same joints. */
function clientOf(): ArmClient {
  const told = (name: string, reply: object) => async () => {
    said.push(name);
    return reply;
  };
  const found = { result: 'success', joints: FOUND };
  const state = async () => ({
    snapshot: {
      'servos.telemetry.position': stands,
      control: { state: states.shift() ?? 'ready' },
    },
  });
  const client = {
    nudge: told('nudge', { nudge: found }),
    rotate: told('rotate', { rotate: { result: 'error', error: 'j5_boundary_limit' } }),
    inverseKinematics: told('ik', { ik: found }),
    getSnapshot: state,
  };
  return client as object as ArmClient;
}

beforeEach(() => {
  [said, sent, states] = [[], [], []];
  stands = START;
  settings = createTeachSettings();
  store = createArmStore();
  const call: ArmCalls['call'] = async (act) => success(await act(clientOf()));
  const goTo: Commands['goTo'] = async (body) => {
    sent.push(body);
    return true;
  };
  mover = createArmMover({
    arm: store,
    calls: { call } as Partial<ArmCalls> as ArmCalls,
    commands: { goTo } as Partial<Commands> as Commands,
    settings,
    load: () => ({ avoidance_zones: [] }),
  });
});

it('turns one joint from where the arm stands, in teach mode, with its zones', async () => {
  expect(await mover.jog(turned(0.02))).toBe(true);
  const joints = START.with(0, 0.02);
  expect(sent).toEqual([{ mode: 'teach', joints, max_speed: 0.1, avoidance_zones: [] }]);
});

it('adds steps up from goal to goal, not from what the telemetry says', async () => {
  await mover.jog(turned(0.1));
  stands = START.with(0, 0.096) as Joints;
  await mover.jog(turned(0.1));
  expect(sent.at(-1)!.joints[0]).toBeCloseTo(0.2, 12);
});

it('starts from where the arm was taken meanwhile', async () => {
  await mover.jog(turned(0.1));
  stands = START.with(0, 0.5) as Joints;
  await mover.jog(turned(0.1));
  expect(sent.at(-1)!.joints[0]).toBeCloseTo(0.6, 12);
});

it('waits until the arm rests, and does nothing else meanwhile', async () => {
  states = ['running', 'stopping'];
  const first = mover.goTo(FOUND);
  expect(mover.moving).toBe(true);
  expect(await mover.jog(turned(1))).toBe(false);
  expect(await first).toBe(true);
  expect([mover.moving, sent.length, states.length]).toEqual([false, 1, 0]);
  expect(mover.settling()).toBe(true);
});

it('says that the arm did not get there when it stopped for another reason', async () => {
  states = ['running', 'collision'];
  expect(await mover.goTo(FOUND)).toBe(false);
});

it('nudges along the base and turns about the tool by the calls made for it', async () => {
  await mover.step(MOVE_X, 0.001);
  settings.set({ frame: 'tool' });
  await mover.step(MOVE_X, 0.001);
  settings.set({ frame: 'base' });
  await mover.step(TURN_Z, 0.01);
  await mover.reach((pose) => pose.with(11, 0.3));
  expect(said).toEqual(['nudge', 'ik', 'ik', 'ik']);
  expect(sent.map(({ joints }) => joints)).toEqual([FOUND, FOUND, FOUND, FOUND]);
});

it('moves nothing where the calculation finds no way, and says so in words', async () => {
  settings.set({ frame: 'tool' });
  expect(await mover.step(TURN_Z, 0.01)).toBe(false);
  expect([sent, store.view().notice?.code]).toEqual([[], 'j5_boundary_limit']);
  expect(store.view().notice?.text).toContain('J6 beyond its limit');
});
