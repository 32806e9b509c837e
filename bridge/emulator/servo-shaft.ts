/**
 * The shaft of an emulated servo: joint angles to steps of its encoder and back, and the count of
 * whole turns that it keeps until it has to forget it.
 */

export const TICKS_PER_TURN = 4096;
export const TICKS_PER_RAD = TICKS_PER_TURN / (2 * Math.PI);
/** 0.229 revolutions a minute (rad/s). */
export const VELOCITY_UNIT = (0.229 * 2 * Math.PI) / 60;

/** How the shaft turns with its joint. */
export interface ShaftSetup {
  /** Turns positive with its joint, or against it. */
  readonly direction?: 1 | -1;
  /** Steps at joint angle zero. */
  readonly zero_ticks?: number;
  readonly gear?: number;
  /** Whole turns that the servo has counted since it was last without power. */
  readonly turns?: number;
}

/** What a joint is doing, as the servo's sensors see it. */
export interface JointSensors {
  readonly angle_rad: number;
  readonly rate_rad_s: number;
  /** Share of the greatest torque, signed. */
  readonly torque_share: number;
  readonly temperature_c: number;
}

export class ServoShaft {
  readonly direction: number;
  readonly gear: number;
  sensors: JointSensors;
  /** Homing offset of the control table (steps). */
  homing = 0;
  private readonly zero: number;
  private turned_ticks: number;

  constructor(setup: ShaftSetup, sensors: JointSensors) {
    this.direction = setup.direction ?? 1;
    this.gear = setup.gear ?? 1;
    this.zero = setup.zero_ticks ?? 2048;
    this.turned_ticks = (setup.turns ?? 0) * TICKS_PER_TURN;
    this.sensors = sensors;
  }

  /** Present position (steps), whole turns and homing offset included. */
  get ticks(): number {
    const turned = this.direction * this.gear * this.sensors.angle_rad * TICKS_PER_RAD;
    return Math.round(this.zero + turned) + this.turned_ticks + this.homing;
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

  /** The present position goes back into one turn. */
  intoOneTurn(): void {
    this.turned_ticks -= Math.floor(this.ticks / TICKS_PER_TURN) * TICKS_PER_TURN;
  }
}
