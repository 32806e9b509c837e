/**
 * A plant of physics behind the port: Rapier's mechanics (the default of a served twin) or the
 * fast, contact-free ones. Owns what a real arm's controller has beside its joints: brakes, faults,
 * the watch over contacts, and the count of plant steps. Reads no clock: time is `dt_s`.
 */
import { THERMAL } from '../physics/arm/arm-model.ts';
import { STEP_S } from '../physics/dynamics/servo.ts';
import { createFastPlant } from '../physics/plant/fast-plant.ts';
import type { DriveMode, Plant } from '../physics/plant/plant.ts';
import { createRapierPlant } from '../physics/plant/rapier-plant.ts';
import type { ArmDriver, Feedback, Setpoint } from './arm-driver.ts';
import { STEPS_PER_TICK } from './arm-driver.ts';
import type { ArmWorld } from './arm-world.ts';
import { emptyFeedback, type OwnFeedback, silent } from './feedback-record.ts';
import { SimulatedArmParts } from './simulated-parts.ts';
import { SimulatedWorld } from './simulated-world.ts';

export interface SimulatedArmOptions {
  readonly plant: 'rapier' | 'fast';
  /** Chooses the drives' temperatures at start; nothing else is random. */
  readonly seed?: number;
  /** Where the arm stands at start (rad); upright unless told otherwise. */
  readonly start?: ArrayLike<number>;
}

/** Steps of a scratch plant before the real one answers: the engine's first are slow. */
const WARM_UP_STEPS = 10;
/** Drives start within this of their idle temperature (°C). */
const START_SPREAD_C = 1;

/** A number in -1..1 from a seed and a place: the same everywhere. */
function scatter(seed: number, place: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(place + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x27d4eb2f);
  return ((h ^ (h >>> 13)) >>> 0) / 0x80000000 - 1;
}

class SimulatedArm implements ArmDriver {
  readonly name: string;
  readonly pace = 'any';
  readonly world: ArmWorld;
  private readonly options: SimulatedArmOptions;
  private readonly parts = new SimulatedArmParts();
  private readonly feedback: OwnFeedback = {
    ...emptyFeedback(),
    temperature_c: Float64Array.from(THERMAL.idle_c),
    at_rest: true,
  };

  constructor(options: SimulatedArmOptions) {
    this.options = options;
    this.name = options.plant;
    this.world = new SimulatedWorld(this.name, this.parts, () => this.report());
    this.feedback.position_rad.set(options.start ?? []);
  }

  async start(): Promise<Feedback> {
    const q = Float64Array.from(this.feedback.position_rad);
    const plant = await this.createPlant(q);
    for (let j = 0; j < 6; j++) {
      plant.heat.temperature[j]! += START_SPREAD_C * scatter(this.options.seed ?? 0, j);
    }
    this.parts.plant = plant;
    this.report();
    return this.feedback;
  }

  private async createPlant(q: Float64Array): Promise<Plant> {
    if (this.options.plant === 'fast') return createFastPlant(q);
    const scratch = await createRapierPlant(q);
    for (let i = 0; i < WARM_UP_STEPS; i++) scratch.step('hold', q, 0);
    scratch.free();
    return createRapierPlant(q);
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    const { plant, brakes, faults } = this.parts;
    if (!plant) return this.feedback;
    const steps = Math.round(dt_s / STEP_S);
    plant.setPayload(setpoint.payload_kg);
    if (setpoint.mode === 'follow' && !this.parts.motorsOff) {
      faults.watchSamples(setpoint.samples, plant.state.position);
    }
    const mode = this.modeOf(setpoint);
    if (brakes.closed && mode !== 'hold') this.parts.wake();
    let left = steps;
    for (; left > 0 && !brakes.closed; left--) {
      this.step(plant, setpoint, steps - left);
    }
    this.parts.steps += left;
    brakes.wait(left);
    this.report();
    return this.feedback;
  }

  private modeOf(setpoint: Setpoint): DriveMode {
    if (this.parts.motorsOff) return 'off';
    return this.parts.faults.fault ? 'hold' : setpoint.mode;
  }

  private step(plant: Plant, setpoint: Setpoint, i: number): void {
    const { parts } = this;
    const mode = this.modeOf(setpoint);
    plant.step(mode, setpoint.samples, 1 + Math.min(i, STEPS_PER_TICK - 1));
    parts.steps += 1;
    parts.faults.watchLag(plant.lag);
    parts.contacts.look(plant.residual, setpoint.detection, parts.steps);
    parts.brakes.watch(plant, mode);
  }

  /** Copies what the joints report into the feedback. */
  private report(): void {
    const { parts, feedback } = this;
    const plant = parts.started;
    feedback.position_rad.set(plant.state.position);
    feedback.torque_n_m.set(plant.torque);
    parts.brakes.writeTemperatures(plant, feedback.temperature_c);
    if (parts.brakes.closed) feedback.velocity_rad_s.fill(0);
    else feedback.velocity_rad_s.set(plant.state.velocity);
    feedback.fault = parts.faults.fault;
    feedback.contact = parts.contacts.contact;
    feedback.at_rest = parts.brakes.closed;
  }

  recover(): boolean {
    const { plant, contacts, faults } = this.parts;
    if (!plant) return false;
    contacts.acknowledge(plant.residual);
    const clear = faults.recover();
    this.feedback.fault = faults.fault;
    this.feedback.contact = null;
    return clear;
  }

  async stop(): Promise<void> {
    this.parts.plant?.free();
    this.parts.plant = null;
    this.feedback.velocity_rad_s.fill(0);
    this.feedback.torque_n_m.fill(0);
    this.feedback.fault = silent('The arm is stopped');
    this.feedback.at_rest = true;
  }
}

/** A simulated arm, not yet started, with the world around it. */
export function createSimulatedArm(options: SimulatedArmOptions): ArmDriver & { world: ArmWorld } {
  return new SimulatedArm(options);
}
