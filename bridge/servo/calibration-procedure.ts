/**
 * The guided calibration of an arm of servos: it asks the operator to support the arm, to put it at
 * zero and to turn each joint, and reads zero positions and directions from the servos. The caller
 * presents the prompts.
 */
import { failure, type Result, success } from '../../contract/result.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD, VELOCITY_MAX_RAD_S } from '../../physics/arm/arm-model.ts';
import type { Bus } from '../bus/bus.ts';
import { POSITION_MODE } from '../bus/registers.ts';
import { pingServo, readRegister, writeRegister } from '../bus/servo-requests.ts';
import type { Calibration, JointCalibration } from './calibration.ts';
import { intoOneTurn, JointUnits, TICKS_PER_TURN } from './joint-units.ts';
import { SERVO_MODELS } from './servo-models.ts';

/** Shows an instruction to the operator; resolves when the operator confirms it. */
export type Prompt = (sentence: string) => Promise<void>;

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
  id: number,
  mounted: { readonly zero_ticks: number; readonly direction: 1 | -1; readonly model: string },
): JointCalibration {
  const { zero_ticks, direction, model } = mounted;
  const units = new JointUnits({ direction, zero_ticks, gear: 1 });
  const ends = [units.toAngle(EDGE_TICKS), units.toAngle(TICKS_PER_TURN - 1 - EDGE_TICKS)];
  const [torque_n_m_per_a, stall_current_a] = MOTOR_CONSTANTS[model] ?? DEFAULT_MOTOR_CONSTANTS;
  return {
    ids: [id],
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

  constructor(bus: Bus, prompt: Prompt) {
    this.bus = bus;
    this.prompt = prompt;
  }

  /** Switches the torque of all servos off and clears settings that shift their positions; returns
   * the models. */
  async releaseServos(ids: readonly number[]): Promise<string[]> {
    const models: string[] = [];
    for (const id of ids) {
      const found = await pingServo(this.bus, id);
      if (!found) throw new Error(`Servo ${id} does not answer: run armtwin doctor`);
      models.push(SERVO_MODELS[found.model]?.name ?? '');
    }
    await this.prompt('Support the arm: pressing Enter switches the torque of all joints off');
    for (const id of ids) {
      await this.write(id, 'torque', 0);
      await this.write(id, 'operating_mode', POSITION_MODE);
      await this.write(id, 'homing_offset', 0);
    }
    return models;
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
    const error = await writeRegister(this.bus, id, [name, value]);
    if (error !== 0) throw new Error(`Servo ${id} refused ${name}: run armtwin doctor`);
  }
}

/** Calibrates zero and direction of six joints, from the base on; or returns what failed. */
export async function calibrateServos(
  bus: Bus,
  ids: readonly number[],
  prompt: Prompt,
): Promise<Result<Calibration, string>> {
  const procedure = new CalibrationProcedure(bus, prompt);
  try {
    const models = await procedure.releaseServos(ids);
    await prompt('Put all joints at zero (arm upright) and press Enter');
    const zeros: number[] = [];
    for (const id of ids) zeros.push(await procedure.position(id));
    const joints: JointCalibration[] = [];
    for (const [j, id] of ids.entries()) {
      const direction = await procedure.direction(j, id);
      joints.push(jointCalibration(j, id, { zero_ticks: zeros[j]!, direction, model: models[j]! }));
    }
    return success({ format: 1, following_error_rad: 0.25, joints });
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}
