/**
 * The guided calibration of an arm of servos: it asks the operator to support the arm, to put it at
 * zero and to turn each joint, and reads zero positions and directions from the servos. All joints
 * are without torque, or one at a time. The caller presents the prompts.
 */

import { failure, type Result, success } from '../../../contract/result.ts';
import {
  IS_ALIGNED,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  JOINT_SENSE,
  jointName,
} from '../../../physics/arm/arm-model.ts';
import type { Bus } from '../bus/bus.ts';
import type { ServoFamily } from '../servo-family.ts';
import type {
  Calibration,
  IdentifiedServo,
  JointCalibration,
  JointDriveModel,
} from './calibration.ts';
import {
  GRIPPER_TEMPERATURE_MAX_C,
  GRIPPER_TRAVEL_MIN_TICKS,
  type GripperCalibration,
} from './gripper-calibration.ts';
import { intoOneTurn, TICKS_PER_TURN } from './joint-units.ts';
import { calibrationOf, jointCalibration } from './mounted-joint.ts';
import type { ChangedRegister, ServosToCalibrate } from './servos-to-calibrate.ts';

/** Shows an instruction to the operator; resolves when the operator confirms it. */
export type Prompt = (sentence: string) => Promise<void>;

/** The calibration, and the registers to write back to undo what it changed in the servos. */
export interface CalibrationOutcome {
  readonly calibration: Calibration;
  readonly changed: readonly ChangedRegister[];
  /** What the operator should know of the joints. */
  readonly notes: readonly string[];
}

/** What leans where a joint turns about a horizontal axis; null where it turns about a vertical one. */
const LEANING = [null, 'arm', 'forearm', null, 'hand', null] as const;
/** Positive turns in the upright arm with its front, +x, ahead. */
const POSITIVE_TURN = LEANING.map((part, j) => {
  const isOfChain = JOINT_SENSE[j]! > 0;
  if (part !== null) return `so that the ${part} leans ${isOfChain ? 'back' : 'forward'}`;
  return `${isOfChain ? 'counterclockwise' : 'clockwise'} as seen from above`;
});
/** Where the joints are at angle 0. */
const ZERO_POSE = IS_ALIGNED ? 'upright' : 'as its maker has its angles 0';

/** The part of a joint's range that the turn of its servo leaves out, as a sentence; or null. */
export function lostRange(j: number, { ids, min_rad, max_rad }: JointCalibration): string | null {
  const lost_rad = min_rad - JOINT_MIN_RAD[j]! + (JOINT_MAX_RAD[j]! - max_rad);
  if (lost_rad < LOST_RAD) return null;
  const left = `can use ${min_rad.toFixed(3)}..${max_rad.toFixed(3)} rad only`;
  const why = `the turn of servo ${ids[0]} ends there, and ${lost_rad.toFixed(3)} rad are lost`;
  return `${jointName(j)} ${left}: ${why}; remount the horn for a zero near 2048`;
}

export interface CalibrationOptions {
  /** Ids of the servos of each joint, the leader first, from the base on. */
  readonly ids: readonly (readonly number[])[];
  /** The servo of the gripper, and its signals; absent: none is calibrated. */
  readonly gripper?: GripperToCalibrate;
  /** True: one joint at a time without torque; joints that held hold again afterwards. */
  readonly one_by_one?: boolean;
  /** True: the arm has the masses of the twin's model, so the drives are described too. */
  readonly drive?: boolean;
  readonly prompt: Prompt;
}

/** What is known of a gripper before it is measured. */
export type GripperToCalibrate = Pick<
  GripperCalibration,
  'id' | 'output' | 'part_present_input'
> & {
  /** Share of its current at stall with which it grips. */
  readonly grip_share: number;
};

/** A loss of range below this is that of the servo's edges (rad). */
const LOST_RAD = 0.05;
/** Smallest turn that shows a direction (steps). */
const CLEAR_TURN_TICKS = 60;
const TRIES = 5;

class CalibrationProcedure {
  readonly changed: ChangedRegister[] = [];
  private readonly family: ServoFamily;
  private readonly servos: ServosToCalibrate;
  private readonly options: CalibrationOptions;

  constructor(family: ServoFamily, bus: Bus, options: CalibrationOptions) {
    this.family = family;
    this.servos = family.toCalibrate(bus);
    this.options = options;
  }

  async run(): Promise<Calibration> {
    const { ids, prompt, one_by_one } = this.options;
    const found: IdentifiedServo[][] = [];
    for (const own of ids) {
      const servos: IdentifiedServo[] = [];
      for (const id of own) servos.push(await this.servos.identify(id));
      found.push(servos);
    }
    const joints: JointCalibration[] = [];
    if (one_by_one) {
      for (const [j, servos] of found.entries()) joints.push(await this.calibrateAlone(j, servos));
      return this.withGripper(calibrationOf(this.family.name, joints));
    }
    await prompt('Support the arm: pressing Enter switches the torque of all joints off');
    await this.release(ids.flat());
    await prompt(`Put all joints at zero (arm ${ZERO_POSE}) and press Enter`);
    const zeros: number[] = [];
    for (const [leader] of ids) zeros.push(await this.position(leader!));
    for (const [j, servos] of found.entries()) {
      joints.push(await this.calibrate(j, servos, zeros[j]!));
    }
    return this.withGripper(calibrationOf(this.family.name, joints));
  }

  /** Measures where the gripper is open and shut. */
  private async withGripper(calibration: Calibration): Promise<Calibration> {
    const { gripper, prompt } = this.options;
    if (!gripper) return calibration;
    const { id, grip_share, ...signals } = gripper;
    const servo = await this.servos.identify(id);
    const motor = this.family.motors[servo.model];
    if (!motor) throw new Error(`The motor of an ${servo.model} is not known: add gripper by hand`);
    await prompt('Empty the gripper: pressing Enter switches its torque off');
    await this.release([id]);
    await prompt('Open the gripper as far as it goes, and press Enter');
    const open_ticks = await this.position(id);
    await prompt('Shut the gripper, and press Enter');
    const closed_ticks = await this.position(id);
    const travel = Math.abs(closed_ticks - open_ticks);
    if (travel < GRIPPER_TRAVEL_MIN_TICKS) {
      throw new Error(`The gripper (servo ${id}) did not move: check its id, and its horn`);
    }
    if (travel > TICKS_PER_TURN / 2) {
      const passes = 'passes the end of its turn on its way';
      throw new Error(`The gripper (servo ${id}) ${passes}: remount its horn half a turn away`);
    }
    const grip_current_a = Number((grip_share * motor.stall_a).toFixed(3));
    const temperature_max_c = GRIPPER_TEMPERATURE_MAX_C;
    const measured = { open_ticks, closed_ticks, grip_current_a, temperature_max_c };
    return { ...calibration, gripper: { id, servo, ...measured, ...signals } };
  }

  /** Calibrates a joint while the others stay as they are. */
  private async calibrateAlone(j: number, servos: readonly IdentifiedServo[]) {
    const { prompt } = this.options;
    const ids = servos.map(({ id }) => id);
    const held = await this.servos.holds(ids[0]!);
    await prompt(`Support the arm from ${jointName(j)} on: pressing Enter switches its torque off`);
    await this.release(ids);
    await prompt(
      `Put ${jointName(j)} at zero, ${IS_ALIGNED ? 'as in the upright arm' : `arm ${ZERO_POSE}`}, and press Enter`,
    );
    const joint = await this.calibrate(j, servos, await this.position(ids[0]!));
    if (!held) return joint;
    await prompt(`Keep hold of ${jointName(j)}: pressing Enter makes it hold where it is`);
    for (const id of ids) await this.servos.hold(id);
    return joint;
  }

  private async release(ids: readonly number[]): Promise<void> {
    for (const id of ids) this.changed.push(...(await this.servos.release(id)));
  }

  private async calibrate(j: number, servos: readonly IdentifiedServo[], zero_ticks: number) {
    const ids = servos.map(({ id }) => id);
    const homing_ticks = await this.servos.readCorrection(ids[0]!);
    const direction = await this.direction(j, ids[0]!);
    const mounted = { ids, servos, zero_ticks, direction, homing_ticks };
    const joint = jointCalibration(j, mounted, this.family.motors[servos[0]!.model]);
    return this.options.drive ? { ...joint, drive: await this.driveOf(servos) } : joint;
  }

  /** The drive of a joint: the gain of its leader, and the motors of all its servos. */
  private async driveOf(servos: readonly IdentifiedServo[]): Promise<JointDriveModel> {
    const [{ id, model }] = servos as readonly [IdentifiedServo];
    const known = this.family.motors[model];
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
    const advice = 'check that the ids are in order, and that this is no emulated bus';
    throw new Error(`${jointName(j)} (servo ${id}) did not turn: ${advice}`);
  }
}

/**
 * Calibrates zero and direction of six joints of servos of a family, from the base on; or returns
 * what failed.
 */
export async function calibrateServos(
  family: ServoFamily,
  bus: Bus,
  options: CalibrationOptions,
): Promise<Result<CalibrationOutcome, string>> {
  const procedure = new CalibrationProcedure(family, bus, options);
  try {
    const calibration = await procedure.run();
    const notes = calibration.joints.flatMap((joint, j) => lostRange(j, joint) ?? []);
    return success({ calibration, changed: procedure.changed, notes });
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}
