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
  writeAndReadBack,
} from '../bus/servo-requests.ts';
import type { EndOfServos, StartProblem } from '../joint-bus.ts';
import { delay } from '../transport/bus-clock.ts';
import { type Calibration, isCurrentBased, servoSlots } from './calibration.ts';
import { type SafeStartOptions, type StartedArm, startServos } from './safe-start.ts';
import { ServoInspection } from './servo-inspection.ts';
import { lagOf } from './servo-limits.ts';
import { hardwareErrorText, SERVO_MODELS } from './servo-models.ts';

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
  const started = await startServos({ ...options, servos, line: bus, lag: lagOf(calibration) });
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
 * Reboots those servos that are still in alert: their ids, or why they cannot be. A reboot switches
 * torque off, so one that holds is a problem.
 */
async function rebootAll(
  { bus, calibration }: DynamixelStartOptions,
  ids: readonly number[],
): Promise<Result<readonly number[], StartProblem>> {
  const rebooted: number[] = [];
  for (const { id, joint } of servoSlots(calibration).filter((slot) => ids.includes(slot.id))) {
    const bits = await readRegister(bus, id, 'hardware_error');
    // A silent servo is named by the start that follows.
    if (bits === null || bits === 0) continue;
    if ((await readRegister(bus, id, 'torque')) === 1) {
      const what = `is in alert (${hardwareErrorText(bits)}) but holds its joint, which would fall`;
      const who = `${jointName(joint)} (servo ${id})`;
      const remedy = 'fix the cause, or support the arm and power-cycle it';
      return failure({ joint, message: `${who} ${what} in a reboot: ${remedy}` });
    }
    await rebootServo(bus, id);
    rebooted.push(id);
  }
  return success(rebooted);
}

/** Makes the servos ready again; `shutDown` lists ids that were in alert. Never moves the arm. */
export async function restartServos(
  options: DynamixelStartOptions,
  shutDown: readonly number[],
): Promise<Result<StartedServos, StartProblem>> {
  const rebooted = await rebootAll(options, shutDown);
  if (!rebooted.ok) return rebooted;
  if (rebooted.value.length > 0) await delay(options.clock, REBOOT_MS);
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
    await writeAndReadBack(bus, id, ['watchdog', 0]);
    if (parked) await writeAndReadBack(bus, id, ['torque', 0]);
  }
  return parked ? 'released' : 'held';
}
