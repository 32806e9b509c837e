/**
 * The simulated arm in steps of 1 ms: drives, friction, end stops, momentum observer, thermal model
 * and environment forces around one of two mechanics engines. The engine advances the joints under
 * given torques; everything else is the same for both. The whole state is one array, so a snapshot
 * is a copy. The plant knows nothing of clocks, control ticks, faults or the wire format.
 */
import { JOINT_COUNT } from '../arm/arm-model.ts';
import {
  ForwardDynamics,
  type FrictionLaw,
  foldedInverseDynamics,
  frictionShare,
  type JointFriction,
  MomentumObserver,
  NOMINAL_FRICTION,
  OBSERVER_SIZE,
  writeFrictionTorques,
} from '../dynamics/arm-dynamics.ts';
import {
  addEndStopTorques,
  ContactReaction,
  DriveThermalModel,
  HOLD_SIZE,
  HoldReference,
  type JointState,
  limitTorques,
  PLANT_STEP_S,
  REACTION_SIZE,
  servoAcceleration,
  THERMAL_SIZE,
} from '../dynamics/drives.ts';
import {
  ballLoad,
  foldRotor,
  INERTIA_SIZE,
  isSameLoad,
  type Load,
  writeLastLinkInertia,
} from '../dynamics/inertia.ts';
import { wrapAngle } from '../math/portable.ts';
import { EnvironmentForces } from './environment-forces.ts';
import {
  type ArmBodies,
  buildArm,
  findArm,
  loadLastLink,
  loadRapier,
  type Rapier,
  readAngles,
  writeTorques,
} from './rapier-arm.ts';

interface PlantEngine {
  /**
   * Advances by 1 ms under joint torques (N m) and writes the new angles and rates to `state`.
   * `dynamics` is updated to the current state with the real load. No allocation.
   */
  advance(state: JointState, torque: Float64Array, dynamics: ForwardDynamics): void;
  /** Places the arm at rest at `q` (rad). May take milliseconds. */
  place(q: Float64Array): void;
  /** Sets the real load. */
  setLoad(load: Load): void;
  /** Saves and loads the state beyond angles and rates: the continuation is bit-equal. */
  save(): Uint8Array;
  load(bytes: Uint8Array): void;
  free(): void;
}

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
  private readonly reaction = new ContactReaction(this.memory, REACTION_STATE);
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
    if (mode !== 'yield') this.reaction.record(this.state.position);
    this.memory[YIELDING] = mode === 'yield' ? 1 : 0;
    limitTorques(this.torque);
    const { position, velocity } = this.state;
    this.environment.update(position, velocity, mode === 'backdrive' || mode === 'off');
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

  /** Reacts to a contact: brakes, retreats, holds. The following error is not watched meanwhile. */
  private yieldToContact(): void {
    if (this.memory[YIELDING] === 0) this.reaction.begin();
    if (this.reaction.brake(this.state, this.residual, this.acceleration)) {
      this.hold.reset();
      this.model.torque(this.acceleration, this.torque);
      this.compensateFriction();
    } else this.follow(this.reaction.rows, 1);
    this.followingError.fill(0);
  }

  /** Writes the pose that the drives hold (rad), which the encoders of an imperfect arm miss. */
  writeHeld(out: Float64Array): void {
    this.hold.writeHeld(this.state.position, out);
  }

  /** True while the arm has left a contact and is held. */
  get hasYielded(): boolean {
    return this.memory[YIELDING] === 1 && this.reaction.isHolding;
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

/**
 * The two mechanics engines of a plant. The fast one has the arm's own forward dynamics and no
 * contacts between bodies; the other one is Rapier's multibody, with contacts.
 */

/**
 * Plant engine without contacts between bodies: the arm's own forward dynamics in double precision,
 * semi-implicit Euler at 1 kHz. It has no loose bodies; accelerated clocks run hundreds of times
 * faster than real time.
 */

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

/**
 * Plant engine with contacts: Rapier's multibody at 1 kHz, read and driven through three of six
 * bodies (rapier-arm.ts) and through the raw calls beneath Rapier's public ones, which skip the
 * sweeps of World.step; a test proves that both give the same bits for the pinned version. Rapier
 * loads only when a plant is created.
 */

/**
 * Damping that Rapier applies to each axis of a multibody, implicit in the new rate (N m s/rad).
 */
const HIDDEN_DAMPING_N_M_S = 0.1;

class RapierEngine implements PlantEngine {
  private readonly rapier: Rapier;
  private arm: ArmBodies | null = null;
  private carried: Load = ballLoad(0);
  private readonly vector: ReturnType<Rapier['VectorOps']['intoRaw']>;
  private readonly rotation = new Float32Array(4);
  private readonly turned = new Float64Array(12);
  private readonly angles = new Float64Array(JOINT_COUNT);
  private readonly torques = new Float64Array(9);
  private readonly acceleration = new Float64Array(JOINT_COUNT);
  private readonly comingRate = new Float64Array(JOINT_COUNT);
  private readonly engineTorque = new Float64Array(JOINT_COUNT);
  private readonly inverse = foldedInverseDynamics();
  /** Link 6 with its load and rotor. */
  private readonly lastLink = new Float64Array(INERTIA_SIZE);

  constructor(rapier: Rapier) {
    this.rapier = rapier;
    this.setLoad(this.carried);
    this.vector = rapier.VectorOps.intoRaw({ x: 0, y: 0, z: 0 });
  }

  advance(state: JointState, torque: Float64Array, dynamics: ForwardDynamics): void {
    const arm = this.arm!;
    this.writeEngineTorques(state, torque, dynamics);
    this.drive(arm, this.engineTorque, dynamics.sinCos);
    arm.step();
    this.read(arm);
    for (let j = 0; j < JOINT_COUNT; j++) {
      const travel = wrapAngle(this.angles[j]! - state.position[j]!);
      state.position[j]! += travel;
      state.velocity[j] = travel / PLANT_STEP_S;
    }
  }

  /**
   * Writes the torques with which Rapier's bodies move as the arm does: the inverse dynamics of
   * these bodies (rotors in the links) at the acceleration of the arm (rotors on the diagonal).
   * Rapier damps and takes the centrifugal and Coriolis terms at the coming rate.
   */
  private writeEngineTorques(
    state: JointState,
    torque: Float64Array,
    dynamics: ForwardDynamics,
  ): void {
    const { acceleration, comingRate, engineTorque } = this;
    dynamics.acceleration(torque, acceleration);
    for (let j = 0; j < JOINT_COUNT; j++) {
      comingRate[j] = state.velocity[j]! + PLANT_STEP_S * acceleration[j]!;
    }
    this.inverse(dynamics.sinCos, comingRate, acceleration, this.lastLink, engineTorque);
    for (let j = 0; j < JOINT_COUNT; j++) {
      engineTorque[j]! += HIDDEN_DAMPING_N_M_S * comingRate[j]!;
    }
  }

  private drive(arm: ArmBodies, torque: Float64Array, turns: Float64Array): void {
    writeTorques(torque, turns, this.torques);
    const { vector, torques } = this;
    for (let i = 0; i < arm.driven.length; i++) {
      vector.x = torques[3 * i]!;
      vector.y = torques[3 * i + 1]!;
      vector.z = torques[3 * i + 2]!;
      arm.driven[i]!.drive(vector);
    }
  }

  private read(arm: ArmBodies): void {
    for (let i = 0; i < arm.driven.length; i++) {
      arm.driven[i]!.read(this.rotation);
      for (let k = 0; k < 4; k++) this.turned[4 * i + k] = this.rotation[k]!;
    }
    readAngles(this.turned, arm.spawned, this.angles);
  }

  place(q: Float64Array): void {
    this.free();
    this.arm = buildArm(this.rapier, q, this.carried);
  }

  setLoad(load: Load): void {
    this.carried = load;
    writeLastLinkInertia(load, this.lastLink);
    foldRotor(JOINT_COUNT - 1, this.lastLink);
    if (this.arm) loadLastLink(this.arm, load);
  }

  save(): Uint8Array {
    const arm = this.arm!;
    const spawn = new Uint8Array(Float64Array.from(arm.spawn).buffer);
    const world = arm.world.takeSnapshot();
    const bytes = new Uint8Array(spawn.length + world.length);
    bytes.set(spawn, 0);
    bytes.set(world, spawn.length);
    return bytes;
  }

  load(bytes: Uint8Array): void {
    const length = 8 * JOINT_COUNT;
    const spawn = new Float64Array(bytes.slice(0, length).buffer);
    const handles = this.arm!.handles;
    this.free();
    const world = this.rapier.World.restoreSnapshot(bytes.slice(length));
    this.arm = findArm(this.rapier, world, { handles, spawn });
  }

  free(): void {
    this.arm?.world.free();
    this.arm = null;
  }
}

let isWarm = false;

/**
 * Saves and restores a throwaway arm once: Rapier compiles each function at its first call, which
 * would delay the first reset of a twin by 40 ms.
 */
function warmUpRestore(rapier: Rapier, q: Float64Array): void {
  if (isWarm) return;
  isWarm = true;
  const { world } = buildArm(rapier, q, ballLoad(0));
  rapier.World.restoreSnapshot(world.takeSnapshot()).free();
  world.free();
}

/**
 * Creates a plant with Rapier's mechanics, at rest at `q` (rad). The first call of a process loads
 * Rapier (0.1 to 0.3 s).
 */
export async function createRapierPlant(q: Float64Array): Promise<Plant> {
  const rapier = await loadRapier();
  warmUpRestore(rapier, q);
  return new Plant(new RapierEngine(rapier), q);
}
