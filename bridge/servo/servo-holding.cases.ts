/**
 * Cases: an arm of servos with factory gains stays where it is held: through restarts,
 * error resets, recoveries and guiding mode, with prompt answers and with answers 16 ms late.
 */

import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { TICK_S } from '../arm-driver.ts';
import { type ArmFixture, FAMILIES, holdFor, passTick } from './servo-arm.cases.ts';
import type { ServoArm } from './servo-arm.ts';

export const LEANING = [0.3, 0.9, -0.8, 0.4, -0.7, 0.2];
const MOVED_MAX_RAD = 0.02;
const RATE_MAX_RAD_S = 0.1;

interface Holding {
  readonly create: (typeof FAMILIES)[number]['create'];
  /** Delays every answer. */
  readonly lag_ms: number;
  /** Ticks from the start to the moment from which nothing may move. */
  readonly settling: number;
}

/** A held, leaning arm, and a check of what moved since it settled. */
async function held({ create, lag_ms, settling }: Holding) {
  const fixture = await create({ start: LEANING, supported: true });
  fixture.faults.delay_ms = lag_ms;
  await fixture.clock.until(fixture.arm.start());
  await holdFor(fixture, settling);
  const { plant } = fixture.emulator;
  fixture.emulator.catchUp();
  const before = Array.from(plant.position_rad);
  let fastest_rad_s = 0;
  const step = plant.step.bind(plant);
  plant.step = () => {
    step();
    for (const rate of plant.velocity_rad_s)
      fastest_rad_s = Math.max(fastest_rad_s, Math.abs(rate));
  };
  const check = () => {
    fixture.emulator.catchUp();
    const moved = before.map((angle, j) => Math.abs(plant.position_rad[j]! - angle));
    expect(Math.max(...moved)).toBeLessThan(MOVED_MAX_RAD);
    expect(fastest_rad_s).toBeLessThan(RATE_MAX_RAD_S);
  };
  return { fixture, check };
}

async function resetUntilReady(fixture: ArmFixture): Promise<void> {
  for (let i = 0; i < 8 && !fixture.arm.recover(); i++) await holdFor(fixture, 300);
  expect(fixture.arm.exchange(stationarySetpoint('hold'), TICK_S).fault).toBeNull();
}

interface HoldingCases {
  /** How often each case is repeated. */
  readonly times: number;
  /** Length of guiding mode. */
  readonly guided_s: number;
  readonly settling: number;
  readonly families?: readonly (typeof FAMILIES)[number][];
}

/** Defines the cases. */
export function holdingCases({ times, guided_s, settling, families = FAMILIES }: HoldingCases) {
  const variants = families.flatMap((one) => [0, 16].map((lag_ms) => ({ ...one, lag_ms })));
  const title = 'an arm of $family servos with factory gains and answers after $lag_ms ms';
  describe.each(variants)(title, ({ create, armOn, lag_ms }) => {
    const holding = { create, lag_ms, settling };
    /** A new process that takes the arm over, on the wire of the last one. */
    const restart = async ({ arm, bus, clock }: ArmFixture): Promise<ServoArm> => {
      await clock.until(arm.stop());
      const next = armOn(bus, clock);
      await clock.until(next.start());
      return next;
    };

    it('stays through clean restarts', async () => {
      const { fixture, check } = await held(holding);
      let now: ArmFixture = fixture;
      for (let i = 0; i < times; i++) {
        now = { ...fixture, arm: await restart(now) };
        await holdFor(now, 25);
      }
      check();
      await now.close();
    });

    it('stays through resets of an error that servos did not cause', async () => {
      const { fixture, check } = await held(holding);
      for (let i = 0; i < times; i++) {
        const jump = { ...stationarySetpoint('hold'), mode: 'follow' as const };
        jump.samples.fill(9);
        expect(fixture.arm.exchange(jump, TICK_S).fault).not.toBeNull();
        await holdFor(fixture, 20);
        expect(fixture.arm.recover()).toBe(true);
        await holdFor(fixture, 20);
      }
      check();
      await fixture.close();
    });

    it('stays through recoveries from a silent line', async () => {
      const { fixture, check } = await held(holding);
      for (let i = 0; i < times; i++) {
        fixture.faults.cut = true;
        // Shorter than the watchdogs of the servos.
        await holdFor(fixture, 60);
        fixture.faults.cut = false;
        await holdFor(fixture, 60);
        await resetUntilReady(fixture);
      }
      check();
      await fixture.close();
    });

    it('stays while it may be guided, with its payload on', async () => {
      const { fixture, check } = await held(holding);
      const setpoint = stationarySetpoint('backdrive', { payload_kg: 0.5 });
      for (let i = 0; i < guided_s / TICK_S; i++) {
        fixture.arm.exchange(setpoint, TICK_S);
        await passTick(fixture);
      }
      check();
      await fixture.close();
    });
  });
}
