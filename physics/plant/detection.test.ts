import { describe, expect, it } from 'vitest';
import { CONTACT_THRESHOLDS_N_M, type ContactSensitivity } from '../dynamics/momentum-observer.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { falseTrips } from './detection.cases.ts';
import { createFastPlant } from './fast-plant.ts';
import type { Plant } from './plant.ts';
import { createRapierPlant } from './rapier-plant.ts';

const SEED = 31;
const BENT = Float64Array.of(0, -0.6, -1.2, 0, -1.2, 0);
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 };

interface Sweep {
  readonly joint: number;
  readonly speed_m_s: number;
  readonly stiffness_n_per_m: number;
}

/** Distance of the flange from a joint's axis in the sweeps (m). */
function leverOf(joint: number): number {
  const frames = createFrames();
  forward(BENT, frames);
  const hand = FLANGE_FRAME * FRAME_SIZE + 9;
  const axis = (joint + 1) * FRAME_SIZE + 9;
  const x = frames[hand]! - frames[axis]!;
  const z = joint === 0 ? 0 : frames[hand + 2]! - frames[axis + 2]!;
  return Math.hypot(x, z);
}

/**
 * Moves a joint at a constant flange speed into a block; returns steps from contact to detection.
 */
function stepsToTrip(plant: Plant, sweep: Sweep, level: ContactSensitivity): number {
  const rate = sweep.speed_m_s / leverOf(sweep.joint);
  const samples = new Float64Array(18);
  plant.environment.setObstacles([
    {
      position: sweep.joint === 0 ? { x: 0.55, y: 0.5, z: 0.3 } : { x: 0.55, y: 0, z: -0.1 },
      half: { x: 0.3, y: 0.2, z: 0.3 },
      orientation: UPRIGHT,
      stiffness_n_per_m: sweep.stiffness_n_per_m,
    },
  ]);
  let touched = -1;
  for (let i = 0; i < 3000; i++) {
    for (let k = 0; k < 18; k++) {
      const t = (i + Math.floor(k / 6) - 1) * 1e-3;
      const travel = rate * (t > 0.2 ? t - 0.1 : t > 0 ? 2.5 * t * t : 0);
      const turn = sweep.joint === 0 ? travel : -travel;
      samples[k] = BENT[k % 6]! + (k % 6 === sweep.joint ? turn : 0);
    }
    plant.step('follow', samples, 1);
    if (touched < 0 && plant.environment.isActing) touched = i;
    const over = plant.residual.some(
      (value, j) => Math.abs(value) > CONTACT_THRESHOLDS_N_M[level][j]!,
    );
    if (over) {
      expect(touched).toBeGreaterThan(200);
      return i - touched + 1;
    }
  }
  return Number.POSITIVE_INFINITY;
}

describe('contact detection', () => {
  const limits = [
    { speed_m_s: 0.25, stiffness_n_per_m: 25_000, level: 'medium' as const, steps: 5 },
    { speed_m_s: 0.75, stiffness_n_per_m: 25_000, level: 'medium' as const, steps: 3 },
    { speed_m_s: 0.25, stiffness_n_per_m: 5_000, level: 'medium' as const, steps: 15 },
    { speed_m_s: 0.25, stiffness_n_per_m: 25_000, level: 'low' as const, steps: 9 },
  ];
  for (const { level, steps, ...block } of limits) {
    const what = `${block.stiffness_n_per_m / 1000} N/mm at ${block.speed_m_s} m/s, ${level}`;
    for (const joint of [0, 1]) {
      it(`takes ${what}, joint ${joint} in ${steps} ms on both plants`, async () => {
        const sweep = { joint, ...block };
        const rapier = await createRapierPlant(BENT);
        const took = [
          stepsToTrip(createFastPlant(BENT), sweep, level),
          stepsToTrip(rapier, sweep, level),
        ];
        rapier.free();
        expect(Math.max(...took), took.join(' and ')).toBeLessThanOrEqual(steps);
      });
    }
  }

  it('has no false detection in 30 s of full-speed moves with a payload error', () => {
    const trips = falseTrips(createFastPlant(BENT), SEED, 30);
    expect([...trips.values()], `seed ${SEED}`).toEqual([0, 0, 0]);
  });

  it('has no false detection in the same moves on Rapier', async () => {
    const plant = await createRapierPlant(BENT);
    const trips = falseTrips(plant, SEED, 5);
    expect([...trips.values()], `seed ${SEED}`).toEqual([0, 0, 0]);
    plant.free();
  });
});
