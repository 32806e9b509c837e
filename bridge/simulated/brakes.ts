import { PLANT_STEP_S } from '../../physics/dynamics/plant-step.ts';
import type { DriveMode, Plant } from '../../physics/plant/plant.ts';
import { isStill } from './plant-rest.ts';

const STILL_STEPS = 1000;

export interface BrakeState {
  readonly still_steps: number;
  /** Steps since the brakes closed, or null while they are open. */
  readonly braked_steps: number | null;
}

/**
 * The brakes of a simulated arm. They close after one second at rest, and nothing is computed until
 * they open. Time passes in whole plant steps, so one long exchange and many short ones give the
 * same bits; the drives cool in closed form (D38).
 */
export class Brakes {
  private stillSteps = 0;
  private brakedSteps: number | null = null;

  /** True while the brakes hold the arm. */
  get closed(): boolean {
    return this.brakedSteps !== null;
  }

  /** Counts the plant steps at rest and closes the brakes after enough of them. */
  update(plant: Plant, mode: DriveMode): void {
    const held = mode === 'hold' || plant.hasYielded;
    const still = held && !plant.environment.isActing && isStill(plant);
    this.stillSteps = still ? this.stillSteps + 1 : 0;
    if (this.stillSteps >= STILL_STEPS) this.brakedSteps = 0;
  }

  /** Lets steps pass with the brakes closed, without computing the plant. */
  skip(steps: number): void {
    if (this.brakedSteps !== null) this.brakedSteps += steps;
  }

  /** Writes the present temperatures of the drives (°C). */
  writeTemperatures(plant: Plant, out: Float64Array): void {
    if (this.brakedSteps === null) out.set(plant.thermal.temperature);
    else plant.thermal.temperaturesAfter(this.brakedSteps * PLANT_STEP_S, out);
  }

  /** Opens the brakes and applies the cooling of the time they were closed. */
  open(plant: Plant): void {
    if (this.brakedSteps !== null) plant.thermal.coolFor(this.brakedSteps * PLANT_STEP_S);
    this.brakedSteps = null;
    this.stillSteps = 0;
  }

  save(): BrakeState {
    return { still_steps: this.stillSteps, braked_steps: this.brakedSteps };
  }

  restore(memory: BrakeState): void {
    this.stillSteps = memory.still_steps;
    this.brakedSteps = memory.braked_steps;
  }
}
