/**
 * The simulated arm in steps of 1 ms: drives, friction, end stops, observer, heat and the world's
 * forces around an engine (mechanism.ts). Its whole state lies in one array, so that a snapshot is
 * a copy. It reads no clock and knows nothing of ticks, faults or the wire.
 */
import { DRIVE, JOINT_COUNT } from '../arm/arm-model.ts';
import { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import { MomentumObserver, OBSERVER_SIZE } from '../dynamics/residual.ts';
import {
  addStops,
  type JointState,
  limitTorques,
  STEP_S,
  servoAcceleration,
  writeFriction,
} from '../dynamics/servo.ts';
import { DriveHeat, THERMAL_SIZE } from '../dynamics/thermal.ts';
import type { Mechanism } from './mechanism.ts';
import { Surroundings } from './obstacles.ts';

/** follow: track the samples; hold: brake and stay; limp: gravity held only; off: nothing held. */
export type DriveMode = 'follow' | 'hold' | 'limp' | 'off';

const POSITION = 0;
const VELOCITY = 6;
const TORQUE = 12;
/** Reference of a hold: rows before, here and after, then its rate. */
const HOLD = 18;
const HOLD_RATE = 36;
const HOLDING = 42;
const PAYLOAD = 43;
const TOLD = 44;
const FRICTION_KNOWN = 45;
const OBSERVER = 46;
const HEAT = OBSERVER + OBSERVER_SIZE;
const PLANT_SIZE = HEAT + THERMAL_SIZE;

const BRAKING = Float64Array.from(DRIVE.braking_rad_s2);

export class Plant {
  private readonly memory = new Float64Array(PLANT_SIZE);
  private readonly mechanism: Mechanism;
  private readonly model = new ForwardDynamics();
  private readonly observer = new MomentumObserver(this.memory, OBSERVER);
  private readonly hold = this.memory.subarray(HOLD, HOLD + 18);
  private readonly acceleration = new Float64Array(JOINT_COUNT);
  private readonly applied = new Float64Array(JOINT_COUNT);
  private readonly rubbing = new Float64Array(JOINT_COUNT);

  readonly state: JointState = {
    position: this.memory.subarray(POSITION, POSITION + 6),
    velocity: this.memory.subarray(VELOCITY, VELOCITY + 6),
  };
  /** Motor torques of the last step (N m). */
  readonly torque = this.memory.subarray(TORQUE, TORQUE + 6);
  /** Torques from outside as the observer sees them (N m). */
  readonly residual = this.observer.residual;
  /** How far each joint was from its reference at the start of the last step (rad). */
  readonly lag = new Float64Array(JOINT_COUNT);
  readonly heat = new DriveHeat(this.memory, HEAT);
  readonly surroundings = new Surroundings();

  constructor(mechanism: Mechanism, q: Float64Array) {
    this.mechanism = mechanism;
    this.memory[FRICTION_KNOWN] = 1;
    this.place(q);
  }

  /**
   * Advances by 1 ms. In mode follow `samples` holds rows of six angles (rad) 1 ms apart and `row`
   * is where the arm shall be now; both neighbours are read. No allocation.
   */
  step(mode: DriveMode, samples: Float64Array, row: number): void {
    writeFriction(this.state.velocity, this.rubbing);
    if (mode === 'follow') this.servo(samples, row);
    else if (mode === 'hold') this.holdStill();
    else this.letGo(mode);
    this.memory[HOLDING] = mode === 'hold' ? 1 : 0;
    limitTorques(this.torque);
    this.surroundings.update(this.state.position, mode === 'limp' || mode === 'off');
    this.push();
    this.heat.add(this.torque, this.state.velocity);
    this.mechanism.advance(this.state, this.applied, this.model);
    this.model.look(this.state.position, this.state.velocity);
    const damping = this.mechanism.damping_n_m_s;
    for (let j = 0; j < JOINT_COUNT; j++) {
      this.observer.drive[j]! -= damping * this.state.velocity[j]!;
    }
    this.observer.update(this.model);
  }

  private servo(samples: Float64Array, row: number): void {
    const { position } = this.state;
    servoAcceleration(samples, row, this.state, this.acceleration);
    this.model.torque(this.acceleration, this.torque);
    const damping = this.mechanism.damping_n_m_s;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const known = this.memory[FRICTION_KNOWN]! * this.rubbing[j]!;
      this.torque[j]! += damping * STEP_S * this.acceleration[j]! + known;
      this.lag[j] = samples[6 * row + j]! - position[j]!;
    }
  }

  private letGo(mode: 'limp' | 'off'): void {
    this.lag.fill(0);
    if (mode === 'limp') this.model.gravity(this.torque);
    else this.torque.fill(0);
  }

  /** Brakes from the rate at entry, then stays: the reference is the plant's own. */
  private holdStill(): void {
    const { hold, memory } = this;
    const entered = memory[HOLDING] === 0;
    for (let j = 0; j < JOINT_COUNT; j++) {
      if (entered) this.enterHold(j);
      else {
        hold[j] = hold[6 + j]!;
        hold[6 + j] = hold[12 + j]!;
      }
      const rate = memory[HOLD_RATE + j]!;
      const loss = BRAKING[j]! * STEP_S;
      const next = rate > loss ? rate - loss : Math.min(rate + loss, 0);
      memory[HOLD_RATE + j] = next;
      hold[12 + j] = hold[6 + j]! + STEP_S * next;
    }
    this.servo(hold, 1);
  }

  private enterHold(j: number): void {
    const rate = this.state.velocity[j]!;
    this.hold[6 + j] = this.state.position[j]!;
    this.hold[j] = this.state.position[j]! - STEP_S * rate;
    this.memory[HOLD_RATE + j] = rate;
  }

  /**
   * Sums what acts on each joint, and what of it the observer knows. The engine's own damping is a
   * part of the viscous friction: what it will take is given back.
   */
  private push(): void {
    const { velocity } = this.state;
    const damping = this.mechanism.damping_n_m_s;
    const outside = this.surroundings.torque;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const rubbing = this.rubbing[j]!;
      const motor = this.torque[j]! + damping * velocity[j]!;
      this.applied[j] = motor - rubbing + outside[j]!;
      this.observer.drive[j] = motor - this.memory[FRICTION_KNOWN]! * rubbing;
    }
    addStops(this.state, this.applied);
  }

  /** Puts the arm at rest at `q` (rad) with nothing remembered but payload and temperatures. */
  place(q: Float64Array): void {
    this.state.position.set(q);
    this.state.velocity.fill(0);
    this.memory[HOLDING] = 0;
    this.mechanism.place(this.state.position);
    this.model.look(this.state.position, this.state.velocity);
    this.model.gravity(this.torque);
    this.observer.reset(this.model);
    this.surroundings.forget();
  }

  /**
   * Payload at the flange (kg) and the payload that drives and observer are told of; they differ
   * only in tests of what an untold load does. Changes neither angles nor rates.
   */
  setPayload(payload_kg: number, told_kg = payload_kg): void {
    if (this.memory[PAYLOAD] === payload_kg && this.memory[TOLD] === told_kg) return;
    this.memory[PAYLOAD] = payload_kg;
    this.memory[TOLD] = told_kg;
    this.observer.leave(this.model);
    this.takePayload();
    this.observer.enter(this.model);
  }

  private takePayload(): void {
    const payload = this.memory[PAYLOAD]!;
    const told = this.memory[TOLD]!;
    this.model.setPayload(told);
    this.mechanism.setPayload(payload, payload === told);
    this.model.look(this.state.position, this.state.velocity);
  }

  /** Share of the friction that drives and observer know of; 1 unless a test says otherwise. */
  setFrictionKnown(share: number): void {
    this.memory[FRICTION_KNOWN] = share;
  }

  /** Whole state as bytes; the world's obstacles are the caller's. */
  snapshot(): Uint8Array {
    const own = new Uint8Array(this.memory.buffer);
    const engine = this.mechanism.save();
    const push = this.surroundings.save();
    const bytes = new Uint8Array(own.length + push.length + engine.length);
    bytes.set(own, 0);
    bytes.set(push, own.length);
    bytes.set(engine, own.length + push.length);
    return bytes;
  }

  /** Takes the state of `snapshot` back: what follows has the same bits. */
  restore(bytes: Uint8Array): void {
    const own = new Uint8Array(this.memory.buffer);
    own.set(bytes.subarray(0, own.length));
    const engine = this.surroundings.load(bytes.subarray(own.length));
    this.mechanism.load(engine);
    this.takePayload();
  }

  /** Gives back what the engine holds outside of JavaScript. */
  free(): void {
    this.mechanism.free();
  }
}
