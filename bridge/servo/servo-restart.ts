/**
 * Restarts servos after a fault: those that shut down are rebooted, then the safe start makes all
 * of them ready. The arm does not move.
 */
import { failure, type Result } from '../../contract/result.ts';
import { readRegister, rebootServo } from '../bus/servo-requests.ts';
import { delay } from '../transport/bus-clock.ts';
import { servoSlots } from './calibration.ts';
import {
  type SafeStartOptions,
  type StartedServos,
  type StartProblem,
  safeStart,
} from './safe-start.ts';

/** Duration of a reboot (ms). */
const REBOOT_MS = 600;

/**
 * Reboots servos in alert. A reboot switches torque off, so a servo that still holds is skipped.
 */
async function rebootAll(
  { bus, calibration }: SafeStartOptions,
  ids: readonly number[],
): Promise<StartProblem | null> {
  for (const { id, joint } of servoSlots(calibration).filter((slot) => ids.includes(slot.id))) {
    if ((await readRegister(bus, id, 'torque')) === 1) {
      const what = 'is in alert but holds its joint, which would fall in a reboot';
      const who = `Joint ${joint} (servo ${id})`;
      return { joint, message: `${who} ${what}: support the arm and power-cycle it` };
    }
    await rebootServo(bus, id);
  }
  return null;
}

/** Makes the servos ready again; `shutDown` lists the ids in shutdown. Never moves the arm. */
export async function restartServos(
  options: SafeStartOptions,
  shutDown: readonly number[],
): Promise<Result<StartedServos, StartProblem>> {
  const problem = await rebootAll(options, shutDown);
  if (problem) return failure(problem);
  if (shutDown.length > 0) await delay(options.clock, REBOOT_MS);
  return safeStart(options);
}
