/**
 * Plant engine without contacts between bodies: the arm's own forward dynamics in double
 * precision, semi-implicit Euler at 1 kHz. It has no loose bodies; accelerated clocks run hundreds
 * of times faster than real time.
 */

import type { JointState } from '../dynamics/drives.ts';
import type { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import { Plant } from './plant.ts';
import type { PlantEngine } from './plant-engine.ts';

class FastEngine implements PlantEngine {
  private readonly acceleration = new Float64Array(6);

  advance(state: JointState, torque: Float64Array, dynamics: ForwardDynamics): void {
    dynamics.acceleration(torque, this.acceleration);
    for (let j = 0; j < 6; j++) {
      const rate = state.velocity[j]! + PLANT_STEP_S * this.acceleration[j]!;
      state.velocity[j] = rate;
      state.position[j]! += PLANT_STEP_S * rate;
    }
  }

  place(): void {}

  setLoad(): void {}

  save(): Uint8Array {
    return new Uint8Array(0);
  }

  load(): void {}

  free(): void {}
}

/** Creates a plant without loose bodies, at rest at `q` (rad). */
export function createFastPlant(q: Float64Array): Plant {
  return new Plant(new FastEngine(), q);
}
