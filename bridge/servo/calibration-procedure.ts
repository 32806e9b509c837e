/**
 * The guided calibration of an arm of servos: it asks the operator to support the arm, to put it at
 * zero and to turn each joint, and reads zero positions and directions from the servos. All joints
 * are without torque, or one at a time. The caller presents the prompts.
 */
import { failure, type Result, success } from '../../contract/refusal.ts';
import {
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  jointName,
  VELOCITY_MAX_RAD_S,
} from '../../physics/arm/arm-model.ts';
import type { Bus } from '../bus/bus.ts';
import { OPERATING_MODE, type RegisterName } from '../bus/registers.ts';
import { pingServo, readRegister, writeAndReadBack } from '../bus/servo-requests.ts';
import {
  type CalibratedServo,
  type Calibration,
  intoOneTurn,
  type JointCalibration,
  type JointDriveModel,
  JointUnits,
  type ServoFamily,
  TICKS_PER_TURN,
} from './calibration.ts';
import { REVERSE_BIT, SERVO_MODELS } from './servo-models.ts';

/** Shows an instruction to the operator; resolves when the operator confirms it. */
export type Prompt = (sentence: string) => Promise<void>;

/** A register that the calibration changed, with its value before. */
export interface ChangedRegister {
  readonly id: number;
  readonly register: string;
  readonly before: number;
}

/** The calibration, and the registers to write back to undo what it changed in the servos. */
export interface CalibrationOutcome {
  readonly calibration: Calibration;
  readonly changed: readonly ChangedRegister[];
  /** What the operator should know of the joints. */
  readonly notes: readonly string[];
}

/** Positive turns in the upright arm with its front, +x, ahead; arm-model.json has the axes. */
const COUNTERCLOCKWISE = 'counterclockwise as seen from above';
const POSITIVE_TURN = [
  COUNTERCLOCKWISE,
  'so that the arm leans back',
  'so that the forearm leans back',
  COUNTERCLOCKWISE,
  'so that the hand leans back',
  COUNTERCLOCKWISE,
] as const;

/** The part of a joint's range that the turn of its servo leaves out, as a sentence; or null. */
export function lostRange(j: number, { ids, min_rad, max_rad }: JointCalibration): string | null {
  const lost_rad = min_rad - JOINT_MIN_RAD[j]! + (JOINT_MAX_RAD[j]! - max_rad);
  if (lost_rad < LOST_RAD) return null;
  const left = `can use ${min_rad.toFixed(3)}..${max_rad.toFixed(3)} rad only`;
  const why = `the turn of servo ${ids[0]} ends there, and ${lost_rad.toFixed(3)} rad are lost`;
  return `${jointName(j)} ${left}: ${why}; remount the horn for a zero near 2048`;
}

/** What the calibration asks of the servos of a family; it throws sentences for the operator. */
export interface ServosToCalibrate {
  readonly family: ServoFamily;
  /** Model and firmware of a servo that is supported. */
  identify(id: number): Promise<CalibratedServo>;
  holds(id: number): Promise<boolean>;
  /** Switches torque off, and clears what shifts positions; returns what it changed. */
  release(id: number): Promise<readonly ChangedRegister[]>;
  /** Makes a servo hold where it is. */
  hold(id: number): Promise<void>;
  readTicks(id: number): Promise<number>;
  readGain(id: number): Promise<number>;
  /** The position correction, where the mounting depends on it. */
  readCorrection(id: number): Promise<number | undefined>;
}

export interface CalibrationOptions {
  /** Ids of the servos of each joint, the leader first, from the base on. */
  readonly ids: readonly (readonly number[])[];
  /** True: one joint at a time without torque; joints that held hold again afterwards. */
  readonly one_by_one?: boolean;
  /** True: the arm has the masses of the twin's model, so the drives are described too. */
  readonly drive?: boolean;
  readonly prompt: Prompt;
}

/** A loss of range below this is that of the servo's edges (rad). */
const LOST_RAD = 0.05;
/** Smallest turn that shows a direction (steps). */
const CLEAR_TURN_TICKS = 60;
const TRIES = 5;
/** A motor by the maker's curves at its nominal supply: N m and rad/s at the ends, A at stall. */
interface Motor {
  readonly stall_n_m: number;
  readonly stall_a: number;
  readonly no_load_rad_s: number;
}

function motor(stall_n_m: number, stall_a: number, no_load_rpm: number): Motor {
  return { stall_n_m, stall_a, no_load_rad_s: (no_load_rpm * Math.PI) / 30 };
}

/** By model, from the makers' pages. */
const MOTORS: Readonly<Record<string, Motor>> = {
  'XM430-W350': motor(4.1, 2.3, 46),
  'XM430-W210': motor(3, 2.3, 77),
  'XM540-W270': motor(10.6, 4.4, 30),
  'XM540-W150': motor(7.3, 4.4, 53),
  'XL330-M288': motor(0.52, 1.47, 103),
  'XL330-M077': motor(0.215, 1.47, 383),
  STS3215: motor(2.94, 2.7, 45),
};
const UNKNOWN_MOTOR = { stall_n_m: 1.5, stall_a: 1.5 };
const SPEED_RESERVE = 1.1;
const EDGE_TICKS = 8;
/** Share of the stall current that means a stall. */
const STALL_SHARE = 0.9;
const FOLLOWING_ERROR_RAD = 0.25;

/** How a joint is mounted. */
export interface MountedJoint {
  readonly ids: readonly number[];
  readonly servos?: readonly CalibratedServo[];
  readonly zero_ticks: number;
  readonly direction: 1 | -1;
  readonly homing_ticks?: number | undefined;
  /** Positions that it may take; absent: one turn of the servo. */
  readonly range_ticks?: readonly [number, number];
  readonly velocity_max_rad_s?: number | undefined;
}

/** The calibration of a joint; its range is limited to one turn of the servo. */
export function jointCalibration(j: number, mounted: MountedJoint): JointCalibration {
  const { ids, servos, zero_ticks, direction, homing_ticks } = mounted;
  const units = new JointUnits({ direction, zero_ticks, gear: 1 });
  const [low, high] = mounted.range_ticks ?? [EDGE_TICKS, TICKS_PER_TURN - 1 - EDGE_TICKS];
  const ends = [units.toAngle(low), units.toAngle(high)];
  const { stall_n_m, stall_a } = MOTORS[servos?.[0]?.model ?? ''] ?? UNKNOWN_MOTOR;
  const fastest_rad_s = SPEED_RESERVE * VELOCITY_MAX_RAD_S[j]!;
  return {
    ids,
    ...(servos && { servos }),
    direction,
    zero_ticks,
    ...(homing_ticks !== undefined && { homing_ticks }),
    gear: 1,
    min_rad: Math.max(JOINT_MIN_RAD[j]!, Math.min(...ends)),
    max_rad: Math.min(JOINT_MAX_RAD[j]!, Math.max(...ends)),
    velocity_max_rad_s: Math.min(fastest_rad_s, mounted.velocity_max_rad_s ?? fastest_rad_s),
    temperature_max_c: 65,
    torque_n_m_per_a: stall_n_m / stall_a,
    stall_current_a: STALL_SHARE * stall_a,
  };
}

/** A calibration of joints. */
export function calibrationOf(
  family: ServoFamily,
  joints: readonly JointCalibration[],
): Calibration {
  const named = family === 'dynamixel' ? {} : { family };
  return { format: 1, ...named, following_error_rad: FOLLOWING_ERROR_RAD, joints };
}

/** Servos of the DYNAMIXEL X series. */
export function dynamixelToCalibrate(bus: Bus): ServosToCalibrate {
  const read = async (id: number, name: RegisterName) => {
    const value = await readRegister(bus, id, name);
    if (value === null) throw new Error(`Servo ${id} stopped answering: check its cable`);
    return value;
  };
  const write = async (id: number, name: RegisterName, value: number) => {
    const { found } = await writeAndReadBack(bus, id, [name, value]);
    if (found !== value) throw new Error(`Servo ${id} refused ${name}: run armtwin doctor`);
  };
  return {
    family: 'dynamixel',
    async identify(id) {
      const found = await pingServo(bus, id);
      if (!found) throw new Error(`Servo ${id} does not answer: run armtwin doctor`);
      const known = SERVO_MODELS[found.model];
      if (!known) throw new Error(`Servo ${id} is of model ${found.model}: use an X-series servo`);
      const reverse = ((await read(id, 'drive_mode')) & REVERSE_BIT) !== 0;
      return { id, model: known.name, firmware: found.firmware, reverse };
    },
    holds: async (id) => (await read(id, 'torque')) === 1,
    async release(id) {
      const changed: ChangedRegister[] = [];
      for (const [register, value] of [
        ['torque', 0],
        ['operating_mode', OPERATING_MODE.position],
        ['homing_offset', 0],
      ] as const) {
        const before = await read(id, register);
        if (before !== value) changed.push({ id, register, before });
        await write(id, register, value);
      }
      return changed;
    },
    async hold(id) {
      await write(id, 'goal_position', intoOneTurn(await read(id, 'present_position')));
      await write(id, 'torque', 1);
    },
    readTicks: (id) => read(id, 'present_position'),
    readGain: (id) => read(id, 'position_p'),
    readCorrection: async () => undefined,
  };
}

class CalibrationProcedure {
  readonly changed: ChangedRegister[] = [];
  private readonly servos: ServosToCalibrate;
  private readonly options: CalibrationOptions;

  constructor(servos: ServosToCalibrate, options: CalibrationOptions) {
    this.servos = servos;
    this.options = options;
  }

  async run(): Promise<Calibration> {
    const { ids, prompt, one_by_one } = this.options;
    const found: CalibratedServo[][] = [];
    for (const own of ids) {
      const servos: CalibratedServo[] = [];
      for (const id of own) servos.push(await this.servos.identify(id));
      found.push(servos);
    }
    const joints: JointCalibration[] = [];
    if (one_by_one) {
      for (const [j, servos] of found.entries()) joints.push(await this.calibrateAlone(j, servos));
      return calibrationOf(this.servos.family, joints);
    }
    await prompt('Support the arm: pressing Enter switches the torque of all joints off');
    await this.release(ids.flat());
    await prompt('Put all joints at zero (arm upright) and press Enter');
    const zeros: number[] = [];
    for (const [leader] of ids) zeros.push(await this.position(leader!));
    for (const [j, servos] of found.entries()) {
      joints.push(await this.calibrate(j, servos, zeros[j]!));
    }
    return calibrationOf(this.servos.family, joints);
  }

  /** Calibrates a joint while the others stay as they are. */
  private async calibrateAlone(j: number, servos: readonly CalibratedServo[]) {
    const { prompt } = this.options;
    const ids = servos.map(({ id }) => id);
    const held = await this.servos.holds(ids[0]!);
    await prompt(`Support the arm from ${jointName(j)} on: pressing Enter switches its torque off`);
    await this.release(ids);
    await prompt(`Put ${jointName(j)} at zero, as in the upright arm, and press Enter`);
    const joint = await this.calibrate(j, servos, await this.position(ids[0]!));
    if (!held) return joint;
    await prompt(`Keep hold of ${jointName(j)}: pressing Enter makes it hold where it is`);
    for (const id of ids) await this.servos.hold(id);
    return joint;
  }

  private async release(ids: readonly number[]): Promise<void> {
    for (const id of ids) this.changed.push(...(await this.servos.release(id)));
  }

  private async calibrate(j: number, servos: readonly CalibratedServo[], zero_ticks: number) {
    const ids = servos.map(({ id }) => id);
    const homing_ticks = await this.servos.readCorrection(ids[0]!);
    const direction = await this.direction(j, ids[0]!);
    const joint = jointCalibration(j, { ids, servos, zero_ticks, direction, homing_ticks });
    return this.options.drive ? { ...joint, drive: await this.driveOf(servos) } : joint;
  }

  /** The drive of a joint: the gain of its leader, and the motors of all its servos. */
  private async driveOf(servos: readonly CalibratedServo[]): Promise<JointDriveModel> {
    const [{ id, model }] = servos as readonly [CalibratedServo];
    const known = MOTORS[model];
    const remedy = 'leave --drive out, and add it by hand';
    if (!known) throw new Error(`The motor of an ${model} is not known: ${remedy}`);
    return {
      position_p: await this.servos.readGain(id),
      stall_torque_n_m: servos.length * known.stall_n_m,
      no_load_rad_s: known.no_load_rad_s,
    };
  }

  private async position(id: number): Promise<number> {
    return intoOneTurn(await this.servos.readTicks(id));
  }

  /** Direction of a joint; prompts again until the turn is large enough. */
  private async direction(j: number, id: number): Promise<1 | -1> {
    let feedback = '';
    for (let i = 0; i < TRIES; i++) {
      const before = await this.position(id);
      await this.options.prompt(
        `${feedback}Turn ${jointName(j)} by 20 degrees in its positive direction, ` +
          `${POSITIVE_TURN[j]}, and press Enter`,
      );
      const offset = intoOneTurn((await this.position(id)) - before + TICKS_PER_TURN / 2);
      const turned = offset - TICKS_PER_TURN / 2;
      if (Math.abs(turned) > CLEAR_TURN_TICKS) return turned > 0 ? 1 : -1;
      const degrees = Math.round((Math.abs(turned) * 360) / TICKS_PER_TURN);
      feedback = `Servo ${id} turned by ${degrees}°, which is too little. `;
    }
    throw new Error(`${jointName(j)} (servo ${id}) did not turn: check that the ids are in order`);
  }
}

/** Calibrates zero and direction of six joints, from the base on; or returns what failed. */
export async function calibrateServos(
  servos: ServosToCalibrate,
  options: CalibrationOptions,
): Promise<Result<CalibrationOutcome, string>> {
  const procedure = new CalibrationProcedure(servos, options);
  try {
    const calibration = await procedure.run();
    const notes = calibration.joints.flatMap((joint, j) => lostRange(j, joint) ?? []);
    return success({ calibration, changed: procedure.changed, notes });
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}
