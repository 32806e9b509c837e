/** The time axis of the plots follows the clock of the twin. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SimClock } from '../../../contract/types.generated.ts';
import { ArmStore } from '../../link/arm-store.ts';
import { EMPTY_SIM, STATUS } from '../../link/snapshot.cases.ts';
import { createPlotTime } from './plot-time.ts';

let wall_ms = 0;
beforeEach(() => {
  wall_ms = 5000;
  vi.spyOn(performance, 'now').mockImplementation(() => wall_ms);
});
afterEach(() => vi.restoreAllMocks());

const view = new ArmStore().view();
/** A report of the twin at its time (s), of a clock at a pace. */
function report(now_s: number, real_time_factor: number, patch: Partial<SimClock> = {}) {
  const clock = { ...EMPTY_SIM.clock, real_time_factor, ...patch };
  return { ...view, sim: { ...EMPTY_SIM, clock, status: { ...STATUS, now_s } } };
}

it.each([
  ['a tenth of real time', 0.1, 100],
  ['real time', 1, 1000],
  ['ten times real time', 10, 10_000],
])('runs at %s', (_pace, factor, passed_ms) => {
  const time = createPlotTime();
  const seen = report(40, factor);
  expect(time(seen)).toEqual({ now_ms: 40_000, isNew: true });
  wall_ms += 1000;
  expect(time(seen)).toEqual({ now_ms: 40_000 + passed_ms, isNew: false });
});

it('stands while the clock is paused, also where the pause is heard before its time', () => {
  const time = createPlotTime();
  const running = report(40, 1);
  time(running);
  wall_ms += 800;
  expect(time(running).now_ms).toBe(40_800);
  const paused = {
    ...running,
    sim: { ...running.sim, clock: { ...running.sim.clock, paused: true } },
  };
  for (let i = 0; i < 3; i++) {
    expect(time(paused)).toEqual({ now_ms: 40_800, isNew: false });
    wall_ms += 5000;
  }
});

it('begins anew after a reset, and where it is known that the arm is simulated', () => {
  const time = createPlotTime();
  expect(time(view)).toEqual({ now_ms: 5000, isNew: false });
  expect(time(report(40, 1)).isNew).toBe(true);
  expect(time(report(0.1, 1))).toEqual({ now_ms: 100, isNew: true });
  expect(time(report(0.2, 1)).isNew).toBe(false);
});
