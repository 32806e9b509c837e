/**
 * The robot lock (§2.9, §3.2): one API token acquires, renews and releases it. It expires after 5
 * minutes, or after 5 seconds during a teach-mode motion (decisions D11–D14).
 */

import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import { tickOf } from '../clock/twin-time.ts';
import type { Caller } from './caller.ts';
import type { CommandResult } from './commands.ts';
import { isTeachMotionActive, type RobotMemory } from './memory.ts';
import { stateRefusal } from './state-refusal.ts';

/** How long the lock lasts without renewal; it depends on the active motion (D13). */
export function lockPeriod_s(memory: RobotMemory): number {
  return isTeachMotionActive(memory) ? limits.lock_expiry_teach_s : limits.lock_expiry_automatic_s;
}

/** Restarts the expiry timer. */
export function restartLockTimer(memory: RobotMemory, tick: number): void {
  if (!memory.lock) return;
  memory.lock.expires_tick = tick + tickOf(lockPeriod_s(memory));
}

export function holdsLock(memory: RobotMemory, caller: Caller): boolean {
  return memory.lock !== null && memory.lock.holder.token_id === caller.token_id;
}

export function acquireLock(
  memory: RobotMemory,
  caller: Caller,
  tick: number,
): CommandResult<'lock'> {
  if (holdsLock(memory, caller)) return refuse('lock_held_by_you');
  if (memory.lock) return refuse('lock_held_by_other');
  const refusal = stateRefusal(memory, 'lock');
  if (refusal) return refusal;
  memory.lock = { holder: caller, expires_tick: 0 };
  restartLockTimer(memory, tick);
  return null;
}

export function renewLock(
  memory: RobotMemory,
  caller: Caller,
  tick: number,
): CommandResult<'renew_lock'> {
  if (!holdsLock(memory, caller)) return refuse('lock_not_held');
  const refusal = stateRefusal(memory, 'lock');
  if (!refusal) restartLockTimer(memory, tick);
  return refusal;
}

/** Releases the lock; refused during a teach-mode motion (§3.2). */
export function releaseLock(memory: RobotMemory, caller: Caller): CommandResult<'release_lock'> {
  if (!holdsLock(memory, caller)) return refuse('lock_not_held');
  const refusal = stateRefusal(memory, 'lock');
  if (refusal) return refusal;
  if (isTeachMotionActive(memory)) {
    return refuse(
      'wrong_state',
      'The lock cannot be released before the teach-mode motion is complete: wait, or cancel it',
    );
  }
  memory.lock = null;
  return null;
}
