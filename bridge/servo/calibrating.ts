/**
 * Finds out how servos are mounted, by asking whoever stands at the limp arm: where zero is, which
 * way is positive. What it asks and what it reads; the terminal is somebody else's.
 */

import { failure, type Result, success } from '../../contract/result.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD, VELOCITY_MAX_RAD_S } from '../../physics/arm/arm-model.ts';
import type { Bus } from '../bus/bus.ts';
import { pingServo, readRegister, writeRegister } from '../bus/bus-calls.ts';
import { POSITION_MODE } from '../bus/registers.ts';
import type { Calibration, JointCalibration } from './calibration.ts';
import { intoOneTurn, JointUnits, TICKS_PER_TURN } from './joint-units.ts';
import { SERVO_MODELS } from './servo-models.ts';

/** Puts a sentence before whoever stands at the arm; resolves when it has been done. */
export type Request = (sentence: string) => Promise<void>;

/** Less than this is no clear turn (steps). */
const CLEAR_TURN = 60;
const TRIES = 5;
/** Torque for each ampere (N m/A), and the current of a stall (A), by model (maker's curves). */
const STRENGTH: Readonly<Record<string, readonly [number, number]>> = {
  'XM430-W350': [1.78, 2.3],
  'XM430-W210': [1.3, 2.3],
  'XM540-W270': [2.41, 4.4],
  'XM540-W150': [1.66, 4.4],
  'XL330-M288': [0.35, 1.4],
  'XL330-M077': [0.15, 1.4],
};
const PLAIN_STRENGTH: readonly [number, number] = [1, 1.5];
const SPEED_RESERVE = 1.1;
const EDGE_TICKS = 8;

/** A joint's part of the file, its range cut to what one turn of the servo reaches. */
function jointOf(
  j: number,
  id: number,
  mounted: { readonly zero_ticks: number; readonly direction: 1 | -1; readonly model: string },
): JointCalibration {
  const { zero_ticks, direction, model } = mounted;
  const units = new JointUnits({ direction, zero_ticks, gear: 1 });
  const ends = [units.toAngle(EDGE_TICKS), units.toAngle(TICKS_PER_TURN - 1 - EDGE_TICKS)];
  const [torque_n_m_per_a, stall_current_a] = STRENGTH[model] ?? PLAIN_STRENGTH;
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

class Guide {
  private readonly bus: Bus;
  private readonly request: Request;

  constructor(bus: Bus, request: Request) {
    this.bus = bus;
    this.request = request;
  }

  /** Lets all servos go and takes away what would shift their positions. */
  async letGo(ids: readonly number[]): Promise<string[]> {
    const models: string[] = [];
    for (const id of ids) {
      const found = await pingServo(this.bus, id);
      if (!found) throw new Error(`Servo ${id} does not answer: run armtwin doctor`);
      models.push(SERVO_MODELS[found.model]?.name ?? '');
    }
    await this.request('Support the arm: all joints go limp as you press Enter');
    for (const id of ids) {
      await this.put(id, 'torque', 0);
      await this.put(id, 'operating_mode', POSITION_MODE);
      await this.put(id, 'homing_offset', 0);
    }
    return models;
  }

  async position(id: number): Promise<number> {
    const ticks = await readRegister(this.bus, id, 'present_position');
    if (ticks === null) throw new Error(`Servo ${id} stopped answering: check its cable`);
    return intoOneTurn(ticks);
  }

  /** Which way a joint turns, asked again until the turn is clear. */
  async direction(j: number, id: number): Promise<1 | -1> {
    let seen = '';
    for (let i = 0; i < TRIES; i++) {
      const before = await this.position(id);
      const ask = `Turn joint ${j} some 20 degrees in its positive direction and press Enter`;
      await this.request(`${seen}${ask}`);
      const way = intoOneTurn((await this.position(id)) - before + TICKS_PER_TURN / 2);
      const turned = way - TICKS_PER_TURN / 2;
      if (Math.abs(turned) > CLEAR_TURN) return turned > 0 ? 1 : -1;
      const degrees = Math.round((Math.abs(turned) * 360) / TICKS_PER_TURN);
      seen = `Servo ${id} turned by ${degrees}°, too little to tell. `;
    }
    throw new Error(`Joint ${j} (servo ${id}) did not turn: check that the ids are in order`);
  }

  private async put(
    id: number,
    name: 'torque' | 'operating_mode' | 'homing_offset',
    value: number,
  ) {
    const error = await writeRegister(this.bus, id, [name, value]);
    if (error !== 0) throw new Error(`Servo ${id} refused ${name}: run armtwin doctor`);
  }
}

/** Guides through zero and directions of six joints, from the base on; or says why it cannot. */
export async function calibrateServos(
  bus: Bus,
  ids: readonly number[],
  request: Request,
): Promise<Result<Calibration, string>> {
  const guide = new Guide(bus, request);
  try {
    const models = await guide.letGo(ids);
    await request('Put all joints at zero (the arm stands upright) and press Enter');
    const zeros: number[] = [];
    for (const id of ids) zeros.push(await guide.position(id));
    const joints: JointCalibration[] = [];
    for (const [j, id] of ids.entries()) {
      const direction = await guide.direction(j, id);
      joints.push(jointOf(j, id, { zero_ticks: zeros[j]!, direction, model: models[j]! }));
    }
    return success({ format: 1, following_error_rad: 0.25, joints });
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}
