/** Hash of all outputs of a plant over a history of moves, flange forces and holds (test code). */
import { createHash } from 'node:crypto';
import { RandomMoves } from './moves.cases.ts';
import type { Plant } from './plant.ts';

const NONE = new Float64Array(18);
const TABLE = {
  position: { x: 0.5, y: 0.1, z: 0.1 },
  half: { x: 0.2, y: 0.3, z: 0.1 },
  orientation: { w: 0.9, x: 0.1, y: 0.2, z: 0.3 },
  stiffness_n_per_m: 25_000,
};

/** A history whose state at any step can be hashed. */
export class History {
  private readonly hash = createHash('sha256');
  private readonly plant: Plant;
  private readonly moves: RandomMoves;
  private done = 0;

  constructor(plant: Plant, seed: number) {
    this.plant = plant;
    this.moves = new RandomMoves(seed, Float64Array.from(plant.state.position));
    plant.setPayload(0.4);
    plant.environment.setObstacles([TABLE]);
  }

  /** Plays `steps`: moves, and every 10,000 steps a force on the backdriven arm, then a hold. */
  play(steps: number): void {
    const { plant, moves } = this;
    for (let i = 0; i < steps; i++, this.done++) {
      const phase = this.done % 10_000;
      if (phase < 9_000) {
        moves.advance();
        plant.step('follow', moves.samples, 1);
      } else {
        if (phase === 9_000) plant.environment.setFlangeForce([4, -3, 2]);
        if (phase === 9_500) plant.environment.setFlangeForce([0, 0, 0]);
        plant.step(phase < 9_500 ? 'backdrive' : 'hold', NONE, 0);
      }
      if (phase === 9_999) plant.place(moves.samples.slice(6, 12));
      for (const values of [plant.state.position, plant.state.velocity, plant.torque]) {
        this.hash.update(new Uint8Array(values.buffer, values.byteOffset, 48));
      }
      if (phase % 100 === 0) this.hash.update(Float64Array.from(plant.residual));
    }
    this.hash.update(Float64Array.from(plant.thermal.temperature));
  }

  digest(): string {
    return this.hash.copy().digest('hex');
  }
}
