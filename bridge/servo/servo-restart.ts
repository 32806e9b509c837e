/**
 * Start and restart of DYNAMIXEL servos: after a fault, those that shut down are rebooted, then the
 * safe start makes all of them ready. The arm does not move. And the end of the program: what the
 * servos do then.
 */

import { failure, type Result, success } from '../../contract/refusal.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import type { Bus } from '../bus/bus.ts';
import {
  readRegister,
  rebootServo,
  type ServoIdentity,
  writeRegister,
} from '../bus/servo-requests.ts';
import type { EndOfServos, StartProblem } from '../joint-bus.ts';
import { delay } from '../transport/bus-clock.ts';
import { type Calibration, isCurrentBased, servoSlots } from './calibration.ts';
import { type SafeStartOptions, type StartedArm, startServos } from './safe-start.ts';
import { ServoInspection } from './servo-inspection.ts';
import { lagOf } from './servo-limits.ts';
import { SERVO_MODELS } from './servo-models.ts';

/** DYNAMIXEL servos that hold. */
export interface StartedServos extends StartedArm {
  /** All servos, followers included. */
  readonly servos: readonly ServoIdentity[];
  /** True when all of them support fast reads. */
  readonly fast_read: boolean;
  /** Highest goal current of the servos of each joint (their unit); null: not current-based. */
  readonly current_limit: readonly (number | null)[];
}

export interface DynamixelStartOptions extends SafeStartOptions {
  readonly bus: Bus;
}

function supportsFastRead({ model, firmware }: ServoIdentity): boolean {
  const from = SERVO_MODELS[model]?.fast_read_from;
  return from !== null && from !== undefined && firmware >= from;
}

/** The safe start of DYNAMIXEL servos. */
export async function safeStart(
  options: DynamixelStartOptions,
): Promise<Result<StartedServos, StartProblem>> {
  const { bus, clock, calibration } = options;
  const servos = new ServoInspection(bus, clock, calibration);
  const started = await startServos({ ...options, servos, lag: lagOf(calibration) });
  if (!started.ok) return started;
  const identities = servoSlots(calibration).map(({ id }) => servos.identities.get(id)!);
  const fast_read = identities.every(supportsFastRead);
  const current_limit: (number | null)[] = calibration.joints.map(() => null);
  for (const slot of servoSlots(calibration).filter((one) => isCurrentBased(one.calibration))) {
    const found = (await readRegister(bus, slot.id, 'current_limit')) ?? 0;
    current_limit[slot.joint] = Math.min(current_limit[slot.joint] ?? found, found);
  }
  return success({ ...started.value, servos: identities, fast_read, current_limit });
}

/** Joints this near to their park angles rest on their support (rad). */
const PARKED_RAD = 0.1;

/** Duration of a reboot (ms). */
const REBOOT_MS = 600;

/**
 * Reboots servos in alert. A reboot switches torque off, so a servo that still holds is skipped.
 */
async function rebootAll(
  { bus, calibration }: DynamixelStartOptions,
  ids: readonly number[],
): Promise<StartProblem | null> {
  for (const { id, joint } of servoSlots(calibration).filter((slot) => ids.includes(slot.id))) {
    if ((await readRegister(bus, id, 'torque')) === 1) {
      const what = 'is in alert but holds its joint, which would fall in a reboot';
      const who = `${jointName(joint)} (servo ${id})`;
      return { joint, message: `${who} ${what}: support the arm and power-cycle it` };
    }
    await rebootServo(bus, id);
  }
  return null;
}

/** Makes the servos ready again; `shutDown` lists the ids in shutdown. Never moves the arm. */
export async function restartServos(
  options: DynamixelStartOptions,
  shutDown: readonly number[],
): Promise<Result<StartedServos, StartProblem>> {
  const problem = await rebootAll(options, shutDown);
  if (problem) return failure(problem);
  if (shutDown.length > 0) await delay(options.clock, REBOOT_MS);
  return safeStart(options);
}

/** Whether the arm lies on its support: in the park pose of the calibration. */
export function isParked({ park_rad }: Calibration, position_rad: Float64Array): boolean {
  const pose = park_rad ?? [Number.NaN];
  return pose.every((angle, j) => Math.abs(position_rad[j]! - angle) < PARKED_RAD);
}

/**
 * Ends the supervision of an arm at rest. In the park pose of the calibration the arm lies on its
 * support: torque goes off, from the last joint to the base. Anywhere else it would fall, so the
 * servos hold, with the watchdog off: a watchdog that trips sets each goal to where the joint hangs
 * and lets it sink by its load.
 */
export async function endServos(
  bus: Bus,
  calibration: Calibration,
  position_rad: Float64Array,
): Promise<EndOfServos> {
  const parked = isParked(calibration, position_rad);
  for (const { id } of [...servoSlots(calibration)].reverse()) {
    await writeRegister(bus, id, ['watchdog', 0]);
    if (parked) await writeRegister(bus, id, ['torque', 0]);
  }
  return parked ? 'released' : 'held';
}
