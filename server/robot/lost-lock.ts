/** The end of a lock that nobody releases: its time is over, or its token ends (decision D13). */
import type { RobotContext } from './robot-context.ts';

/** Revokes an expired lock. */
export function monitorLock(context: RobotContext): void {
  const { lock } = context.memory;
  if (lock && context.tick >= lock.expires_tick) revokeLock(context);
}

/** Removes the lock because it expired or its token ended; stops a teach motion on its path. */
export function revokeLock(context: RobotContext): void {
  const { memory } = context;
  memory.lock = null;
  memory.teach_braking = false;
  context.events.push({ kind: 'lock_status', holder: null });
  if (memory.activity?.mode !== 'teach') return;
  context.log('warning', 'The lock was lost during a teach-mode motion: protective stop');
  memory.ending = 'motion_dropped';
  context.player.stopOnPath('protective');
}
