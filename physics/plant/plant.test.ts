import { describe, expect, it } from 'vitest';
import { createFastPlant } from './fast-plant.ts';
import { RandomMoves } from './moves.cases.ts';
import type { Plant } from './plant.ts';
import { createRapierPlant } from './rapier-plant.ts';

const SEED = 99;
const NONE = new Float64Array(18);
const BENT = Float64Array.of(0, -0.6, -1.2, 0, -1.2, 0);

const plants = [
  { name: 'fast', create: async (q: Float64Array) => createFastPlant(q), tracking_mrad: 1e-8 },
  { name: 'rapier', create: createRapierPlant, tracking_mrad: 0.01 },
];

/** Largest distance from the reference over some seconds of random moves (mrad). */
function track(plant: Plant, seconds: number): number {
  const moves = new RandomMoves(SEED, BENT);
  let worst = 0;
  for (let i = 0; i < seconds * 1000; i++) {
    moves.advance();
    plant.step('follow', moves.samples, 1);
    for (let j = 0; j < 6; j++) {
      worst = Math.max(worst, Math.abs(plant.state.position[j]! - moves.samples[12 + j]!));
    }
  }
  return 1e3 * worst;
}

/** Largest travel while a plant holds or compensates gravity (mrad). */
function drift(plant: Plant, mode: 'hold' | 'backdrive', steps: number): number {
  const from = Float64Array.from(plant.state.position);
  let worst = 0;
  for (let i = 0; i < steps; i++) {
    plant.step(mode, NONE, 0);
    plant.state.position.forEach((angle, j) => {
      worst = Math.max(worst, Math.abs(angle - from[j]!));
    });
  }
  return 1e3 * worst;
}

for (const { name, create, tracking_mrad } of plants) {
  describe(`the ${name} plant`, () => {
    for (const payload_kg of [0, 1.25]) {
      it(`tracks full-speed moves with ${payload_kg} kg`, async () => {
        const plant = await create(BENT);
        plant.setPayload(payload_kg);
        expect(track(plant, 5), `seed ${SEED}`).toBeLessThan(tracking_mrad);
        plant.free();
      });

      it(`holds ${payload_kg} kg still`, async () => {
        const plant = await create(BENT);
        plant.setPayload(payload_kg);
        drift(plant, 'hold', 200);
        expect(drift(plant, 'hold', 1000)).toBeLessThan(0.001);
        plant.free();
      });
    }

    it('does not drift in gravity compensation', async () => {
      const plant = await create(BENT);
      expect(drift(plant, 'backdrive', 3000)).toBeLessThan(0.002);
      plant.free();
    });

    it('shows no residual after a change of the declared payload', async () => {
      const plant = await create(BENT);
      drift(plant, 'hold', 50);
      plant.setPayload(1.25);
      expect(drift(plant, 'hold', 50)).toBeLessThan(0.001);
      expect(Math.max(...plant.residual.map(Math.abs))).toBeLessThan(0.05);
      plant.free();
    });

    it('shows a residual for an undeclared payload', async () => {
      const plant = await create(BENT);
      plant.setPayload(1, 0);
      expect(drift(plant, 'hold', 200)).toBeGreaterThan(0.1);
      expect(plant.residual[1]!).toBeLessThan(-3);
      plant.free();
    });

    it('is stopped by the end stop of a joint', async () => {
      const plant = await create(Float64Array.of(3.1, 0, 0, 0, 0, 0));
      plant.environment.setFlangeForce([-30, -30, 0]);
      for (let i = 0; i < 1500; i++) plant.step('backdrive', NONE, 0);
      expect(Math.abs(plant.state.position[0]!)).toBeLessThan(3.25);
      plant.free();
    });
  });
}

describe('both plants', () => {
  it('fall alike without motors', async () => {
    const [fast, rapier] = [createFastPlant(BENT), await createRapierPlant(BENT)];
    for (let i = 0; i < 300; i++) {
      fast.step('off', NONE, 0);
      rapier.step('off', NONE, 0);
    }
    fast.state.position.forEach((angle, j) => {
      expect(Math.abs(angle - rapier.state.position[j]!)).toBeLessThan(5e-4);
    });
    expect(fast.state.position[1]! - BENT[1]!).toBeLessThan(-0.2);
    rapier.free();
  });
});
