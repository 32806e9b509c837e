/**
 * Brings servos back after a fault: those that shut down start anew, then the safe start makes all
 * of them ready. The arm does not move. Apart from the start because a reboot lets go.
 */
import { failure, type Result } from '../../contract/result.ts';
import { readRegister, rebootServo } from '../bus/bus-calls.ts';
import { pause } from '../transport/bus-clock.ts';
import {
  type SafeStartOptions,
  type StartedServos,
  type StartProblem,
  safeStart,
} from './safe-start.ts';

/** A servo is back after a reboot (ms). */
const REBOOT_MS = 600;

/** Only a reboot clears an alert, and it lets go: a servo that still holds is left alone. */
async function rebootAll(
  { bus, calibration }: SafeStartOptions,
  joints: readonly number[],
): Promise<StartProblem | null> {
  for (const joint of joints) {
    for (const id of calibration.joints[joint]!.ids) {
      if ((await readRegister(bus, id, 'torque')) === 1) {
        const what = 'is in alert and holds its joint, which a restart would let fall';
        const who = `Joint ${joint} (servo ${id})`;
        return { joint, message: `${who} ${what}: support the arm and power-cycle it` };
      }
      await rebootServo(bus, id);
    }
  }
  return null;
}

/** Makes servos ready again, of which those of some joints have shut down. Never moves the arm. */
export async function restartServos(
  options: SafeStartOptions,
  shutDown: readonly number[],
): Promise<Result<StartedServos, StartProblem>> {
  const problem = await rebootAll(options, shutDown);
  if (problem) return failure(problem);
  if (shutDown.length > 0) await pause(options.clock, REBOOT_MS);
  return safeStart(options);
}
