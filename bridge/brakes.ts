/**
 * The brakes of a simulated arm: once it has held still for a second they bear it, and nothing is
 * computed until it is wanted again. Time goes on in whole plant steps, so that one long exchange
 * and many short ones leave the same bits; the drives cool in one closed form (decision D38).
 */
import { STEP_S } from '../physics/dynamics/servo.ts';
import type { DriveMode, Plant } from '../physics/plant/plant.ts';

const STILL_STEPS = 1000;
/** Slower than this is standing still (rad/s). */
const STILL_RAD_S = 1e-3;

export interface BrakeMemory {
  readonly still_steps: number;
  /** Steps since the brakes closed, or null while they are open. */
  readonly braked_steps: number | null;
}

export class Brakes {
  private still = 0;
  private braked: number | null = null;

  /** True while the brakes bear the arm. */
  get closed(): boolean {
    return this.braked !== null;
  }

  /** After each plant step: counts stillness and closes the brakes when it has lasted. */
  watch(plant: Plant, mode: DriveMode): void {
    const still = mode === 'hold' && !plant.surroundings.disturbed && isStill(plant);
    this.still = still ? this.still + 1 : 0;
    if (this.still >= STILL_STEPS) this.braked = 0;
  }

  /** Lets steps pass with the brakes closed. */
  wait(steps: number): void {
    if (this.braked !== null) this.braked += steps;
  }

  /** Writes the drives' temperatures (°C) as they are now. */
  writeTemperatures(plant: Plant, out: Float64Array): void {
    if (this.braked === null) out.set(plant.heat.temperature);
    else plant.heat.cooled(this.braked * STEP_S, out);
  }

  /** Opens the brakes; the drives are as cool as they have become. */
  open(plant: Plant): void {
    if (this.braked !== null) plant.heat.coolFor(this.braked * STEP_S);
    this.braked = null;
    this.still = 0;
  }

  save(): BrakeMemory {
    return { still_steps: this.still, braked_steps: this.braked };
  }

  load(memory: BrakeMemory): void {
    this.still = memory.still_steps;
    this.braked = memory.braked_steps;
  }
}

function isStill(plant: Plant): boolean {
  for (let j = 0; j < 6; j++) {
    if (Math.abs(plant.state.velocity[j]!) > STILL_RAD_S) return false;
  }
  return true;
}
