/**
 * The simulated arm in steps of 1 ms: drives, friction, end stops, momentum observer, thermal model
 * and environment forces around one of two mechanics engines. The engine advances the joints under
 * given torques; everything else is the same for both. The whole state is one array, so a snapshot
 * is a copy. The plant knows nothing of clocks, control ticks, faults or the wire format.
 */

import { JOINT_COUNT } from '../arm/arm-model.ts';
import { ContactReaction, REACTION_STATE } from '../dynamics/contact-reaction.ts';
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
import { HOLD, HoldReference } from '../dynamics/hold-reference.ts';
import { ballLoad, isSameLoad, type Load } from '../dynamics/load.ts';
import { MomentumObserver, OBSERVER } from '../dynamics/momentum-observer.ts';
import { DRIVE_HEAT, DriveThermalModel } from '../dynamics/thermal-model.ts';
import { BYTES_PER_NUMBER, ByteLayout } from '../math/byte-sections.ts';
import { Layout } from '../math/layout.ts';
import { ENVIRONMENT_BYTES, EnvironmentForces } from './environment-forces.ts';
import type { PlantEngine } from './plant-engine.ts';

/**
 * follow: track the samples; hold: brake and hold; yield: give way to a contact, then hold;
 * backdrive: gravity compensation only; torque: the samples are motor torques (N m); off: no motor
 * torque.
 */
export type DriveMode = 'follow' | 'hold' | 'yield' | 'backdrive' | 'torque' | 'off';

/** Numbers of the real load. */
const LOAD = new Layout({ mass_kg: 1, centre_of_mass_m: 3, inertia_kg_m2: 6 });

/** Numbers of the plant's state; the last real load and the payload that drives assume are in it. */
const STATE = new Layout({
  position: JOINT_COUNT,
  velocity: JOINT_COUNT,
  torque: JOINT_COUNT,
  hold: HOLD.size,
  load: LOAD.size,
  modelPayload: 1,
  frictionCompensation: 1,
  observer: OBSERVER.size,
  thermal: DRIVE_HEAT.size,
  yielding: 1,
  reaction: REACTION_STATE.size,
});
const {
  modelPayload: MODEL_PAYLOAD,
  frictionCompensation: FRICTION_COMPENSATION,
  yielding: YIELDING,
} = STATE.at;

/** The parts of a snapshot; the state of the engine is the rest. */
const SNAPSHOT = new ByteLayout({
  state: BYTES_PER_NUMBER * STATE.size,
  environment: ENVIRONMENT_BYTES,
});

export class Plant {
  private readonly memory = STATE.create();
  private readonly parts = STATE.views(this.memory);
  private readonly engine: PlantEngine;
  /** Dynamics as drives and observer know them, and with the real load where that differs. */
  private readonly model = new ForwardDynamics();
  private readonly real = new ForwardDynamics();
  private isLoadModelled = true;
  /** True while the real load is a ball at the usual place (`ballLoad`). */
  private isBall = true;
  /** The load that `setLoad` was last called with: an unchanged one costs nothing. */
  private lastLoad: Load | null = null;
  private readonly load = LOAD.views(this.parts.load);
  private readonly observer = new MomentumObserver(this.parts.observer);
  private readonly hold = new HoldReference(this.parts.hold);
  private readonly acceleration = new Float64Array(JOINT_COUNT);
  private readonly applied = new Float64Array(JOINT_COUNT);
  private readonly friction = new Float64Array(JOINT_COUNT);
  /** Friction of the joints, which drives and observer expect. */
  jointFriction: JointFriction = NOMINAL_FRICTION;
  /** Friction by temperature, null for the nominal one, which drives and observer expect. */
  frictionLaw: FrictionLaw | null = null;

  readonly state: JointState = {
    position: this.parts.position,
    velocity: this.parts.velocity,
  };
  /** Motor torques of the last step (N m). */
  readonly torque = this.parts.torque;
  /** External torques estimated by the observer (N m). */
  readonly residual = this.observer.residual;
  /** Following error of each joint at the start of the last step (rad). */
  readonly followingError = new Float64Array(JOINT_COUNT);
  /** What the drives do about a contact, in mode yield. */
  readonly reaction = new ContactReaction(this.parts.reaction);
  readonly thermal = new DriveThermalModel(this.parts.thermal);
  readonly environment = new EnvironmentForces();

  constructor(engine: PlantEngine, q: Float64Array) {
    this.engine = engine;
    this.memory[FRICTION_COMPENSATION] = 1;
    this.writeLoad(ballLoad(0));
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
    const isSet = this.isBall && this.load.mass_kg[0] === payload_kg;
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
    this.writeLoad(load);
    this.memory[MODEL_PAYLOAD] = modelled_kg;
    this.observer.beforeModelChange(this.model);
    this.applyLoad();
    this.observer.afterModelChange(this.model);
  }

  private writeLoad({ mass_kg, centre_of_mass_m, inertia_kg_m2 }: Load): void {
    this.load.mass_kg[0] = mass_kg;
    this.load.centre_of_mass_m.set(centre_of_mass_m);
    this.load.inertia_kg_m2.set(inertia_kg_m2);
  }

  private applyLoad(): void {
    const { mass_kg, centre_of_mass_m, inertia_kg_m2 } = this.load;
    const load = {
      mass_kg: mass_kg[0]!,
      centre_of_mass_m: Array.from(centre_of_mass_m),
      inertia_kg_m2: Array.from(inertia_kg_m2),
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
    return SNAPSHOT.join({
      state: new Uint8Array(this.memory.buffer),
      environment: this.environment.save(),
      rest: this.engine.save(),
    });
  }

  /** Restores the state of `snapshot`: the continuation is bit-equal. */
  restore(bytes: Uint8Array): void {
    const { state, environment, rest } = SNAPSHOT.split(bytes);
    new Uint8Array(this.memory.buffer).set(state);
    this.environment.load(environment);
    this.engine.load(rest);
    this.lastLoad = null;
    this.applyLoad();
  }

  /** Releases the memory that the engine holds outside of JavaScript. */
  free(): void {
    this.engine.free();
  }
}
