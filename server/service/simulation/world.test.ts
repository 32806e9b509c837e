/** The simulation control API over HTTP: world, clock, faults, event stream and access. */
import { describe, expect, it } from 'vitest';
import { ARM_FAULT_KINDS } from '../../../bridge/arm-driver.ts';
import { ArmError } from '../../../contract/client.ts';
import { openSimulationStream, pollUntilDefined, withTwinClient } from './twin-client.cases.ts';

describe('faults of joints', () => {
  it('lead to error with a message that names the joint and the kind', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const stream = await openSimulationStream({ twin, arm });
      await arm.takeLock();
      for (const [i, fault] of ARM_FAULT_KINDS.entries()) {
        const joint = i % 6;
        const added = await arm.addFault({ kind: 'driver', joint, fault });
        await twin.advance(0.008);
        expect(twin.snapshot()['control']).toMatchObject({ state: 'error' });
        const text = await pollUntilDefined(() => {
          const found = stream.seen.find(
            (event) => event.type === 'log' && event.level === 'error',
          );
          return found?.type === 'log' ? found.text : undefined;
        });
        expect(text).toContain(`J${joint + 1}`);
        stream.seen.length = 0;
        await arm.clearFault({ fault_id: added.fault.id });
        await arm.resetErrors();
        expect(twin.snapshot()['control']).toMatchObject({ state: 'ready' });
      }
    });
  });

  it('replace each other at one joint', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.addFault({ kind: 'driver', joint: 1, fault: 'lost' });
      await arm.addFault({ kind: 'driver', joint: 1, fault: 'bus' });
      const { faults } = await arm.listFaults();
      expect(faults.map(({ fault }) => fault)).toEqual([
        { kind: 'driver', joint: 1, fault: 'bus' },
      ]);
    });
  });
});

describe('an obstacle', () => {
  it('is turned by an orientation of any length', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const place = { position: { x: 1, y: 0, z: 0 }, half: { x: 0.1, y: 0.1, z: 0.1 } };
      for (const [name, z] of Object.entries({ denormal: 5e-324, short: 1e-200, long: 1e4 })) {
        const orientation = { w: 0, x: 0, y: 0, z };
        const { obstacle } = await arm.addObstacle({ name, ...place, orientation });
        expect(obstacle.orientation).toEqual({ w: 0, x: 0, y: 0, z: 1 });
      }
    });
  });
});

describe('an obstacle set where the arm stands', () => {
  const half = { x: 0.05, y: 0.05, z: 0.05 };
  const standing = { name: 'column', position: { x: 0, y: 0, z: 0.6 }, half };

  it('is refused with its name and depth, and nothing pushes the arm', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      await expect(arm.addObstacle(standing)).rejects.toMatchObject({
        details: [
          {
            path: '/position',
            problem: 'column overlaps the arm by 99.7 mm; move the arm away first',
          },
        ],
      });
      expect((await arm.listObstacles()).obstacles).toEqual([]);
      await twin.advance(1);
      expect((await arm.listContacts()).contacts).toEqual([]);
    });
  });

  it('is refused in a seed, unless the seed moves the arm away', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await expect(arm.seedTwin({ obstacles: [standing] })).rejects.toMatchObject({
        details: [{ path: '/obstacles/0' }],
      });
      await arm.seedTwin({ obstacles: [standing], pose: [0, -1.5, 0, 0, 0, 0] });
      expect((await arm.listObstacles()).obstacles).toHaveLength(1);
      await expect(arm.seedTwin({ pose: [0, 0, 0, 0, 0, 0] })).rejects.toMatchObject({
        details: [{ path: '/pose/0' }],
      });
    });
  });
});

describe('the simulation event stream', () => {
  it('publishes contacts, the lock, the log and the clock', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const stream = await openSimulationStream({ twin, arm });
      await arm.takeLock();
      const half = { x: 0.05, y: 0.05, z: 0.05 };
      await arm.addObstacle({ name: 'lid', position: { x: 0, y: 0, z: 0.938 }, half });
      await twin.advance(2);
      const touching = await pollUntilDefined(() =>
        stream.seen.find(({ type }) => type === 'touching'),
      );
      expect(touching).toMatchObject({
        touches: expect.arrayContaining([expect.objectContaining({ link: 6, obstacle: 'lid' })]),
      });
      const lock = await pollUntilDefined(() => stream.seen.find(({ type }) => type === 'lock'));
      expect(lock).toMatchObject({ holder: { user_id: 1, role: 'admin' }, left_s: 300 });
      const clocks = await pollUntilDefined(() => {
        const found = stream.seen.filter(({ type }) => type === 'clock');
        return found.length >= 2 ? found : undefined;
      });
      expect(clocks[1]).toMatchObject({ clock: { now_s: 2, pace: 'stepped', paused: false } });
      stream.close();
    });
  });

  it('opens with the typed client', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const types: string[] = [];
      const stream = arm.simEvents({ onEvent: ({ type }) => types.push(type) });
      await stream.opened;
      await arm.setEmergencyStop({ engaged: true });
      await expect.poll(() => types).toContain('log');
      stream.close();
    });
  });

  it('opens for admins only', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const { user } = await arm.createUser({ email: 'ada@example.org', password: 'a long one' });
      const { token } = await arm.createToken({ user_id: user.id }, { name: 'x' });
      const { token: session } = await arm.createSession({ token });
      await expect(openSimulationStream({ twin, arm }, session)).rejects.toThrow('403');
    });
  });
});

describe('external forces', () => {
  it('end after their duration', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      await arm.setButtons({ backdriving: true });
      await arm.pushArm({ force: { x: 0, y: 30, z: 0 }, duration_s: 0.2 });
      await twin.advance(2);
      const early = twin.snapshot()['servos.telemetry.position'] as number[];
      expect(Math.max(...early.map(Math.abs))).toBeGreaterThan(0.001);
      await arm.setButtons({ backdriving: false });
      await twin.advance(3);
      expect(twin.snapshot()['servos.telemetry.velocity']).toEqual([0, 0, 0, 0, 0, 0]);
    });
  });
});

describe('loopback', () => {
  it('refuses wires between kinds and ends that are wired twice', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const mixed = arm.setLoopback({ wires: [{ output: 'd0', input: 'a0' }] });
      await expect(mixed).rejects.toBeInstanceOf(ArmError);
      const wires = [
        { output: 'd0', input: 'd1' },
        { output: 'd2', input: 'd1' },
      ] as const;
      await expect(arm.setLoopback({ wires: [...wires] })).rejects.toThrow();
    });
  });
});

describe('--no-sim', () => {
  it('removes /sim/v1', async () => {
    await withTwinClient({ sim: false }, async ({ twin, arm }) => {
      await expect(arm.getClock()).rejects.toMatchObject({ status: 404 });
      await expect(openSimulationStream({ twin, arm })).rejects.toThrow('404');
    });
  });
});

describe('the clock', () => {
  it('changes pace while the twin runs', async () => {
    await withTwinClient({}, async ({ arm }) => {
      expect(await arm.setClock({ pace: 20 })).toMatchObject({ pace: 20 });
      const reached = await arm.runUntil({ state: 'ready', limit_s: 5 });
      expect(reached.reached).toBe(true);
      expect(await arm.setClock({ pace: 'stepped' })).toMatchObject({ pace: 'stepped' });
    });
  });

  it('answers in which state the arm is where the awaited one is not reached', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const reply = await arm.runUntil({ state: 'running', limit_s: 0.1 });
      expect(reply).toMatchObject({ reached: false, state: 'ready' });
    });
  });

  it('advances until a state is reached, not further', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [0.2, 0, 0, 0, 0, 0] });
      const { reached, clock } = await arm.runUntil({ state: 'ready', limit_s: 60 });
      expect(reached).toBe(true);
      expect(clock.now_s).toBeLessThan(10);
    });
  });
});

it('the clock goes no further than the last date that can be written', {
  tags: ['slow'],
}, async () => {
  await withTwinClient({}, async ({ arm }) => {
    await arm.seedTwin({ clock: { date: '9000-01-01T00:00:00Z' } });
    const year_s = 366 * 24 * 3600;
    let years = 0;
    const next = () =>
      arm.advanceClock({ seconds: year_s }).then(
        () => null,
        (error: unknown) => error,
      );
    let problem = await next();
    for (; problem === null && years < 1100; years++) problem = await next();
    expect(problem).toMatchObject({ status: 400, details: [{ path: '/seconds' }] });
    expect((await arm.getClock()).date).toMatch(/^9999-/);
    await expect(arm.stepClock({ ticks: 1 })).resolves.toHaveProperty('tick');
    await arm.session();
  });
});
