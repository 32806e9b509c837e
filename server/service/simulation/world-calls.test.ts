/** Replies and refusals of the calls about clock, signals, loads and servos. */
import { describe, expect, it } from 'vitest';
import type { ArmInstruments } from '../../../bridge/arm-instruments.ts';
import type { ArmWorld } from '../../../bridge/arm-world.ts';
import type { CellSensor, SimLoad } from '../../../contract/types.generated.ts';
import { haltRefusal } from '../../cell/halt-refusal.ts';
import { paceFrom } from '../../clock/clock-reply.ts';
import type { Call } from '../http/call.ts';
import { isUnawaited } from '../http/deadline.ts';
import { simulationHandlers } from './handlers.ts';
import { Simulation, type SimulationParts } from './simulation.ts';
import { withTwinClient } from './twin-client.cases.ts';

describe('the clock', () => {
  it('has a pace by name or as a factor', async () => {
    expect(paceFrom(2)).toEqual({ kind: 'scaled', factor: 2 });
    expect(paceFrom('max')).toEqual({ kind: 'max' });
    await withTwinClient({}, async ({ arm }) => {
      expect(await arm.setClock({ pace: 5, paused: true })).toMatchObject({
        ...{ pace: 5, paused: true, tick: 0, now_s: 0 },
      });
      expect(await arm.setClock({ paused: false })).toMatchObject({ pace: 5, paused: false });
      expect(await arm.setClock({ pace: 'stepped' })).toMatchObject({ pace: 'stepped' });
      const { tick } = await arm.getClock();
      expect(await arm.stepClock({ ticks: 3 })).toMatchObject({ tick: tick + 3 });
      expect(await arm.advanceClock({ seconds: 0.1 })).toMatchObject({ tick: tick + 28 });
    });
  });

  it('does not advance for a state that is there', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const { reached, state, clock } = await arm.runUntil({ state: 'ready', limit_s: 5 });
      expect([reached, state, clock.tick]).toEqual([true, 'ready', 0]);
    });
  });

  it('stands where the cell cannot be simulated any further, and says why', () => {
    const halted = (cell: object | null) => haltRefusal({ world: { cell } as object as ArmWorld });
    expect(halted(null)).toBe(null);
    expect(halted({ failure: null })).toBe(null);
    expect(halted({ failure: 'a part is lost' })).toMatchObject({
      ...{ refused: 'wrong_state', details: expect.stringContaining('a part is lost') },
    });
    expect(haltRefusal({ world: null })).toBe(null);
  });

  it('goes on only for a client that is there, within its time', () => {
    const unawaited = [false, true].flatMap((passed) =>
      [false, true].map((isLeft) => isUnawaited({ passed, isLeft } as never)),
    );
    expect(unawaited).toEqual([false, true, true, true]);
  });
});

describe('loopback wires', () => {
  const MIXED = 'must not connect digital and analog';
  const TWICE = 'uses an input or output that is already wired';

  const MIXED_KINDS = [{ output: 'd0', input: 'a0' }] as const;
  const ONE_INPUT = [
    { output: 'd0', input: 'd1' },
    { output: 'd2', input: 'd1' },
  ] as const;
  const ONE_OUTPUT = [
    { output: 'ee_d0', input: 'd1' },
    { output: 'ee_d0', input: 'd2' },
  ] as const;

  it.each([
    { wires: MIXED_KINDS, path: '/wires/0', problem: MIXED },
    { wires: ONE_INPUT, path: '/wires/1', problem: TWICE },
    { wires: ONE_OUTPUT, path: '/wires/1', problem: TWICE },
  ])('are refused with the place: $path $problem', async ({ wires, path, problem }) => {
    await withTwinClient({}, async ({ arm }) => {
      const before = [{ output: 'd3', input: 'ee_d0' } as const];
      expect(await arm.setLoopback({ wires: before })).toEqual({ wires: before });
      await expect(arm.setLoopback({ wires: [...wires] })).rejects.toMatchObject({
        status: 400,
        details: [{ path, problem }],
      });
      expect(await arm.getLoopback()).toEqual({ wires: before });
    });
  });

  it('into an input that the cell drives are refused', async () => {
    const size_m = { x: 0.1, y: 0.1, z: 0.1 };
    const sensor: CellSensor = {
      kind: 'presence',
      name: 'gate',
      input: 'd1',
      position: { x: 0.5, y: 0.3, z: 0 },
      size_m,
    };
    await withTwinClient({ cell: { name: 'one', sensors: [sensor] } }, async ({ arm }) => {
      const wires = [{ output: 'd0', input: 'd1' } as const];
      await expect(arm.setLoopback({ wires })).rejects.toMatchObject({
        status: 400,
        details: [{ path: '/wires/0/input', problem: expect.stringContaining('input d1') }],
      });
    });
  });
});

describe('the load', () => {
  const centre_of_mass_m = { x: 0, y: 0.01, z: 0.1 };
  const load = (inertia?: SimLoad['inertia']): SimLoad => ({
    ...{ mass_kg: 0.5, centre_of_mass_m },
    ...(inertia && { inertia }),
  });
  const tensor = (xx: number, yy: number, zz: number) => ({ xx, yy, zz, xy: 0, xz: 0, yz: 0 });

  it('has the inertia of a ball where none is given, and is taken away', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const { load: ball, payload_kg } = await arm.setLoad(load());
      expect(ball).toMatchObject(load());
      const { xx, yy, zz, xy } = ball!.inertia!;
      expect(xx).toBeGreaterThan(0);
      expect([yy, zz, xy, payload_kg]).toEqual([xx, xx, 0, 0]);
      expect((await arm.getLoad()).load).toEqual(ball);
      await arm.clearLoad();
      expect((await arm.getLoad()).load).toBe(null);
    });
  });

  it('may have any inertia of a body, also of a thin rod or plate', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const turned = { ...tensor(0.003, 0.002, 0.0015), xy: 0.0001, xz: 2e-4, yz: -1e-4 };
      for (const inertia of [turned, tensor(0.003, 0.001, 0.002), tensor(0.001, 0.002, 0.003)]) {
        expect((await arm.setLoad(load(inertia))).load).toEqual(load(inertia));
      }
    });
  });

  it.each([
    ['a negative moment', tensor(0.001, -0.001, 0.001), 'is not positive definite'],
    ['no moment about an axis', tensor(0.001, 0.001, 0), 'is not positive definite'],
    ['too great a moment', tensor(0.001, 0.004, 0.001), 'belongs to no body'],
    ['too great a last one', tensor(0.001, 0.001, 0.004), 'belongs to no body'],
  ])('is refused with the inertia of no body: %s', async (_what, inertia, problem) => {
    await withTwinClient({}, async ({ arm }) => {
      await expect(arm.setLoad(load(inertia))).rejects.toMatchObject({
        status: 400,
        details: [{ path: '/inertia', problem: expect.stringContaining(problem) }],
      });
      expect((await arm.getLoad()).load).toBe(null);
    });
  });
});

describe('servos', () => {
  it('give their telemetry with the name of the driver', () => {
    const driver = { name: 'servo', pace: 'real-time' };
    const services = { loop: {}, updates: {}, database: {} };
    const telemetry = { servos: [], mirror: null };
    const instruments = { read: () => telemetry } as object as ArmInstruments;
    const parts = { driver, instruments, services, world: null } as object as SimulationParts;
    const { getServos } = simulationHandlers(new Simulation(parts));
    expect((getServos as (call: Call) => unknown)({} as Call)).toEqual({
      reply: { driver: 'servo', ...telemetry },
    });
  });
});
