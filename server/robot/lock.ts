/**
 * The robot lock (§2.9, §3.2): one API token acquires, renews and releases it (decisions D11–D14).
 * When it expires stands in lock-expiry.ts.
 */

import { refuse } from '../../contract/refusal.ts';
import type { Caller } from './caller.ts';
import type { CommandResult } from './commands.ts';
import { restartLockTimer } from './lock-expiry.ts';
import { isTeachMotionActive, type RobotMemory } from './memory.ts';
import { stateRefusal } from './state-refusal.ts';

/** A script that ended badly leaves its lock behind. */
const HELD_BY_YOU =
  'Renew it by PUT, or give it back by DELETE /api/v1/controls/lock, also where another session of yours has taken it';

export function holdsLock(memory: RobotMemory, caller: Caller): boolean {
  return memory.lock !== null && memory.lock.holder.token_id === caller.token_id;
}

export function acquireLock(
  memory: RobotMemory,
  caller: Caller,
  tick: number,
): CommandResult<'lock'> {
  if (holdsLock(memory, caller)) return refuse('lock_held_by_you', HELD_BY_YOU);
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
