/**
 * The contact-free engine: its own forward dynamics in double precision, semi-implicit Euler at
 * 1 kHz. Loose bodies do not exist here; in return accelerated clocks run hundreds of times faster
 * than real time.
 */
import { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import { type JointState, STEP_S } from '../dynamics/servo.ts';
import type { Mechanism } from './mechanism.ts';
import { Plant } from './plant.ts';

class FastMechanism implements Mechanism {
  readonly damping_n_m_s = 0;
  private readonly real = new ForwardDynamics();
  private readonly acceleration = new Float64Array(6);
  private told = true;

  advance(state: JointState, torque: Float64Array, model: ForwardDynamics): void {
    if (this.told) {
      model.acceleration(torque, this.acceleration);
    } else {
      this.real.look(state.position, state.velocity);
      this.real.acceleration(torque, this.acceleration);
    }
    for (let j = 0; j < 6; j++) {
      const rate = state.velocity[j]! + STEP_S * this.acceleration[j]!;
      state.velocity[j] = rate;
      state.position[j]! += STEP_S * rate;
    }
  }

  place(): void {}

  setPayload(payload_kg: number, told: boolean): void {
    this.real.setPayload(payload_kg);
    this.told = told;
  }

  save(): Uint8Array {
    return new Uint8Array(0);
  }

  load(): void {}

  free(): void {}
}

/** A plant without contacts of loose bodies, at rest at `q` (rad). */
export function createFastPlant(q: Float64Array): Plant {
  return new Plant(new FastMechanism(), q);
}
