/**
 * An arm stands at the end of a motion only once its joints are there.
 * @module-tag ci
 */

import { expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { SETPOINT_SAMPLES, type Setpoint, TICK_S } from '../arm-driver.ts';
import { FAMILIES, passTick } from './servo-arm.cases.ts';

const RATE_RAD_S = 0.8;
const WAY_RAD = 1.2;
const TICKS = Math.round(WAY_RAD / RATE_RAD_S / TICK_S);

it.each(FAMILIES)('$family servos: not behind a stall of the program', async ({ create }) => {
  for (const stall_ms of [0, 250, 1000]) {
    const fixture = await create();
    const { arm, clock, emulator } = fixture;
    await clock.until(arm.start());
    const setpoint: Setpoint = { ...stationarySetpoint('hold'), mode: 'follow' };
    const base = Array.from(fixture.joints.measured.position_rad);
    const exchange = (tick: number) => {
      for (let i = 0; i < 6 * SETPOINT_SAMPLES; i++) {
        const t_s = Math.max(0, tick * TICK_S + (Math.floor(i / 6) - 1) * 0.001);
        const way_rad = Math.min(WAY_RAD, RATE_RAD_S * t_s);
        setpoint.samples[i] = base[i % 6]! + (i % 6 === 0 ? way_rad : 0);
      }
      return arm.exchange(tick < TICKS ? setpoint : stationarySetpoint('hold'), TICK_S);
    };
    let tick = 0;
    for (; tick < TICKS / 3; tick++) {
      exchange(tick);
      await passTick(fixture);
    }
    clock.advance(stall_ms);
    // The loop makes up for the stall at once, and the plan ends before the arm.
    for (; stall_ms > 0 && tick < TICKS; tick++) exchange(tick);
    for (let more = 0; more < 800; more++, tick++) {
      const { standing, fault } = exchange(tick);
      if (fault) break;
      if (standing && tick > TICKS) {
        emulator.catchUp();
        const way_rad = emulator.plant.position_rad[0]! - base[0]!;
        expect(Math.abs(way_rad - WAY_RAD), `stall of ${stall_ms} ms`).toBeLessThan(0.05);
        break;
      }
      expect(more).toBeLessThan(799);
      await passTick(fixture);
    }
    await fixture.close();
  }
});
