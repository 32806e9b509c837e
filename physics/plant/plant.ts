/**
 * The simulated arm in steps of 1 ms: drives, friction, end stops, momentum observer, thermal model
 * and environment forces around one of two mechanics engines. The engine advances the joints under
 * given torques; everything else is the same for both. The whole state is one array, so a snapshot
 * is a copy. The plant knows nothing of clocks, control ticks, faults or the wire format.
 */

import { JOINT_COUNT } from '../arm/arm-model.ts';
import { ContactReaction, REACTION_SIZE } from '../dynamics/contact-reaction.ts';
import {
  addEndStopTorques,
  type JointState,
  limitTorques,
  servoAcceleration,
} from '../dynamics/drives.ts';
import { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import {
  type FrictionLaw,
  frictionShare,
  type JointFriction,
  NOMINAL_FRICTION,
  writeFrictionTorques,
} from '../dynamics/friction.ts';
import { HOLD_SIZE, HoldReference } from '../dynamics/hold-reference.ts';
import { ballLoad, isSameLoad, type Load } from '../dynamics/load.ts';
import { MomentumObserver, OBSERVER_SIZE } from '../dynamics/momentum-observer.ts';
import { DriveThermalModel, THERMAL_SIZE } from '../dynamics/thermal-model.ts';
import { EnvironmentForces } from './environment-forces.ts';
import type { PlantEngine } from './plant-engine.ts';

/**
 * follow: track the samples; hold: brake and hold; yield: give way to a contact, then hold;
 * backdrive: gravity compensation only; torque: the samples are motor torques (N m); off: no motor
 * torque.
 */
export type DriveMode = 'follow' | 'hold' | 'yield' | 'backdrive' | 'torque' | 'off';

const POSITION = 0;
const VELOCITY = 6;
const TORQUE = 12;
const HOLD = 18;
/** Real load: mass, centre of mass, inertia. */
const LOAD = HOLD + HOLD_SIZE;
const LOAD_SIZE = 10;
const MODEL_PAYLOAD = LOAD + LOAD_SIZE;
const FRICTION_COMPENSATION = MODEL_PAYLOAD + 1;
const OBSERVER_STATE = FRICTION_COMPENSATION + 1;
const THERMAL_STATE = OBSERVER_STATE + OBSERVER_SIZE;
const YIELDING = THERMAL_STATE + THERMAL_SIZE;
const REACTION_STATE = YIELDING + 1;
const PLANT_SIZE = REACTION_STATE + REACTION_SIZE;

const { centre_of_mass_m, inertia_kg_m2 } = ballLoad(0);
const NO_LOAD = [0, ...centre_of_mass_m, ...inertia_kg_m2];

export class Plant {
  private readonly memory = new Float64Array(PLANT_SIZE);
  private readonly engine: PlantEngine;
  /** Dynamics as drives and observer know them, and with the real load where that differs. */
  private readonly model = new ForwardDynamics();
  private readonly real = new ForwardDynamics();
  private isLoadModelled = true;
  /** True while the real load is a ball at the usual place (`ballLoad`). */
  private isBall = true;
  /** The load that `setLoad` was last called with: an unchanged one costs nothing. */
  private lastLoad: Load | null = null;
  private readonly load = this.memory.subarray(LOAD, LOAD + LOAD_SIZE);
  private readonly observer = new MomentumObserver(this.memory, OBSERVER_STATE);
  private readonly hold = new HoldReference(this.memory, HOLD);
  private readonly acceleration = new Float64Array(JOINT_COUNT);
  private readonly applied = new Float64Array(JOINT_COUNT);
  private readonly friction = new Float64Array(JOINT_COUNT);
  /** Friction of the joints, which drives and observer expect. */
  jointFriction: JointFriction = NOMINAL_FRICTION;
  /** Friction by temperature, null for the nominal one, which drives and observer expect. */
  frictionLaw: FrictionLaw | null = null;

  readonly state: JointState = {
    position: this.memory.subarray(POSITION, POSITION + 6),
    velocity: this.memory.subarray(VELOCITY, VELOCITY + 6),
  };
  /** Motor torques of the last step (N m). */
  readonly torque = this.memory.subarray(TORQUE, TORQUE + 6);
  /** External torques estimated by the observer (N m). */
  readonly residual = this.observer.residual;
  /** Following error of each joint at the start of the last step (rad). */
  readonly followingError = new Float64Array(JOINT_COUNT);
  /** What the drives do about a contact, in mode yield. */
  readonly reaction = new ContactReaction(this.memory, REACTION_STATE);
  readonly thermal = new DriveThermalModel(this.memory, THERMAL_STATE);
  readonly environment = new EnvironmentForces();

  constructor(engine: PlantEngine, q: Float64Array) {
    this.engine = engine;
    this.memory[FRICTION_COMPENSATION] = 1;
    this.load.set(NO_LOAD);
    this.place(q);
  }

  /**
   * Advances by 1 ms. In mode follow, `samples` holds rows of six angles (rad) 1 ms apart and `row`
   * is the current reference; both neighbours are read. No allocation.
   */
  step(mode: DriveMode, samples: Float64Array, row: number): void {
    writeFrictionTorques(this.state.velocity, this.friction, this.jointFriction);
    if (mode === 'follow') this.follow(samples, row);
    else if (mode === 'hold') this.servo(this.hold.advance(this.state), 1);
    else if (mode === 'yield') this.yieldToContact();
    else this.release(mode, samples, row);
    if (mode !== 'yield') this.reaction.record(this.state.position, this.residual);
    this.memory[YIELDING] = mode === 'yield' ? 1 : 0;
    limitTorques(this.torque);
    const { position, velocity } = this.state;
    const isLoose = mode === 'backdrive' || mode === 'off' || this.isGivingWay;
    this.environment.update(position, velocity, isLoose);
    this.sumTorques();
    this.thermal.add(this.torque, velocity);
    if (!this.isLoadModelled) this.real.update(position, velocity);
    this.engine.advance(this.state, this.applied, this.isLoadModelled ? this.model : this.real);
    this.model.update(position, velocity);
    this.observer.update(this.model);
  }

  private follow(samples: Float64Array, row: number): void {
    this.servo(samples, row);
    this.hold.follow(samples, row);
  }

  private servo(samples: Float64Array, row: number): void {
    const { position } = this.state;
    servoAcceleration(samples, row, this.state, this.acceleration);
    this.model.torque(this.acceleration, this.torque);
    this.compensateFriction();
    for (let j = 0; j < JOINT_COUNT; j++) {
      this.followingError[j] = samples[6 * row + j]! - position[j]!;
    }
  }

  private compensateFriction(): void {
    const share = this.memory[FRICTION_COMPENSATION]!;
    for (let j = 0; j < JOINT_COUNT; j++) this.torque[j]! += share * this.friction[j]!;
  }

  /** Drives without a reference: gravity compensation, given torques (N m), or none. */
  private release(mode: 'backdrive' | 'torque' | 'off', samples: Float64Array, row: number): void {
    this.hold.reset();
    if (mode !== 'torque') this.followingError.fill(0);
    if (mode === 'backdrive') this.model.gravity(this.torque);
    else if (mode === 'torque') this.torque.set(samples.subarray(6 * row, 6 * row + 6));
    else this.torque.fill(0);
  }

  /** Reacts to a contact until it is left. The following error is not watched meanwhile. */
  private yieldToContact(): void {
    const { reaction } = this;
    if (this.memory[YIELDING] === 0) reaction.begin();
    if (reaction.step(this.state, this.residual, this.acceleration)) {
      this.hold.reset();
      this.model.torque(this.acceleration, this.torque);
      this.compensateFriction();
      if (reaction.isCompliant) reaction.carryLoad(this.residual, this.torque);
    } else this.follow(reaction.rows, 1);
    this.followingError.fill(0);
  }

  /** Writes the pose that the drives hold (rad), which the encoders of an imperfect arm miss. */
  writeHeld(out: Float64Array): void {
    this.hold.writeHeld(this.state.position, out);
  }

  /** True from the first step of a reaction to a contact until the drives are told otherwise. */
  get isYielding(): boolean {
    return this.memory[YIELDING] === 1;
  }

  /** True once the reaction has left the contact and the arm is held. */
  get hasYielded(): boolean {
    return this.isYielding && this.reaction.hasEnded;
  }

  private get isGivingWay(): boolean {
    return this.isYielding && this.reaction.isCompliant;
  }

  /** Estimated external force at the touching place (N), by the last reaction to a contact. */
  get externalForce_n(): number {
    return this.reaction.forceAt(this.state.position, this.residual);
  }

  /** Sums the torques on each joint and passes the modelled part to the observer. */
  private sumTorques(): void {
    const { applied, torque, thermal, frictionLaw: law } = this;
    const { environment, observer } = this;
    const compensated = this.memory[FRICTION_COMPENSATION]!;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const friction = this.friction[j]!;
      const motor = torque[j]!;
      const share = law ? frictionShare(law, j, thermal.temperature[j]!) : 1;
      applied[j] = motor - share * friction + environment.torque[j]!;
      observer.drive[j] = motor - compensated * friction;
    }
    addEndStopTorques(this.state, this.applied);
  }

  /** Places the arm at rest at `q` (rad) and resets everything but payload and temperatures. */
  place(q: Float64Array): void {
    this.state.position.set(q);
    this.state.velocity.fill(0);
    this.hold.reset();
    this.memory[YIELDING] = 0;
    this.reaction.reset();
    this.engine.place(this.state.position);
    this.model.update(this.state.position, this.state.velocity);
    this.model.gravity(this.torque);
    this.observer.reset(this.model);
    this.environment.clear();
  }

  /**
   * Sets the payload at the flange (kg), as a ball, and the payload in the model of drives and
   * observer. Changes neither angles nor rates.
   */
  setPayload(payload_kg: number, modelled_kg = payload_kg): void {
    const isSet = this.isBall && this.load[0] === payload_kg;
    if (isSet && this.memory[MODEL_PAYLOAD] === modelled_kg) return;
    this.setLoad(ballLoad(payload_kg), modelled_kg);
  }

  /**
   * Sets the real load at the flange and the payload (kg) in the model of drives and observer; they
   * differ where the load is not the declared one. Changes neither angles nor rates.
   */
  setLoad(load: Load, modelled_kg: number): void {
    if (load === this.lastLoad && this.memory[MODEL_PAYLOAD] === modelled_kg) return;
    this.lastLoad = load;
    this.load.set([load.mass_kg, ...load.centre_of_mass_m, ...load.inertia_kg_m2]);
    this.memory[MODEL_PAYLOAD] = modelled_kg;
    this.observer.beforeModelChange(this.model);
    this.applyLoad();
    this.observer.afterModelChange(this.model);
  }

  private applyLoad(): void {
    const numbers = Array.from(this.load);
    const load = {
      mass_kg: numbers[0]!,
      centre_of_mass_m: numbers.slice(1, 4),
      inertia_kg_m2: numbers.slice(4),
    };
    const modelled = ballLoad(this.memory[MODEL_PAYLOAD]!);
    this.isBall = isSameLoad(load, ballLoad(load.mass_kg));
    this.isLoadModelled = isSameLoad(load, modelled);
    this.model.setLoad(modelled);
    this.real.setLoad(load);
    this.engine.setLoad(load);
    this.environment.setLoad(load.mass_kg > 0 ? load.centre_of_mass_m : null);
    this.model.update(this.state.position, this.state.velocity);
  }

  /** Share of the friction that drives and observer compensate; 1 by default. */
  setFrictionCompensation(share: number): void {
    this.memory[FRICTION_COMPENSATION] = share;
  }

  /** Returns the whole state as bytes; the caller keeps the obstacles. */
  snapshot(): Uint8Array {
    const own = new Uint8Array(this.memory.buffer);
    const engine = this.engine.save();
    const environment = this.environment.save();
    const bytes = new Uint8Array(own.length + environment.length + engine.length);
    bytes.set(own, 0);
    bytes.set(environment, own.length);
    bytes.set(engine, own.length + environment.length);
    return bytes;
  }

  /** Restores the state of `snapshot`: the continuation is bit-equal. */
  restore(bytes: Uint8Array): void {
    const own = new Uint8Array(this.memory.buffer);
    own.set(bytes.subarray(0, own.length));
    const engine = this.environment.load(bytes.subarray(own.length));
    this.engine.load(engine);
    this.lastLoad = null;
    this.applyLoad();
  }

  /** Releases the memory that the engine holds outside of JavaScript. */
  free(): void {
    this.engine.free();
  }
}
