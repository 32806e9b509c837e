/**
 * The calibration of an arm of servos: ids, direction, zero position, range and limits of each
 * joint. It is stored on the host; the servos' own homing offsets stay 0. calibration-file.ts reads
 * it from a file. Also: the units of joints.
 */
import {
  DRIVE,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  VELOCITY_MAX_RAD_S,
} from '../../physics/arm/arm-model.ts';

/**
 * How a joint with a proportional position loop answers load and speed. Only for arms with the
 * masses of the twin's model; without it the driver makes up for no load.
 */
export interface JointDriveModel {
  /** P gain of the position loop (register value). */
  readonly position_p: number;
  /** The other gains (register values); absent: a start leaves them as they are. */
  readonly position_i?: number;
  readonly position_d?: number;
  readonly forward_1?: number;
  readonly forward_2?: number;
  /** Torque of all servos of the joint at stall and nominal supply (N m). */
  readonly stall_torque_n_m: number;
  /** Speed without load at nominal supply (rad/s). */
  readonly no_load_rad_s: number;
}

/** A servo as it was when the arm was calibrated. Its family reports no serial number. */
export interface CalibratedServo {
  readonly id: number;
  /** Name of the model, such as XM430-W350. */
  readonly model: string;
  readonly firmware: number;
  /** Whether it counted in reverse (DYNAMIXEL: drive mode bit 0); absent in older files. */
  readonly reverse?: boolean;
}

/** Limits that a start writes into the servos of a joint, where they are wider. */
export interface ServoLimitSettings {
  /** Highest current of each servo (A). */
  readonly current_a?: number;
  /** Highest share of the supply voltage at the motor (%). */
  readonly pwm_percent?: number;
}

/**
 * How the servos of a joint control its position: `position` by voltage, inside the limits in the
 * servo; `current_based` by current, which the driver limits in each cycle to what the motion needs
 * and the sensitivity of collision detection allows on top.
 */
export type ControlMode = 'position' | 'current_based';

export interface JointCalibration extends JointMounting {
  /** The leading servo, then those that follow it by their secondary id. */
  readonly ids: readonly number[];
  /** Those servos; absent in files of 0.1, whose servos are not compared. */
  readonly servos?: readonly CalibratedServo[];
  readonly limits?: ServoLimitSettings;
  /** Absent: position. */
  readonly mode?: ControlMode;
  /** Position correction of the leading servo on which zero_ticks counts (Feetech; steps). */
  readonly homing_ticks?: number;
  readonly min_rad: number;
  readonly max_rad: number;
  readonly velocity_max_rad_s: number;
  readonly temperature_max_c: number;
  /** Torque at the joint per ampere (N m/A). */
  readonly torque_n_m_per_a: number;
  /** A current above this without motion is a stall (A). */
  readonly stall_current_a: number;
  readonly drive?: JointDriveModel;
}

/** A servo and its joint; a joint with several has one leader, and the others obey its id too. */
export interface ServoSlot {
  readonly joint: number;
  readonly id: number;
  readonly leader: number;
  readonly calibration: JointCalibration;
}

/** All servos of an arm, from the base on, leaders before their followers. */
export function servoSlots({ joints }: Calibration): readonly ServoSlot[] {
  return joints.flatMap((calibration, joint) =>
    calibration.ids.map((id) => ({ joint, id, leader: calibration.ids[0]!, calibration })),
  );
}

/** True where the driver limits the current of the servos of a joint. */
export function isCurrentBased({ mode }: JointCalibration): boolean {
  return mode === 'current_based';
}

/** Wiring of the emergency stop contact: a port of a servo that has ports. */
export interface EmergencyStopWiring {
  readonly id: number;
  readonly port: 1 | 2 | 3;
}

/** Families of servos, each with its own protocol and registers. */
export type ServoFamily = 'dynamixel' | 'feetech';

export interface Calibration {
  readonly format: 1;
  /** Absent: dynamixel. */
  readonly family?: ServoFamily;
  /** Lag that counts as a following error (rad). */
  readonly following_error_rad: number;
  /** The six joints, from the base on. */
  readonly joints: readonly JointCalibration[];
  /** Pose in which the arm lies on its support (rad); absent: it has none. */
  readonly park_rad?: readonly number[];
  /** Absent when no emergency stop is wired to the servos. */
  readonly emergency_stop?: EmergencyStopWiring;
}

/** Speed limit of a joint relative to the limit of planned motion. */
const SPEED_RESERVE = 1.1;
/** Current at stall (A) and speed without load (rad/s) of the emulated servos. */
const EMULATED_MOTORS = [0, 1, 2, 3, 4, 5].map((j) =>
  j < 3
    ? { stall_a: 4.4, no_load_rad_s: Math.PI }
    : { stall_a: 2.3, no_load_rad_s: (46 * Math.PI) / 30 },
);
const FACTORY_P = 800;

/** Calibration of the emulated servos with ideal drives. */
export const IDEAL_CALIBRATION: Calibration = {
  format: 1,
  following_error_rad: 0.25,
  joints: EMULATED_MOTORS.map(({ stall_a }, j) => ({
    ids: [j + 1],
    direction: 1,
    zero_ticks: 2048,
    gear: 1,
    min_rad: JOINT_MIN_RAD[j]!,
    max_rad: JOINT_MAX_RAD[j]!,
    velocity_max_rad_s: SPEED_RESERVE * VELOCITY_MAX_RAD_S[j]!,
    temperature_max_c: 70,
    torque_n_m_per_a: DRIVE.torque_max_n_m[j]! / stall_a,
    stall_current_a: 0.9 * stall_a,
  })),
};

/** Calibration of the emulated servos as they leave the factory. */
export const EMULATED_CALIBRATION: Calibration = {
  ...IDEAL_CALIBRATION,
  joints: IDEAL_CALIBRATION.joints.map((joint, j) => ({
    ...joint,
    drive: {
      position_p: FACTORY_P,
      stall_torque_n_m: DRIVE.torque_max_n_m[j]!,
      no_load_rad_s: EMULATED_MOTORS[j]!.no_load_rad_s,
    },
  })),
};

/** D gain that damps a joint in place of the back-EMF, for a motor without load at 1 rad/s. */
const CURRENT_BASED_D = 5000;

/** The same, with servos that limit their current. */
export const CURRENT_BASED_CALIBRATION: Calibration = {
  ...EMULATED_CALIBRATION,
  joints: EMULATED_CALIBRATION.joints.map((joint) => {
    const position_d = Math.round(CURRENT_BASED_D / joint.drive!.no_load_rad_s);
    return { ...joint, mode: 'current_based', drive: { ...joint.drive!, position_d } };
  }),
};

/** P and D gain at delivery, and speed without load of a Feetech STS3215 at 12 V (rad/s). */
const STS_FACTORY = { position_p: 32, position_d: 32, no_load_rad_s: 4.71 };
/** Its current at stall (A). */
const STS_STALL_A = 2.7;

/** Calibration of the emulated Feetech servos as they leave the factory. */
export const EMULATED_FEETECH_CALIBRATION: Calibration = {
  ...IDEAL_CALIBRATION,
  family: 'feetech',
  joints: IDEAL_CALIBRATION.joints.map((joint, j) => ({
    ...joint,
    torque_n_m_per_a: DRIVE.torque_max_n_m[j]! / STS_STALL_A,
    stall_current_a: 0.9 * STS_STALL_A,
    drive: { ...STS_FACTORY, stall_torque_n_m: DRIVE.torque_max_n_m[j]! },
  })),
};

/**
 * Conversion between servo steps and joint radians at the edge of the bridge; code above it knows
 * only radians. A step is 1/4096 turn of the servo.
 */

export const TICKS_PER_TURN = 4096;
const TICKS_PER_RAD = TICKS_PER_TURN / (2 * Math.PI);
/** One step of the velocity registers: 0.229 turns a minute (rad/s). */
export const VELOCITY_STEP_RAD_S = (0.229 * 2 * Math.PI) / 60;

/** Mounting of a servo at its joint. */
interface JointMounting {
  readonly direction: 1 | -1;
  /** Steps at joint angle zero. */
  readonly zero_ticks: number;
  /** Turns of the servo per turn of the joint. */
  readonly gear: number;
}

export class JointUnits {
  private readonly zero_ticks: number;
  private readonly ticks_per_rad: number;

  constructor({ direction, zero_ticks, gear }: JointMounting) {
    this.zero_ticks = zero_ticks;
    this.ticks_per_rad = direction * gear * TICKS_PER_RAD;
  }

  /** Joint angle (rad) to servo position, rounded (steps). */
  toTicks(angle_rad: number): number {
    return Math.round(this.zero_ticks + angle_rad * this.ticks_per_rad);
  }

  /** Servo position (steps) to joint angle (rad). */
  toAngle(ticks: number): number {
    return (ticks - this.zero_ticks) / this.ticks_per_rad;
  }

  /** Servo velocity register to joint rate (rad/s). */
  toRate(steps: number): number {
    return (steps * VELOCITY_STEP_RAD_S * TICKS_PER_RAD) / this.ticks_per_rad;
  }

  /** Servo speed (steps/s) to joint rate (rad/s). */
  rateOf(steps_s: number): number {
    return steps_s / this.ticks_per_rad;
  }

  /** Sign of servo currents at the joint. */
  get sign(): number {
    return Math.sign(this.ticks_per_rad);
  }
}

/** Folds a position into one turn; servos count turns while torque is off. */
export function intoOneTurn(ticks: number): number {
  return ((ticks % TICKS_PER_TURN) + TICKS_PER_TURN) % TICKS_PER_TURN;
}
