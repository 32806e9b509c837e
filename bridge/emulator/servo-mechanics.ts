/**
 * The shaft, the motion profile and the joint command of an emulated servo, in encoder steps and
 * milliseconds.
 */
import { PLANT_STEP_S } from '../../physics/dynamics/drives.ts';
import type { JointDrive } from '../servo-plant.ts';
import type { ModelName, MotorTraits, TableRegister } from './control-table.ts';
import { type TableMemory, TRIPPED } from './table-memory.ts';

const TICKS_PER_TURN = 4096;
export const TICKS_PER_RAD = TICKS_PER_TURN / (2 * Math.PI);
/** 0.229 revolutions a minute (rad/s). */
export const VELOCITY_UNIT = (0.229 * 2 * Math.PI) / 60;

/** Mounting of the shaft at its joint. */
export interface ShaftSetup {
  /** 1: turns with its joint; -1: against it. */
  readonly direction?: 1 | -1;
  /** Steps at joint angle zero. */
  readonly zero_ticks?: number;
  readonly gear?: number;
  /** Whole turns counted since the last power-up. */
  readonly turns?: number;
}

/** One emulated servo: its model, its joint and its registers. */
export interface ServoSetup extends ShaftSetup {
  readonly id: number;
  readonly model: ModelName;
  /** Joint (0..5) that it drives; a joint may have several servos. */
  readonly joint: number;
  readonly firmware?: number;
  /** Share of its joint's torque; 1 for the only servo of a joint. */
  readonly strength?: number;
  /** Registers with values other than the factory values. */
  readonly registers?: Partial<Record<TableRegister, number>>;
}

/** State of a joint as the sensors of the servo measure it. */
export interface JointSensors {
  readonly angle_rad: number;
  readonly rate_rad_s: number;
  /** Share of the greatest torque of an ideal drive, signed. */
  readonly torque_share: number;
  readonly temperature_c: number;
}

/** What an emulated arm needs of a servo of any family. */
export interface EmulatedDevice {
  readonly id: number;
  /** Joint (0..5) that it drives. */
  readonly setup: { readonly joint: number };
  /** Without power, or disconnected from the bus. */
  dead: boolean;
  readonly torqueOn: boolean;
  /** The command to its joint. */
  readonly drive: JointDrive;
  /** Advances by one millisecond. */
  step(): void;
  /** Skips time in which nothing moves (ms). */
  skip(duration_ms: number): void;
  updateSensors(sensors: JointSensors): void;
  packetReceived(): void;
  /** Restarts it: registers in RAM get their factory values, torque is off. */
  reboot(): void;
  /** Switches its torque off, as a short dip of the supply does. */
  loseTorque(): void;
  /** Makes it report an error and act on it. */
  fail(kind: 'overheated' | 'overload'): void;
  /** Sets the supply (0.1 V). */
  setSupply(voltage: number): void;
}

/**
 * The shaft of an emulated servo: conversion between joint angles and encoder steps, and the count
 * of whole turns that is lost at a reboot.
 */
export class ServoShaft {
  readonly gear: number;
  sensors: JointSensors;
  /** Drive mode bit 0: the servo counts against its turning direction. */
  reverse = false;
  /** Homing offset of the control table (steps). */
  homing = 0;
  /** Steps by which the encoder has slipped. */
  slipped_ticks = 0;
  private readonly zero: number;
  private readonly mounted: number;
  private turned_ticks: number;

  constructor(setup: ShaftSetup, sensors: JointSensors) {
    this.mounted = setup.direction ?? 1;
    this.gear = setup.gear ?? 1;
    this.zero = setup.zero_ticks ?? 2048;
    this.turned_ticks = (setup.turns ?? 0) * TICKS_PER_TURN;
    this.sensors = sensors;
  }

  /** 1: counts up as its joint turns; -1: counts down. */
  get direction(): number {
    return this.reverse ? -this.mounted : this.mounted;
  }

  /** Present position (steps), whole turns and homing offset included. */
  get ticks(): number {
    const turned = this.direction * this.gear * this.sensors.angle_rad * TICKS_PER_RAD;
    const own = this.turned_ticks + this.homing + this.slipped_ticks;
    return Math.round(this.zero + turned) + own;
  }

  /** Rate of the shaft (rad/s). */
  get rate_rad_s(): number {
    return this.direction * this.gear * this.sensors.rate_rad_s;
  }

  /** Joint angle (rad) at which the present position would be `ticks`. */
  angleOf(ticks: number): number {
    const turned = ticks - this.turned_ticks - this.homing - this.zero;
    return (this.direction * turned) / (this.gear * TICKS_PER_RAD);
  }

  /** Folds the present position into one turn. */
  intoOneTurn(): void {
    this.turned_ticks -= Math.floor(this.ticks / TICKS_PER_TURN) * TICKS_PER_TURN;
  }
}

/** 214.577 revolutions a minute squared (rad/s²). */
const ACCELERATION_UNIT = (214.577 * 2 * Math.PI) / 3600;

export interface ProfileLimits {
  /** Steps a millisecond; 0: no profile, the goal counts at once. */
  readonly velocity: number;
  /** Steps a millisecond squared; 0: no ramp. */
  readonly acceleration: number;
}

/** Limits that reach a goal in `duration_ms`, with acceleration and deceleration of `ramp_ms`. */
function timedLimits(distance: number, duration_ms: number, ramp_ms: number): ProfileLimits {
  if (duration_ms === 0) return { velocity: 0, acceleration: 0 };
  const ramp = Math.min(ramp_ms, duration_ms / 2);
  const velocity = Math.abs(distance) / Math.max(1, duration_ms - ramp);
  return { velocity, acceleration: ramp > 0 ? velocity / ramp : 0 };
}

/** Limits from the profile registers for a move of `distance` (steps). */
export function profileLimits(memory: TableMemory, distance: number): ProfileLimits {
  const velocity = memory.get('profile_velocity');
  const acceleration = memory.get('profile_acceleration');
  if ((memory.get('drive_mode') & 4) !== 0) return timedLimits(distance, velocity, acceleration);
  const unit = TICKS_PER_RAD * PLANT_STEP_S;
  return {
    velocity: velocity * VELOCITY_UNIT * unit,
    acceleration: acceleration * ACCELERATION_UNIT * unit * PLANT_STEP_S,
  };
}

/**
 * The profile of a servo towards a new goal: immediate, constant speed, trapezoidal or time-based.
 * In encoder steps, one millisecond at a time.
 */
export class MotionProfile {
  /** Present position of the profile (steps). */
  position = 0;
  /** Steps a millisecond. */
  velocity = 0;

  /** Sets the profile at rest at a position. */
  resetTo(position: number): void {
    this.position = position;
    this.velocity = 0;
  }

  /** Advances by one millisecond towards `goal`. */
  step(goal: number, { velocity, acceleration }: ProfileLimits): void {
    const distance = goal - this.position;
    if (velocity === 0) {
      this.resetTo(goal);
      return;
    }
    const fastest =
      acceleration > 0
        ? Math.min(velocity, Math.sqrt(2 * acceleration * Math.abs(distance)))
        : velocity;
    const target = Math.sign(distance) * fastest;
    const change = acceleration > 0 ? acceleration : Number.POSITIVE_INFINITY;
    this.velocity += Math.min(change, Math.max(-change, target - this.velocity));
    if (Math.abs(distance) <= Math.abs(this.velocity)) this.resetTo(goal);
    else this.position += this.velocity;
  }
}

/** Full scale of the PWM registers. */
export const PWM_FULL = 885;

/**
 * factory: the control loops of a servo with the gains in its registers, its motor and its gears;
 * ideal: a stiff, gravity-compensated position drive, for tests of what is above it.
 */
export type DriveProfile = 'factory' | 'ideal';

/** Output of a motor, in the units of its registers. */
interface MotorOutput {
  readonly current: number;
  readonly pwm: number;
}

export const AT_REST: MotorOutput = { current: 0, pwm: 0 };

/** Writes what a servo measures into its table. */
export function writeMeasurements(state: ServoState, { current, pwm }: MotorOutput): void {
  const { memory, shaft, profile } = state;
  const velocity = Math.round(shaft.rate_rad_s / VELOCITY_UNIT);
  memory.set('present_position', shaft.ticks);
  memory.set('present_velocity', velocity);
  memory.set('present_current', Math.round(current));
  memory.set('present_pwm', Math.round(pwm));
  memory.set('moving', Math.abs(velocity) > memory.get('moving_threshold') ? 1 : 0);
  memory.set('position_trajectory', Math.round(profile.position));
  const planned_rad_s = profile.velocity / PLANT_STEP_S / TICKS_PER_RAD;
  memory.set('velocity_trajectory', Math.round(planned_rad_s / VELOCITY_UNIT));
  memory.set('temperature', Math.round(shaft.sensors.temperature_c));
}

/** The mechanical state of a servo that determines the command to its joint. */
interface ServoState {
  readonly memory: TableMemory;
  readonly shaft: ServoShaft;
  readonly profile: MotionProfile;
}

/** The command of a servo with an ideal drive and torque to its joint. */
export function driveOf(
  { memory, shaft, profile }: ServoState,
  { current: current_max, stall_current }: { readonly current: number } & MotorTraits,
): JointDrive {
  const mode = memory.get('operating_mode');
  const { direction } = shaft;
  const share = (name: TableRegister, full: number) => memory.get(name) / full;
  const tripped = memory.get('watchdog') === TRIPPED;
  const share_max = share('current_limit', current_max) * share('pwm_limit', PWM_FULL);
  if (mode === 0 && !tripped) {
    return { kind: 'torque', share: direction * share('goal_current', stall_current) };
  }
  if (mode === 16 && !tripped) {
    return { kind: 'torque', share: direction * share('goal_pwm', PWM_FULL) };
  }
  if (mode === 1) {
    const rate = tripped ? 0 : memory.get('goal_velocity') * VELOCITY_UNIT * direction;
    return { kind: 'velocity', rate_rad_s: rate / shaft.gear, share_max };
  }
  const angle_rad = shaft.angleOf(profile.position);
  const held = mode === 5 ? Math.abs(share('goal_current', current_max)) : share_max;
  return { kind: 'position', angle_rad, share_max: Math.min(held, share_max) };
}
