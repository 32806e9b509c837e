/**
 * Conformance suite of the simulated world: pushes, gravity, obstacles, injected faults, brakes,
 * snapshots and bit-equality. Runs on each plant.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { END_STOP_MAX_RAD, END_STOP_MIN_RAD } from '../physics/arm/arm-model.ts';
import { ForwardDynamics } from '../physics/dynamics/forward-dynamics.ts';
import { writeFrictionTorques } from '../physics/dynamics/friction.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../physics/kinematics/forward.ts';
import {
  type CaseOptions,
  type CreateDriver,
  caseRunner,
  exchangeFor,
  playMove,
  stationarySetpoint,
} from './arm-driver.cases.ts';
import { type ArmDriver, type Feedback, type Setpoint, TICK_S } from './arm-driver.ts';
import type { ArmWorld, Touch } from './arm-world.ts';

type Simulated = ArmDriver & { readonly world: ArmWorld };

/** Elbow bent, flange forward: gravity loads every joint but the first. */
const BENT = Float64Array.of(0, -0.6, -1.2, 0, -1.2, 0);
const AWAY = [0.4, -0.9, -0.9, 0.3, -0.9, 0.5];

/** A table under the flange; its top is at height z (m). */
function table(z: number, stiffness_n_per_m = 25_000) {
  return {
    name: 'table',
    position: { x: 0.55, y: 0, z: z - 0.1 },
    half: { x: 0.2, y: 0.3, z: 0.1 },
    orientation: { w: 1, x: 0, y: 0, z: 0 },
    stiffness_n_per_m,
  };
}

/** Rotation of joint 1 (rad) under a lateral force at the flange, from a one-joint model. */
function pushedTurn(pose: Float64Array, force_n: number, duration_s: number): number {
  const frames = createFrames();
  forward(pose, frames);
  const lever_m = frames[FLANGE_FRAME * FRAME_SIZE + 9]!;
  const arm = new ForwardDynamics();
  arm.update(pose, new Float64Array(6));
  let angle = 0;
  const rates = new Float64Array(6);
  const friction = new Float64Array(6);
  for (let i = 0; i < duration_s * 1e4; i++) {
    writeFrictionTorques(rates, friction);
    const torque = force_n * lever_m * Math.cos(angle) - friction[0]!;
    rates[0]! += (1e-4 * torque) / arm.inertia[0]!;
    angle += 1e-4 * rates[0]!;
  }
  return angle;
}

/** Hash of the feedback of `count` ticks. */
function digest(driver: ArmDriver, setpoint: Setpoint, count: number): string {
  const hash = createHash('sha256');
  for (let i = 0; i < count; i++) {
    const { position_rad, velocity_rad_s, temperature_c, torque_n_m } = driver.exchange(
      setpoint,
      TICK_S,
    );
    for (const values of [position_rad, velocity_rad_s, temperature_c, torque_n_m]) {
      hash.update(new Uint8Array(values.buffer));
    }
  }
  return hash.digest('hex');
}

/** Digest of a motion with a push, for the cases on bit-equality. */
function moveAndDigest(driver: Simulated): string {
  playMove(driver, { start: BENT, end: AWAY, ticks: 120, changes: { payload_kg: 0.4 } });
  driver.world.push([3, -2, 1]);
  const backdrive = digest(driver, stationarySetpoint('backdrive', { payload_kg: 0.4 }), 60);
  driver.world.push([0, 0, 0]);
  return backdrive + digest(driver, stationarySetpoint('hold'), 60);
}

/** The suite of simulated worlds. */
export function armWorldCases(
  name: string,
  create: CreateDriver<Simulated>,
  options: CaseOptions = {},
): void {
  const check = caseRunner(options);
  const placed = async (body: (driver: Simulated, feedback: Feedback) => void) => {
    const driver = await create();
    try {
      const feedback = await driver.start();
      driver.world.place(BENT);
      body(driver, feedback);
    } finally {
      await driver.stop();
    }
  };

  describe(`simulated world of ${name}`, () => {
    check('place puts the arm at the given joints', () =>
      placed((driver) => {
        const feedback = exchangeFor(driver, stationarySetpoint('hold'), 25);
        feedback.position_rad.forEach((angle, j) => {
          expect(angle).toBeCloseTo(BENT[j]!, 6);
        });
      }),
    );

    check('a push moves a backdriven first joint by its inertia and friction', () =>
      placed((driver) => {
        driver.world.push([0, 2, 0]);
        const moved = exchangeFor(driver, stationarySetpoint('backdrive'), 250).position_rad[0]!;
        expect(Math.abs(moved / pushedTurn(BENT, 2, 1) - 1)).toBeLessThan(0.03);
      }),
    );

    check('without motors the arm sags under gravity', () =>
      placed((driver) => {
        driver.world.setMotorsOff(true);
        const feedback = exchangeFor(driver, stationarySetpoint('hold'), 100);
        expect(feedback.position_rad[1]! - BENT[1]!).toBeLessThan(-0.1);
        expect(Array.from(feedback.torque_n_m)).toEqual([0, 0, 0, 0, 0, 0]);
      }),
    );

    check('a falling arm ends on the floor, inside its end stops', () =>
      placed((driver) => {
        driver.world.setMotorsOff(true);
        const { position_rad } = exchangeFor(driver, stationarySetpoint('hold'), 2000);
        const frames = createFrames();
        forward(position_rad, frames);
        const flange_m = frames[FLANGE_FRAME * FRAME_SIZE + 11]!;
        expect(flange_m).toBeGreaterThan(-0.01);
        expect(flange_m).toBeLessThan(0.25);
        position_rad.forEach((angle, j) => {
          expect(angle).toBeGreaterThan(END_STOP_MIN_RAD[j]! - 0.03);
          expect(angle).toBeLessThan(END_STOP_MAX_RAD[j]! + 0.03);
        });
      }),
    );

    check('hold resists a push', () =>
      placed((driver) => {
        driver.world.push([0, 10, 0]);
        const feedback = exchangeFor(driver, stationarySetpoint('hold'), 100);
        expect(Math.abs(feedback.position_rad[0]! - BENT[0]!)).toBeLessThan(2e-3);
        expect(Math.abs(feedback.torque_n_m[0]!)).toBeGreaterThan(2);
        expect(feedback.fault).toBeNull();
      }),
    );

    check('an injected fault names its joint and stays until it is cleared', () =>
      placed((driver) => {
        expect(driver.world.setFault(3, 'encoder')).toMatchObject({ kind: 'encoder', joint: 3 });
        expect(driver.exchange(stationarySetpoint('hold'), TICK_S).fault?.joint).toBe(3);
        expect(driver.recover()).toBe(false);
        expect(driver.world.setFault(3, null)).toBeNull();
        expect(driver.recover()).toBe(true);
        expect(driver.exchange(stationarySetpoint('hold'), TICK_S).fault).toBeNull();
      }),
    );

    check('a faulty arm does not follow', () =>
      placed((driver) => {
        driver.world.setFault(2, 'overload');
        playMove(driver, { start: BENT, end: AWAY, ticks: 20 });
        const { position_rad } = driver.exchange(stationarySetpoint('hold'), TICK_S);
        expect(Math.abs(position_rad[0]! - BENT[0]!)).toBeLessThan(1e-6);
      }),
    );

    check('a collision with a table is detected, named and latched until it is acknowledged', () =>
      placed((driver) => {
        driver.world.setObstacles([table(0.28)]);
        const start = Array.from(BENT);
        const end = [0, -1.1, -1.0, 0, -1.2, 0];
        const touches: Touch[] = [];
        const watched: ArmDriver = Object.assign(Object.create(driver) as ArmDriver, {
          exchange(setpoint: Setpoint, dt_s: number) {
            const feedback = driver.exchange(setpoint, dt_s);
            touches.push(...driver.world.touches());
            return feedback;
          },
        });
        playMove(watched, { start, end, ticks: 104, changes: { detection: 'medium' } });
        const feedback = exchangeFor(
          driver,
          stationarySetpoint('hold', { detection: 'medium' }),
          50,
        );
        expect(feedback.contact).not.toBeNull();
        expect(feedback.contact!.at_s).toBeLessThan(0.6);
        expect(feedback.contact!.at_s).toBeGreaterThan(0.2);
        expect(feedback.fault).toBeNull();
        expect(touches.map((touch) => touch.obstacle)).toContain('table');
        expect(Math.max(...touches.map((touch) => touch.force_n))).toBeGreaterThan(5);
        exchangeFor(driver, stationarySetpoint('hold', { detection: 'medium' }), 250);
        expect(driver.world.touches(), 'the arm leaves what it touched').toEqual([]);
        expect(driver.recover()).toBe(true);
        expect(
          exchangeFor(driver, stationarySetpoint('hold', { detection: 'medium' }), 25).contact,
        ).toBeNull();
      }),
    );

    check('without detection a collision is only a following error', () =>
      placed((driver) => {
        driver.world.setObstacles([table(0.28, 200_000)]);
        const end = [0, -1.9, -1.0, 0, -1.2, 0];
        playMove(driver, { start: BENT, end, ticks: 250 });
        const feedback = driver.exchange(stationarySetpoint('hold'), TICK_S);
        expect(feedback.contact).toBeNull();
        expect(feedback.fault?.kind).toBe('following_error');
        expect(feedback.fault?.message).toMatch(
          /^J\d lags 0\.05\d* rad behind its setpoint \(limit 0\.05 rad\); /,
        );
      }),
    );

    check('after one second at rest the brakes hold the arm and nothing is computed', () =>
      placed((driver) => {
        expect(exchangeFor(driver, stationarySetpoint('hold'), 249).at_rest).toBe(false);
        expect(exchangeFor(driver, stationarySetpoint('hold'), 2).at_rest).toBe(true);
        const one = Array.from(exchangeFor(driver, stationarySetpoint('hold'), 1000).temperature_c);
        expect(
          Array.from(driver.exchange(stationarySetpoint('hold'), TICK_S).velocity_rad_s),
        ).toEqual([0, 0, 0, 0, 0, 0]);
        driver.world.push([0, 5, 0]);
        expect(exchangeFor(driver, stationarySetpoint('backdrive'), 250).at_rest).toBe(false);
        expect(one.every(Number.isFinite)).toBe(true);
      }),
    );

    check('one long exchange at rest gives the same bits as many short ones', async () => {
      const ends: number[][] = [];
      for (const long of [false, true]) {
        const driver = await create();
        await driver.start();
        driver.world.place(BENT);
        exchangeFor(driver, stationarySetpoint('hold'), 260);
        if (long) driver.exchange(stationarySetpoint('hold'), 2000 * TICK_S);
        else exchangeFor(driver, stationarySetpoint('hold'), 2000);
        const cooled = driver.exchange(stationarySetpoint('hold'), TICK_S).temperature_c;
        const moved = exchangeFor(driver, stationarySetpoint('backdrive'), 30);
        ends.push([...cooled, ...moved.position_rad, ...moved.temperature_c]);
        await driver.stop();
      }
      expect(ends[0]).toEqual(ends[1]);
    });

    check('a restored snapshot continues with the same bits', () =>
      placed((driver) => {
        playMove(driver, { start: BENT, end: AWAY, ticks: 70 });
        driver.world.push([1, 2, 3]);
        exchangeFor(driver, stationarySetpoint('backdrive'), 20);
        const bytes = driver.world.snapshot();
        const first =
          digest(driver, stationarySetpoint('backdrive'), 50) +
          digest(driver, stationarySetpoint('hold'), 300);
        driver.world.place(new Float64Array(6));
        driver.world.push([0, 0, 0]);
        driver.world.restore(bytes);
        const again =
          digest(driver, stationarySetpoint('backdrive'), 50) +
          digest(driver, stationarySetpoint('hold'), 300);
        expect(again).toBe(first);
      }),
    );

    check('another driver restores a snapshot with the same bits', async () => {
      const [one, other] = [await create(), await create()];
      await one.start();
      await other.start();
      one.world.place(BENT);
      playMove(one, { start: BENT, end: AWAY, ticks: 100, changes: { payload_kg: 1.25 } });
      other.world.restore(one.world.snapshot());
      const hold = stationarySetpoint('hold', { payload_kg: 1.25 });
      expect(digest(other, hold, 50)).toBe(digest(one, hold, 50));
      await one.stop();
      await other.stop();
    });

    check('two equal runs give the same bits', async () => {
      const digests = new Set<string>();
      for (let run = 0; run < 2; run++) {
        const driver = await create();
        await driver.start();
        driver.world.place(BENT);
        digests.add(moveAndDigest(driver));
        await driver.stop();
      }
      expect(digests.size).toBe(1);
    });
  });
  it('has its name', async () => expect((await create()).name).toBe(name));
}
