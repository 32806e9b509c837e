/** Calculations and robot calls with fakes of the robot's parts: what is refused, and with what. */

import { describe, expect, it } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../../contract/refusal.ts';
import type { AvoidanceZone } from '../../../../contract/types.generated.ts';
import { tickOf } from '../../../clock/twin-time.ts';
import type { Answer } from '../reply.ts';
import type { Services } from '../services.ts';
import { calculationHandlers } from './calculations.ts';
import { controlHandlers } from './controls.ts';

type AnyHandler = (call: object, services: Services) => Answer | Promise<Answer>;
const caller = { user_id: 1, token_id: 1, role: 'user' };

/** Makes a call with fakes of the services; what every call has is added. */
async function call(handler: unknown, parts: object, services: object = { robot: {} }) {
  const common = { caller, dialect: 'documented', recheck: () => null };
  return (handler as AnyHandler)({ ...common, ...parts }, services as Services);
}

const REST = [0, 0.4, -1.8, 0, -1.4, 0];
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 };
const ZERO = { w: 0, x: 0, y: 0, z: 0 };
/** A box around a place beside the arm. */
const zone = (name: string, size_m = 0.1, orientation = UPRIGHT): AvoidanceZone => {
  const [dimensions, corner_m] = [{ x: size_m, y: size_m, z: size_m }, -size_m / 2];
  const position = { x: 2 + corner_m, y: corner_m, z: corner_m };
  return { name, avoid: 'inside', position, dimensions, orientation };
};
const EVERYWHERE = zone('everywhere', 10);

const { checkPose, forwardKinematics, inverseKinematics, nudge, rotate } = calculationHandlers;
const POSITION = { x: 0.3, y: 0, z: 0.3 };
const CALCULATIONS = {
  checkPose: [checkPose, { joints: REST }],
  forwardKinematics: [forwardKinematics, { joints: REST }],
  inverseKinematics: [inverseKinematics, { guess: REST, position: POSITION, orientation: UPRIGHT }],
  nudge: [nudge, { joints: REST, direction: 'z', offset: 0.01 }],
  rotate: [rotate, { joints: REST, axis: 'z', offset: 0.01 }],
  goTo: [controlHandlers.goTo, { joints: REST, mode: 'automatic' }],
} as const;

describe('avoidance zones', () => {
  it.each(Object.entries(CALCULATIONS))('are checked first: %s', async (_name, [handler, body]) => {
    const avoidance_zones = [zone('a'), zone('a'), zone('b', 0.1, ZERO)];
    expect(await call(handler, { body: { ...body, avoidance_zones } })).toMatchObject({
      refused: 'invalid_arguments',
      details: [{ path: '/avoidance_zones/1/name' }, { path: '/avoidance_zones/2/orientation' }],
    });
  });

  it.each([
    ['nudge', nudge, CALCULATIONS.nudge[1]],
    ['rotate', rotate, CALCULATIONS.rotate[1]],
  ] as const)('stop a move of the tool: %s', async (name, handler, body) => {
    const free = await call(handler, { body: { ...body, avoidance_zones: [zone('far')] } });
    expect(free).toMatchObject({ reply: { [name]: { result: 'success' } } });
    const hit = await call(handler, { body: { ...body, avoidance_zones: [EVERYWHERE] } });
    const error = 'object_collision';
    expect(hit).toEqual({ reply: { [name]: { result: 'error', error } } });
  });
});

it('an orientation of zeros is no orientation', async () => {
  const body = { guess: REST, position: POSITION, orientation: ZERO };
  expect(await call(inverseKinematics, { body })).toMatchObject({
    ...{ refused: 'invalid_arguments', details: [{ path: '/orientation' }] },
  });
});

describe('a go_to without a plan', () => {
  const plan = { ok: false, path: '/time', message: 'too fast', code: 'joint_speed' };
  const goTo = (given: object, recheck: () => Refusal | null = () => null) => {
    const robot = { restPose: REST, memory: { loaded: null, timing: null } };
    const planner = { goTo: async () => given };
    const body = { joints: REST, mode: 'automatic' };
    return call(controlHandlers.goTo, { body, recheck }, { robot, planner, loop: {} });
  };
  const details = { path: '/time', error: 'too fast', code: 'joint_speed' };

  it('is refused, with the least time where it is known', async () => {
    const known = await goTo({ ...plan, minimum_time_s: 2 });
    expect(known).toMatchObject({ refused: 'motion_refused' });
    expect((known as Refusal).details).toStrictEqual({ ...details, minimum_time_s: 2 });
    expect(((await goTo(plan)) as Refusal).details).toStrictEqual(details);
  });

  it('is refused as late where it is', async () => {
    const late = refuse('not_authenticated');
    expect(await goTo(plan, () => late)).toBe(late);
  });
});

describe('a command that waits for the arm while the clock is held', () => {
  /** Cancels on fakes; the test says how the advance and the standstill end. */
  function cancelled() {
    const robot = { isCommandAwaited: true };
    const ends: Record<string, () => void> = {};
    const seen: unknown[] = [];
    const advanced = new Promise<void>((resolve, reject) => {
      Object.assign(ends, { advanced: resolve, failed: () => reject(new Error('a tick')) });
    });
    const completion = new Promise<null>((resolve) => {
      Object.assign(ends, { stands: () => resolve(null) });
    });
    const clock = {
      whileHeld(callback: () => void) {
        callback();
        return () => seen.push('no more');
      },
      advance(ticks: number, isOver: () => boolean) {
        seen.push(ticks, isOver());
        return advanced;
      },
    };
    const loop = { apply: () => null, completion: () => completion };
    const answer = call(controlHandlers.cancel, {}, { robot, loop, clock });
    return { answer, robot, ends, seen };
  }

  it('is refused when the arm does not come to rest', async () => {
    const { answer, ends, seen } = cancelled();
    ends['advanced']!();
    expect(await answer).toMatchObject({ refused: 'wrong_state' });
    expect(seen).toEqual([tickOf(limits.standstill_wait_s), false]);
  });

  it('is answered by the standstill when the arm comes to rest', async () => {
    const { answer, robot, ends, seen } = cancelled();
    robot.isCommandAwaited = false;
    ends['advanced']!();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    ends['stands']!();
    expect(await answer).toEqual({ reply: {} });
    expect(seen.at(-1)).toBe('no more');
  });

  it('fails with the tick that fails', async () => {
    const { answer, ends } = cancelled();
    ends['failed']!();
    await expect(answer).rejects.toThrow('a tick');
  });
});

it('collision detection needs a sensitivity where it is enabled', async () => {
  const applied: object[] = [];
  const settings = {
    apply(command: object) {
      applied.push(command);
      return null;
    },
  };
  const audit = { record: () => {} };
  const set = (body: object) =>
    call(controlHandlers.setCollisionDetection, { body }, { settings, audit });
  expect(await set({ enabled: true })).toMatchObject({
    ...{ refused: 'invalid_arguments', details: [{ path: '/sensitivity' }] },
  });
  expect(applied).toEqual([]);
  for (const body of [{ enabled: true, sensitivity: 'low' }, { enabled: false }]) {
    expect(await set(body)).toEqual({ reply: {} });
    expect(applied.at(-1)).toEqual({ kind: 'collision_detection', caller, ...body });
  }
});
