/** What each call about world and clock does to the parts of a twin, and what it answers. */

import { beforeEach, describe, expect, it } from 'vitest';
import { refuse } from '../../../contract/refusal.ts';
import type { RouteId } from '../../../contract/routes.ts';
import type { Call } from '../http/call.ts';
import { EMPTY } from '../http/reply.ts';
import { EVERYONE } from '../stream/audience.ts';
import { clockHandlers } from './clock-handlers.ts';
import type { Simulation } from './simulation.ts';
import { worldHandlers } from './world-handlers.ts';

const NO_WORLD = refuse('not_supported', 'no simulated world');
/** A date in whose year no tick may end: 100 ticks are left. */
const LATE_MS = Date.UTC(10_000, 0) - 1 - 100 * 4;

/** What the parts were asked to do. */
let noted: unknown[];
let clock: ReturnType<typeof fakeClock>;
let memory: { state: string; io: { loopback: Record<string, string> }; loaded: null };
let parts: Record<string, unknown> & { services: Record<string, unknown> };
let simulation: Record<string, unknown>;
/** Whether the twin knows the obstacle or fault that a call removes. */
let isKnown: boolean;

function fakeClock() {
  return {
    pace: { kind: 'stepped' },
    paused: false,
    statistics: () => ({ real_time_factor: 1 }),
    set: (change: object) => void noted.push(['set', change]),
    async advance(ticks: number, until?: () => boolean) {
      noted.push(['advance', ticks]);
      clock.until = until;
    },
    until: undefined as (() => boolean) | undefined,
  };
}

function fakeServices() {
  return {
    loop: {
      epoch_ms: 0,
      apply: (command: object) => void noted.push(command),
      applyWorldAction: (action: object) => void noted.push(action),
    },
    robot: { memory, isCommandAwaited: false, range: null, snapshot: () => ({}) },
    time: { tick: 500, epoch_ms: 0 },
    sessions: {
      endWhere: (isMeant: (session: object) => boolean) => void noted.push(['end', isMeant({})]),
    },
    hub: { publish: (...given: unknown[]) => void noted.push(['publish', ...given]) },
    library: { forgetShared: (...given: unknown[]) => void noted.push(['forget', ...given]) },
    passwords: { clear: () => void noted.push('passwords') },
  };
}

beforeEach(() => {
  [noted, isKnown] = [[], false];
  memory = { state: 'ready', io: { loopback: {} }, loaded: null };
  clock = fakeClock();
  const driver = { name: 'fast', pace: 'any' };
  const world = { contacts: { list: () => [] }, load: null, realism: 'ideal', profile: null };
  parts = { driver, world, clock, services: fakeServices() as Record<string, unknown> };
  const list = {
    add: (body: object) => ({ id: 3, ...body }),
    remove: () => isKnown,
    clear: () => isKnown,
  };
  const forces = { apply: (...given: unknown[]) => noted.push(['force', ...given]) };
  simulation = { parts, forces, obstacles: list, faults: list, worldRefusal: null };
});

/** Makes a call of a twin as it is now. */
async function call(id: RouteId, body: object = {}, rest: object = {}) {
  const twin = simulation as object as Simulation;
  const handlers = { ...clockHandlers(twin), ...worldHandlers(twin) };
  const deadline = { passed: false, isLeft: false };
  const handler = handlers[id] as (call: Call) => unknown;
  return handler({ body, parameters: {}, deadline, ...rest } as object as Call);
}

describe('a button', () => {
  it('and the emergency stop are commands, and answer why one is refused', async () => {
    expect(await call('pressWaypoint')).toEqual(EMPTY);
    expect(await call('setButtons', { backdriving: true })).toEqual(EMPTY);
    expect(await call('setEmergencyStop', { engaged: true })).toEqual(EMPTY);
    expect(noted).toEqual([
      { kind: 'waypoint_button' },
      { kind: 'backdriving', pressed: true },
      { kind: 'estop', engaged: true },
    ]);
    parts.services['loop'] = { apply: () => refuse('wrong_state') };
    for (const id of ['pressWaypoint', 'setButtons', 'setEmergencyStop'] as const) {
      expect(await call(id)).toMatchObject({ refused: 'wrong_state' });
    }
  });
});

describe('a force on the flange', () => {
  it('has a duration or none', async () => {
    const force = { x: 1, y: 2, z: 3 };
    expect(await call('pushArm', { force, duration_s: 2 })).toEqual(EMPTY);
    expect(await call('pushArm', { force })).toEqual(EMPTY);
    expect(noted).toEqual([
      ['force', [1, 2, 3], 2],
      ['force', [1, 2, 3], null],
    ]);
  });
});

describe('an obstacle or a fault', () => {
  it('that is unknown cannot be removed', async () => {
    const removals = [
      ['removeObstacle', { obstacle_id: 7 }, 'There is no obstacle 7'],
      ['clearFault', { fault_id: 7 }, 'There is no fault 7'],
    ] as const;
    for (const [id, parameters, details] of removals) {
      isKnown = false;
      const refused = await call(id, {}, { parameters });
      expect(refused).toMatchObject({ refused: 'not_found', details });
      isKnown = true;
      expect(await call(id, {}, { parameters })).toEqual(EMPTY);
    }
  });

  it('that is new is answered with its number', async () => {
    const body = { kind: 'sensor_noise' };
    expect(await call('addFault', body)).toEqual({ reply: { fault: { id: 3, ...body } } });
  });
});

describe('a power cycle', () => {
  it('ends all sessions, and forgets failed log-ins and shared toolpaths', async () => {
    expect(await call('cyclePower')).toEqual(EMPTY);
    expect(noted).toEqual([{ kind: 'power_cycle' }, ['end', true], 'passwords', ['forget']]);
  });
});

describe('a change of the configuration', () => {
  it('is published to every client', async () => {
    expect(await call('changeConfig', { key: 'a' })).toEqual(EMPTY);
    expect(noted).toEqual([['publish', { type: 'config_change', key: 'a' }, EVERYONE]]);
  });
});

describe('the fidelity', () => {
  it('names the range of each joint', async () => {
    const range = { min_rad: Float64Array.of(-1, -2), max_rad: Float64Array.of(3, 4) };
    parts.services['robot'] = { memory, range };
    expect(await call('getFidelity')).toMatchObject({
      reply: { realism: 'ideal', joint_range: { min_rad: [-1, -2], max_rad: [3, 4] } },
    });
  });
});

describe('contacts and load', () => {
  const CALLS = ['listContacts', 'getLoad', 'setLoad', 'clearLoad'] as const;

  it('are refused without a simulated world', async () => {
    Object.assign(parts, { world: null });
    Object.assign(simulation, { worldRefusal: NO_WORLD });
    for (const id of CALLS) expect(await call(id)).toEqual(NO_WORLD);
    const force = { x: 1, y: 2, z: 3 };
    expect(await call('pushArm', { force })).toEqual(NO_WORLD);
    expect(noted).toEqual([]);
  });

  it('are those of the world', async () => {
    expect(await call('listContacts')).toMatchObject({ reply: { contacts: [] } });
    expect(await call('getLoad')).toEqual({ reply: { load: null, payload_kg: 0 } });
  });

  it('a load is that of a body within the rounding of its moments', async () => {
    const load = (zz: number) => {
      const inertia = { xx: 0.001, yy: 0.001, zz, xy: 0, xz: 0, yz: 0 };
      return call('setLoad', { mass_kg: 1, centre_of_mass_m: { x: 0, y: 0, z: 0 }, inertia });
    };
    // The greatest that is taken: the sum of the others and a billionth of itself.
    let most = 0.002;
    for (let step = 0; step < 9; step++) most = 0.002 + 1e-9 * most;
    expect(await load(most)).toHaveProperty('reply');
    expect(await load(most * (1 + 1e-9))).toMatchObject({ refused: 'invalid_arguments' });
  });
});

describe('loopback wires', () => {
  it('may be several, and need no simulated world', async () => {
    Object.assign(parts, { world: null });
    const wires = [
      { output: 'd0', input: 'd1' },
      { output: 'd2', input: 'd3' },
    ];
    expect(await call('setLoopback', { wires })).toEqual({ reply: { wires: [] } });
    expect(noted).toEqual([{ kind: 'loopback', wires: { d0: 'd1', d2: 'd3' } }]);
  });
});

describe('the clock', () => {
  const REAL_TIME = { name: 'servo', pace: 'real-time' };

  it('advances to the last date that can be written, not beyond', async () => {
    parts.services['loop'] = { epoch_ms: LATE_MS };
    expect(await call('stepClock', { ticks: 100 })).toMatchObject({ reply: { tick: 500 } });
    expect(await call('stepClock', { ticks: 101 })).toMatchObject({
      ...{ refused: 'invalid_arguments', details: [{ path: '/ticks' }] },
    });
    expect(await call('advanceClock', { seconds: 0.404 })).toMatchObject({
      details: [{ path: '/seconds' }],
    });
    expect(noted).toEqual([['advance', 100]]);
  });

  it('goes on while its answer is awaited', async () => {
    const deadline = { passed: false, isLeft: false };
    await call('stepClock', { ticks: 100 }, { deadline });
    expect(clock.until!()).toBe(false);
    deadline.isLeft = true;
    expect(clock.until!()).toBe(true);
  });

  it('goes on until a state is reached, or the answer is not awaited', async () => {
    const deadline = { passed: false, isLeft: false };
    const reply = await call('runUntil', { state: 'running', limit_s: 2 }, { deadline });
    expect(reply).toMatchObject({ reply: { reached: false, state: 'ready' } });
    expect([noted, clock.until!()]).toEqual([[['advance', 500]], false]);
    memory.state = 'running';
    expect(clock.until!()).toBe(true);
    Object.assign(memory, { state: 'ready' });
    deadline.passed = true;
    expect(clock.until!()).toBe(true);
  });

  it('has one pace only with a driver of real joints', async () => {
    Object.assign(parts, { driver: REAL_TIME });
    expect(await call('setClock', { pace: 1, paused: false })).toHaveProperty('reply');
    expect(noted).toMatchObject([['set', { pace: { factor: 1 }, paused: false }]]);
    noted = [];
    const details = 'The driver servo runs in real time only';
    for (const [id, body] of [
      ['runUntil', { state: 'running', limit_s: 2 }],
      ['stepClock', { ticks: 1 }],
      ['setClock', { pace: 2 }],
    ] as const) {
      expect(await call(id, body)).toMatchObject({ refused: 'not_supported', details });
    }
    expect(noted).toEqual([]);
  });

  it('plays the ticks of a command that is awaited before it answers, and no others', async () => {
    await call('setClock', { paused: true });
    const change = ['set', { pace: undefined, paused: true }];
    expect(noted).toEqual([change]);
    parts.services['robot'] = { memory, isCommandAwaited: true };
    await call('setClock', { paused: true });
    expect(noted).toEqual([change, change, ['advance', 0]]);
  });
});
