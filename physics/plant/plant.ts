/**
 * The simulated arm in steps of 1 ms: drives, friction, end stops, momentum observer, thermal model
 * and environment forces around a mechanics engine. The engine advances the joints under given
 * torques; everything else is the same for every engine. The whole state is one array, so a
 * snapshot is a copy. The plant reads no clock and knows nothing of control ticks, faults or the
 * wire format.
 */
import { DRIVE, JOINT_COUNT } from '../arm/arm-model.ts';
import { ForwardDynamics } from '../dynamics/arm-dynamics.ts';
import {
  addEndStopTorques,
  DriveThermalModel,
  type JointState,
  limitTorques,
  PLANT_STEP_S,
  servoAcceleration,
  THERMAL_SIZE,
  writeFrictionTorques,
} from '../dynamics/drives.ts';
import { MomentumObserver, OBSERVER_SIZE } from '../dynamics/momentum-observer.ts';
import { EnvironmentForces } from './environment-forces.ts';

export interface PlantEngine {
  /** Damping (N m s/rad) that the engine adds to each joint, implicit in the new rate. */
  readonly damping_n_m_s: number;
  /**
   * Advances by 1 ms under joint torques (N m) and writes the new angles and rates to `state`.
   * `model` is updated to the current state with the modelled payload. No allocation.
   */
  advance(state: JointState, torque: Float64Array, model: ForwardDynamics): void;
  /** Places the arm at rest at `q` (rad). May take milliseconds. */
  place(q: Float64Array): void;
  /** Sets the real payload (kg); `isModelled` says whether the model has the same payload. */
  setPayload(payload_kg: number, isModelled: boolean): void;
  /** Saves and loads the state beyond angles and rates: the continuation is bit-equal. */
  save(): Uint8Array;
  load(bytes: Uint8Array): void;
  free(): void;
}

/**
 * follow: track the samples; hold: brake and hold; backdrive: gravity compensation only; off: no
 * motor torque.
 */
export type DriveMode = 'follow' | 'hold' | 'backdrive' | 'off';

const POSITION = 0;
const VELOCITY = 6;
const TORQUE = 12;
/** Reference of a hold: rows before, current and after, then its rate. */
const HOLD = 18;
const HOLD_RATE = 36;
const HOLDING = 42;
const PAYLOAD = 43;
const MODEL_PAYLOAD = 44;
const FRICTION_COMPENSATION = 45;
const OBSERVER_STATE = 46;
const THERMAL_STATE = OBSERVER_STATE + OBSERVER_SIZE;
const PLANT_SIZE = THERMAL_STATE + THERMAL_SIZE;

const BRAKING = Float64Array.from(DRIVE.braking_rad_s2);

export class Plant {
  private readonly memory = new Float64Array(PLANT_SIZE);
  private readonly engine: PlantEngine;
  private readonly model = new ForwardDynamics();
  private readonly observer = new MomentumObserver(this.memory, OBSERVER_STATE);
  private readonly hold = this.memory.subarray(HOLD, HOLD + 18);
  private readonly acceleration = new Float64Array(JOINT_COUNT);
  private readonly applied = new Float64Array(JOINT_COUNT);
  private readonly friction = new Float64Array(JOINT_COUNT);

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
    this.place(q);
  }

  /**
   * Advances by 1 ms. In mode follow, `samples` holds rows of six angles (rad) 1 ms apart and `row`
   * is the current reference; both neighbours are read. No allocation.
   */
  step(mode: DriveMode, samples: Float64Array, row: number): void {
    writeFrictionTorques(this.state.velocity, this.friction);
    if (mode === 'follow') this.servo(samples, row);
    else if (mode === 'hold') this.brakeAndHold();
    else this.release(mode);
    this.memory[HOLDING] = mode === 'hold' ? 1 : 0;
    limitTorques(this.torque);
    this.environment.update(this.state.position, mode === 'backdrive' || mode === 'off');
    this.sumTorques();
    this.thermal.add(this.torque, this.state.velocity);
    this.engine.advance(this.state, this.applied, this.model);
    this.model.update(this.state.position, this.state.velocity);
    const damping = this.engine.damping_n_m_s;
    for (let j = 0; j < JOINT_COUNT; j++) {
      this.observer.drive[j]! -= damping * this.state.velocity[j]!;
    }
    this.observer.update(this.model);
  }

  private servo(samples: Float64Array, row: number): void {
    const { position } = this.state;
    servoAcceleration(samples, row, this.state, this.acceleration);
    this.model.torque(this.acceleration, this.torque);
    const damping = this.engine.damping_n_m_s;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const compensation = this.memory[FRICTION_COMPENSATION]! * this.friction[j]!;
      this.torque[j]! += damping * PLANT_STEP_S * this.acceleration[j]! + compensation;
      this.followingError[j] = samples[6 * row + j]! - position[j]!;
    }
  }

  private release(mode: 'backdrive' | 'off'): void {
    this.followingError.fill(0);
    if (mode === 'backdrive') this.model.gravity(this.torque);
    else this.torque.fill(0);
  }

  /** Brakes from the rate at entry, then holds; the plant generates the reference. */
  private brakeAndHold(): void {
    const { hold, memory } = this;
    const entered = memory[HOLDING] === 0;
    for (let j = 0; j < JOINT_COUNT; j++) {
      if (entered) this.enterHold(j);
      else {
        hold[j] = hold[6 + j]!;
        hold[6 + j] = hold[12 + j]!;
      }
      const rate = memory[HOLD_RATE + j]!;
      const loss = BRAKING[j]! * PLANT_STEP_S;
      const next = rate > loss ? rate - loss : Math.min(rate + loss, 0);
      memory[HOLD_RATE + j] = next;
      hold[12 + j] = hold[6 + j]! + PLANT_STEP_S * next;
    }
    this.servo(hold, 1);
  }

  private enterHold(j: number): void {
    const rate = this.state.velocity[j]!;
    this.hold[6 + j] = this.state.position[j]!;
    this.hold[j] = this.state.position[j]! - PLANT_STEP_S * rate;
    this.memory[HOLD_RATE + j] = rate;
  }

  /**
   * Sums the torques on each joint and passes the modelled part to the observer. The engine's own
   * damping is part of the viscous friction and is compensated.
   */
  private sumTorques(): void {
    const { velocity } = this.state;
    const damping = this.engine.damping_n_m_s;
    const external = this.environment.torque;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const friction = this.friction[j]!;
      const motor = this.torque[j]! + damping * velocity[j]!;
      this.applied[j] = motor - friction + external[j]!;
      this.observer.drive[j] = motor - this.memory[FRICTION_COMPENSATION]! * friction;
    }
    addEndStopTorques(this.state, this.applied);
  }

  /** Places the arm at rest at `q` (rad) and resets everything but payload and temperatures. */
  place(q: Float64Array): void {
    this.state.position.set(q);
    this.state.velocity.fill(0);
    this.memory[HOLDING] = 0;
    this.engine.place(this.state.position);
    this.model.update(this.state.position, this.state.velocity);
    this.model.gravity(this.torque);
    this.observer.reset(this.model);
    this.environment.clear();
  }

  /**
   * Sets the real payload at the flange (kg) and the payload in the model of drives and observer;
   * they differ only to simulate an undeclared load. Changes neither angles nor rates.
   */
  setPayload(payload_kg: number, modelled_kg = payload_kg): void {
    if (this.memory[PAYLOAD] === payload_kg && this.memory[MODEL_PAYLOAD] === modelled_kg) return;
    this.memory[PAYLOAD] = payload_kg;
    this.memory[MODEL_PAYLOAD] = modelled_kg;
    this.observer.beforeModelChange(this.model);
    this.applyPayload();
    this.observer.afterModelChange(this.model);
  }

  private applyPayload(): void {
    const payload = this.memory[PAYLOAD]!;
    const modelled = this.memory[MODEL_PAYLOAD]!;
    this.model.setPayload(modelled);
    this.engine.setPayload(payload, payload === modelled);
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
    this.applyPayload();
  }

  /** Releases the memory that the engine holds outside of JavaScript. */
  free(): void {
    this.engine.free();
  }
}
