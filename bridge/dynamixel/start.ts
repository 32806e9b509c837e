/**
 * Start and restart of DYNAMIXEL servos: after a fault, those that shut down are rebooted, then
 * the safe start makes all of them ready. The arm does not move.
 */

import { failure, type Result, success } from '../../contract/result.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import type { Bus } from '../servo/bus/bus.ts';
import { isCurrentBased } from '../servo/calibration/calibration.ts';
import { servoSlots } from '../servo/calibration/servo-slot.ts';
import type { StartProblem } from '../servo/joint-bus.ts';
import { type SafeStartOptions, type StartedArm, startServos } from '../servo/start/safe-start.ts';
import { delay } from '../transport/bus-clock.ts';
import { exchangeOf } from './exchange.ts';
import { hardwareErrorText } from './hardware-error.ts';
import { ServoInspection } from './inspection.ts';
import { lagOf } from './joint-lag.ts';
import { SERVO_MODELS } from './models.ts';
import { readRegister, rebootServo, type ServoIdentity } from './servo-requests.ts';

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
  const sample = exchangeOf(
    servoSlots(calibration).map(({ id }) => id),
    false,
  );
  const lag = lagOf(calibration);
  const started = await startServos({ ...options, servos, line: bus, lag, sample });
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
