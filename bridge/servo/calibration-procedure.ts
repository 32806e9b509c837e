/**
 * The guided calibration of an arm of servos: it asks the operator to support the arm, to put it at
 * zero and to turn each joint, and reads zero positions and directions from the servos. The caller
 * presents the prompts.
 */
import { failure, type Result, success } from '../../contract/result.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD, VELOCITY_MAX_RAD_S } from '../../physics/arm/arm-model.ts';
import type { Bus } from '../bus/bus.ts';
import { POSITION_MODE, type RegisterName } from '../bus/registers.ts';
import { pingServo, readRegister, writeRegister } from '../bus/servo-requests.ts';
import type { CalibratedServo, Calibration, JointCalibration } from './calibration.ts';
import { intoOneTurn, JointUnits, TICKS_PER_TURN } from './joint-units.ts';
import { SERVO_MODELS } from './servo-models.ts';

/** Shows an instruction to the operator; resolves when the operator confirms it. */
export type Prompt = (sentence: string) => Promise<void>;

/** A register that the calibration changed, with its value before. */
export interface ChangedRegister {
  readonly id: number;
  readonly register: RegisterName;
  readonly before: number;
}

/** The calibration, and the registers to write back to undo what it changed in the servos. */
export interface CalibrationOutcome {
  readonly calibration: Calibration;
  readonly changed: readonly ChangedRegister[];
}

/** Smallest turn that shows a direction (steps). */
const CLEAR_TURN_TICKS = 60;
const TRIES = 5;
/** Torque constant (N m/A) and stall current (A) by model, from the maker's curves. */
const MOTOR_CONSTANTS: Readonly<Record<string, readonly [number, number]>> = {
  'XM430-W350': [1.78, 2.3],
  'XM430-W210': [1.3, 2.3],
  'XM540-W270': [2.41, 4.4],
  'XM540-W150': [1.66, 4.4],
  'XL330-M288': [0.35, 1.4],
  'XL330-M077': [0.15, 1.4],
};
const DEFAULT_MOTOR_CONSTANTS: readonly [number, number] = [1, 1.5];
const SPEED_RESERVE = 1.1;
const EDGE_TICKS = 8;

/** The calibration of a joint; its range is limited to one turn of the servo. */
function jointCalibration(
  j: number,
  mounted: {
    readonly zero_ticks: number;
    readonly direction: 1 | -1;
    readonly servo: CalibratedServo;
  },
): JointCalibration {
  const { zero_ticks, direction, servo } = mounted;
  const units = new JointUnits({ direction, zero_ticks, gear: 1 });
  const ends = [units.toAngle(EDGE_TICKS), units.toAngle(TICKS_PER_TURN - 1 - EDGE_TICKS)];
  const [torque_n_m_per_a, stall_current_a] =
    MOTOR_CONSTANTS[servo.model] ?? DEFAULT_MOTOR_CONSTANTS;
  return {
    ids: [servo.id],
    servos: [servo],
    direction,
    zero_ticks,
    gear: 1,
    min_rad: Math.max(JOINT_MIN_RAD[j]!, Math.min(...ends)),
    max_rad: Math.min(JOINT_MAX_RAD[j]!, Math.max(...ends)),
    velocity_max_rad_s: SPEED_RESERVE * VELOCITY_MAX_RAD_S[j]!,
    temperature_max_c: 65,
    torque_n_m_per_a,
    stall_current_a,
  };
}

class CalibrationProcedure {
  private readonly bus: Bus;
  private readonly prompt: Prompt;
  readonly changed: ChangedRegister[] = [];

  constructor(bus: Bus, prompt: Prompt) {
    this.bus = bus;
    this.prompt = prompt;
  }

  /** Switches all torque off and clears settings that shift positions; returns the servos. */
  async releaseServos(ids: readonly number[]): Promise<CalibratedServo[]> {
    const servos: CalibratedServo[] = [];
    for (const id of ids) {
      const found = await pingServo(this.bus, id);
      if (!found) throw new Error(`Servo ${id} does not answer: run armtwin doctor`);
      const known = SERVO_MODELS[found.model];
      if (!known) throw new Error(`Servo ${id} is of model ${found.model}: use an X-series servo`);
      servos.push({ id, model: known.name, firmware: found.firmware });
    }
    await this.prompt('Support the arm: pressing Enter switches the torque of all joints off');
    for (const id of ids) {
      await this.write(id, 'torque', 0);
      await this.write(id, 'operating_mode', POSITION_MODE);
      await this.write(id, 'homing_offset', 0);
    }
    return servos;
  }

  async position(id: number): Promise<number> {
    const ticks = await readRegister(this.bus, id, 'present_position');
    if (ticks === null) throw new Error(`Servo ${id} stopped answering: check its cable`);
    return intoOneTurn(ticks);
  }

  /** Direction of a joint; prompts again until the turn is large enough. */
  async direction(j: number, id: number): Promise<1 | -1> {
    let feedback = '';
    for (let i = 0; i < TRIES; i++) {
      const before = await this.position(id);
      const instruction = `Turn joint ${j} by 20 degrees in its positive direction and press Enter`;
      await this.prompt(`${feedback}${instruction}`);
      const offset = intoOneTurn((await this.position(id)) - before + TICKS_PER_TURN / 2);
      const turned = offset - TICKS_PER_TURN / 2;
      if (Math.abs(turned) > CLEAR_TURN_TICKS) return turned > 0 ? 1 : -1;
      const degrees = Math.round((Math.abs(turned) * 360) / TICKS_PER_TURN);
      feedback = `Servo ${id} turned by ${degrees}°, which is too little. `;
    }
    throw new Error(`Joint ${j} (servo ${id}) did not turn: check that the ids are in order`);
  }

  private async write(
    id: number,
    name: 'torque' | 'operating_mode' | 'homing_offset',
    value: number,
  ) {
    const before = await readRegister(this.bus, id, name);
    if (before !== null && before !== value) this.changed.push({ id, register: name, before });
    const error = await writeRegister(this.bus, id, [name, value]);
    if (error !== 0) throw new Error(`Servo ${id} refused ${name}: run armtwin doctor`);
  }
}

/** Calibrates zero and direction of six joints, from the base on; or returns what failed. */
export async function calibrateServos(
  bus: Bus,
  ids: readonly number[],
  prompt: Prompt,
): Promise<Result<CalibrationOutcome, string>> {
  const procedure = new CalibrationProcedure(bus, prompt);
  try {
    const servos = await procedure.releaseServos(ids);
    await prompt('Put all joints at zero (arm upright) and press Enter');
    const zeros: number[] = [];
    for (const id of ids) zeros.push(await procedure.position(id));
    const joints: JointCalibration[] = [];
    for (const [j, id] of ids.entries()) {
      const direction = await procedure.direction(j, id);
      joints.push(jointCalibration(j, { zero_ticks: zeros[j]!, direction, servo: servos[j]! }));
    }
    const calibration = { format: 1, following_error_rad: 0.25, joints } as const;
    return success({ calibration, changed: procedure.changed });
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}
