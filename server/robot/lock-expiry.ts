/**
 * When the robot lock expires: 5 minutes after its last renewal, 5 seconds during a teach-mode
 * motion (decision D13).
 */

import { limits } from '../../contract/limits.ts';
import { tickOf } from '../clock/twin-time.ts';
import { isTeachMotionActive, type RobotMemory } from './memory.ts';

/** How long the lock lasts without renewal; it depends on the active motion (D13). */
export function lockPeriod_s(memory: RobotMemory): number {
  return isTeachMotionActive(memory) ? limits.lock_expiry_teach_s : limits.lock_expiry_automatic_s;
}

/** Restarts the expiry timer. */
export function restartLockTimer(memory: RobotMemory, tick: number): void {
  if (!memory.lock) return;
  memory.lock.expires_tick = tick + tickOf(lockPeriod_s(memory));
}
