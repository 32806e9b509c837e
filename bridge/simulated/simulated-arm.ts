/**
 * The driver of a simulated arm: the Rapier plant (default of a served twin) or the fast plant
 * without contact dynamics. It adds what the controller of a real arm does: brakes, faults, contact
 * detection and the count of plant steps. It reads no clock; time is `dt_s`.
 */

import type { ArmProfile } from '../../contract/types.generated.ts';
import { type Realism, THERMAL } from '../../physics/arm/arm-model.ts';
import { RapierBodies } from '../../physics/cell/rapier-bodies.ts';
import { PLANT_STEP_S } from '../../physics/dynamics/plant-step.ts';
import { noiseAt } from '../../physics/math/prng.ts';
import { createFastPlant } from '../../physics/plant/fast-plant.ts';
import type { DriveMode, Plant } from '../../physics/plant/plant.ts';
import { loadRapier } from '../../physics/plant/rapier-loader.ts';
import { createRapierPlant } from '../../physics/plant/rapier-plant.ts';
import {
  type ArmDriver,
  type ContactReactionReport,
  emptyFeedback,
  type Feedback,
  type MountedTool,
  type MutableFeedback,
  type Setpoint,
  STEPS_PER_TICK,
  unavailableFault,
} from '../arm-driver.ts';
import type { ArmWorld } from '../arm-world.ts';
import { isStill, STILL_RAD_S } from './plant-rest.ts';
import { SimulatedController } from './simulated-controller.ts';
import { SimulatedWorld } from './simulated-world.ts';

export interface SimulatedArmOptions {
  readonly plant: 'rapier' | 'fast';
  /** Seed of the drive temperatures at start and of the imperfections. */
  readonly seed?: number;
  /** Imperfections of the arm; default ideal. */
  readonly realism?: Realism;
  /** Friction, load, noise and latency of a real arm; default: those of the model. */
  readonly profile?: ArmProfile | null;
  /** Joint angles at start (rad); default upright. */
  readonly start?: ArrayLike<number>;
}

/**
 * Steps of a scratch plant before start returns, because the first steps of the engine are slow.
 */
const WARM_UP_STEPS = 10;
/** Rates of an arm that the brakes hold (rad/s). */
const STANDING = new Float64Array(6);
/** Drives start within this of their idle temperature (°C). */
const START_SPREAD_C = 1;

/** Copies one value a joint; `set` of an array takes longer than six numbers. */
function copySix(from: Float64Array, to: Float64Array): void {
  for (let j = 0; j < 6; j++) to[j] = from[j]!;
}

class SimulatedArm implements ArmDriver {
  readonly name: string;
  readonly pace = 'any';
  readonly world: SimulatedWorld;
  private readonly options: SimulatedArmOptions;
  private tool: MountedTool | null = null;
  private readonly controller: SimulatedController;
  private readonly feedback: MutableFeedback & { readonly held_rad: Float64Array } = {
    ...emptyFeedback(),
    held_rad: new Float64Array(6),
    temperature_c: Float64Array.from(THERMAL.idle_c),
    at_rest: true,
  };

  /** Reused by all ticks. */
  private readonly reaction: {
    -readonly [Key in keyof ContactReactionReport]: ContactReactionReport[Key];
  } = {
    phase: 'braking',
    force_n: 0,
    peak_n: 0,
    retreated_rad: 0,
    yielded_rad: 0,
    relieved: 0,
  };

  constructor(options: SimulatedArmOptions) {
    this.options = options;
    this.name = options.plant;
    this.controller = new SimulatedController(options.seed ?? 0);
    this.world = new SimulatedWorld(this.name, this.controller, () => this.report());
    this.feedback.position_rad.set(options.start ?? []);
  }

  async start(): Promise<Feedback> {
    const q = Float64Array.from(this.feedback.position_rad);
    const plant = await this.createPlant(q);
    for (let j = 0; j < 6; j++) {
      plant.thermal.temperature[j]! += START_SPREAD_C * noiseAt(this.options.seed ?? 0, j);
    }
    this.controller.plant = plant;
    this.controller.measured.set(this.options.realism ?? 'ideal', plant);
    if (this.options.profile) this.world.setProfile(this.options.profile);
    this.report();
    return this.feedback;
  }

  private async createPlant(q: Float64Array): Promise<Plant> {
    if (this.options.plant === 'fast') return createFastPlant(q);
    const rapier = await loadRapier();
    this.world.createBodies = (model, states) => new RapierBodies(rapier, model, states);
    const scratch = await createRapierPlant(q);
    for (let i = 0; i < WARM_UP_STEPS; i++) scratch.step('hold', q, 0);
    scratch.free();
    return createRapierPlant(q);
  }

  exchange(setpoint: Setpoint, dt_s: number): Feedback {
    const { plant, brakes, faults } = this.controller;
    if (!plant) return this.feedback;
    const steps = Math.round(dt_s / PLANT_STEP_S);
    this.carry(plant, setpoint);
    const mode = this.modeOf(setpoint);
    if (mode === 'follow') faults.checkSamples(setpoint.samples, plant.state.position);
    else faults.forgetReference();
    if (brakes.closed && mode !== 'hold' && mode !== 'yield') this.controller.wake();
    let left = steps;
    for (; left > 0 && !(brakes.closed && this.isCellIdle); left--) {
      if (brakes.closed && !this.isMet(plant)) this.stepCell(plant);
      else this.step(plant, setpoint, steps - left);
    }
    this.controller.steps += left;
    this.controller.cell?.skip(left);
    brakes.skip(left);
    this.report(this.modeOf(setpoint) === 'yield' && !plant.hasYielded);
    return this.feedback;
  }

  private carry(plant: Plant, { payload_kg, tool = null }: Setpoint): void {
    const { load: own, cell } = this.controller;
    const load = own ?? (cell?.hasGripper ? cell.load : null);
    if (load) plant.setLoad(load, payload_kg);
    else plant.setPayload(payload_kg);
    if (tool === this.tool) return;
    this.tool = tool;
    plant.environment.setTool(tool?.tip_m ?? null, tool?.radius_m ?? 0);
  }

  /**
   * From the step after its detection until its acknowledgement a contact rules the drives, and so
   * does a joint that something holds back, until it is recovered; a reaction that has begun goes
   * on until the contact is left (D30).
   */
  private modeOf({ mode }: Setpoint): DriveMode {
    const { motorsOff, faults, contacts, plant } = this.controller;
    // Nearly every step: the rest is a call of its own, which keeps this one short.
    const isUndisturbed = faults.fault === null && contacts.contact === null;
    if (isUndisturbed && !motorsOff && !plant!.isYielding) return mode;
    return this.disturbedMode(mode);
  }

  private disturbedMode(mode: Setpoint['mode']): DriveMode {
    const { motorsOff, faults, contacts, startedPlant: plant } = this.controller;
    if (motorsOff) return 'off';
    if (faults.isInjected) return 'hold';
    if (mode === 'backdrive') return faults.fault ? 'hold' : mode;
    const isLeaving = plant.isYielding && !plant.hasYielded;
    if (contacts.contact || faults.isBlocked || isLeaving) return 'yield';
    return faults.fault ? 'hold' : mode;
  }

  private step(plant: Plant, setpoint: Setpoint, i: number): void {
    const { controller: parts } = this;
    const mode = this.modeOf(setpoint);
    plant.step(mode, setpoint.samples, 1 + Math.min(i, STEPS_PER_TICK - 1));
    parts.steps += 1;
    parts.measured.update(plant);
    parts.contacts.update(plant.residual, setpoint.detection, parts.steps);
    if (parts.contacts.isLooking) {
      const isHeld = mode === 'hold' && setpoint.detection !== null;
      parts.contacts.lookAgain(isHeld, plant.residual, parts.steps, this.pressing_n);
    }
    if (!parts.contacts.contact) parts.faults.checkLag(plant.followingError);
    const isDetected = parts.contacts.contact !== null;
    parts.contactLog.update(plant, parts.steps, isDetected);
    parts.brakes.update(plant, mode);
    parts.cell?.step(plant.state.position);
  }

  /** True while nothing in the cell changes by itself. */
  private get isCellIdle(): boolean {
    return this.controller.cell?.isActive !== true;
  }

  /**
   * Whether something of the cell touches the arm that the brakes hold: the drives then hold it,
   * and feel it.
   */
  private isMet(plant: Plant): boolean {
    plant.environment.update(plant.state.position, STANDING, false);
    if (plant.environment.isTouching) this.controller.wake();
    return plant.environment.isTouching;
  }

  /** Advances the cell by one step while the brakes hold the arm. */
  private stepCell(plant: Plant): void {
    this.controller.steps += 1;
    this.controller.brakes.skip(1);
    this.controller.cell?.step(plant.state.position);
  }

  /** Copies the state of the plant into the feedback; `yields` if it will yield to a contact. */
  private report(yields = false): void {
    const { controller: parts, feedback } = this;
    const plant = parts.startedPlant;
    copySix(plant.state.position, feedback.position_rad);
    plant.writeHeld(feedback.held_rad);
    copySix(plant.torque, feedback.torque_n_m);
    parts.brakes.writeTemperatures(plant, feedback.temperature_c);
    if (parts.brakes.closed) feedback.velocity_rad_s.fill(0);
    else copySix(plant.state.velocity, feedback.velocity_rad_s);
    // The arm knows its pose at start: it is calibrated there.
    if (parts.steps > 0) parts.measured.write(feedback, parts.steps, parts.brakes.closed);
    feedback.fault = parts.faults.fault;
    feedback.contact = parts.contacts.contact;
    feedback.reaction = this.reactionOf(plant);
    feedback.at_rest = parts.brakes.closed && this.isCellIdle;
    const isStanding = !yields && isStill(plant) && parts.measured.hasStood(STILL_RAD_S);
    feedback.standing = parts.brakes.closed || isStanding;
    if (parts.cell) feedback.estop = parts.cell.signals.isStopped;
    else if (feedback.estop !== undefined) feedback.estop = false;
  }

  /** Estimated external force on the held arm (N). */
  private readonly pressing_n = () => this.controller.startedPlant.externalForce_n;

  private reactionOf({ isYielding, reaction: now }: Plant): ContactReactionReport | null {
    if (!isYielding) return null;
    const { reaction } = this;
    reaction.phase = now.phase;
    reaction.force_n = now.force_n;
    reaction.peak_n = now.peak_n;
    reaction.retreated_rad = now.retreated_rad;
    reaction.yielded_rad = now.yielded_rad;
    reaction.relieved = now.relieved;
    return reaction;
  }

  recover(): boolean {
    const { plant, contacts, faults } = this.controller;
    if (!plant) return false;
    contacts.acknowledge(plant.residual);
    const clear = faults.recover();
    this.feedback.fault = faults.fault;
    this.feedback.contact = null;
    return clear;
  }

  async stop(): Promise<void> {
    this.controller.cell?.free();
    this.controller.cell = null;
    this.controller.plant?.free();
    this.controller.plant = null;
    this.feedback.velocity_rad_s.fill(0);
    this.feedback.torque_n_m.fill(0);
    this.feedback.fault = unavailableFault('The arm is stopped');
    this.feedback.standing = true;
    this.feedback.at_rest = true;
  }
}

/** Creates a simulated arm, not yet started, with its world. */
export function createSimulatedArm(options: SimulatedArmOptions): ArmDriver & { world: ArmWorld } {
  return new SimulatedArm(options);
}
