const TICKS_PER_TURN = 4096;
export const TICKS_PER_RAD = TICKS_PER_TURN / (2 * Math.PI);

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

/** State of a joint as the sensors of the servo measure it. */
export interface JointSensors {
  readonly angle_rad: number;
  readonly rate_rad_s: number;
  /** Share of the greatest torque of an ideal drive, signed. */
  readonly torque_share: number;
  readonly temperature_c: number;
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
