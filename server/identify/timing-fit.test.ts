/** The fit of the timing on planned motions of arms with known limits, without their dynamics. */

import { expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import type { Capture } from './capture.ts';
import { motionsOf } from './motions.ts';
import { drawRealArm, planTravel, type RealArm } from './real-planner.cases.ts';
import { Samples } from './samples.ts';
import { fitTiming } from './timing-fit.ts';

const MOTIONS = 14;

/** What an arm would publish at 50 Hz while it moves single joints and all. */
function captureOf(arm: RealArm, seed: number): Capture {
  const random = createPrng(seed);
  const samples = new Samples();
  let from = [0, 0, 0, 0, 0, 0];
  let t_s = 0;
  for (let i = 0; i < MOTIONS; i++) {
    const to = from.map((angle, j) =>
      j === i % 7 || i % 7 === 6 ? angle + (random() < 0.5 ? -1 : 1) * (0.4 + random()) : angle,
    );
    const travel = to.map((angle, j) => angle - from[j]!);
    const { s } = planTravel(arm, travel, 1);
    for (let k = -200; k < s.length + 200; k += 20) {
      const place = (at: number) => s[Math.min(Math.max(at, 0), s.length - 1)]!;
      const q = from.map((angle, j) => angle + travel[j]! * place(k));
      const rate = (place(k + 1) - place(k - 1)) / 0.002;
      t_s += 0.02;
      samples.add(t_s, { q, rates: travel.map((d) => d * rate) });
    }
    from = to.map((angle) => (Math.abs(angle) > 2 ? 0 : angle));
    if (from.some((angle, j) => angle !== to[j])) t_s += 1;
  }
  const none = { states: [], notes: [], robot: null } as const;
  return { source: 'planned', kind: 'mcap', ...none, ...samples.columns() };
}

it.each(['asymmetric'] as const)(
  'finds the limits of an arm that moves by the law %s',
  { tags: ['slow'] },
  (law) => {
    const arm = { ...drawRealArm(createPrng(11)), law };
    const { motions } = motionsOf(captureOf(arm, 3));
    expect(motions.length).toBeGreaterThan(MOTIONS - 3);
    const fit = fitTiming(motions)!;
    for (const [name, estimate] of fit.estimates) {
      const joint = Number(name.at(-1));
      if (estimate.value === null || !name.startsWith('velocity')) continue;
      expect(Math.abs(estimate.value / arm.velocity[joint]! - 1), name).toBeLessThan(0.01);
    }
    expect(fit.residuals[fit.timing.law]).toBeLessThan(1e-3);
  },
);
