import type { Caller } from '../../robot/caller.ts';

/** How a caller sees the lock (§2.9). */
export function lockAsSeenBy(
  caller: Pick<Caller, 'token_id'>,
  holder: Caller | null,
): { owner: 'you' | 'admin' | 'user' | 'none'; status: 'locked' | 'unlocked' } {
  if (!holder) return { owner: 'none', status: 'unlocked' };
  const owner = holder.token_id === caller.token_id ? 'you' : holder.role;
  return { owner, status: 'locked' };
}
