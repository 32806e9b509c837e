import type { ArmView } from './arm-view.ts';

type Seen = Pick<ArmView, 'lock' | 'sim' | 'user_id'>;

const OWNERS = { you: 'you', admin: 'an admin', user: 'another user', none: 'no one' } as const;

/**
 * Who holds the lock, as a part of a sentence. A user with two API tokens is told that the other
 * session is their own where the page hears the twin, which names the user; the arm names a role.
 */
export function lockHolderText({ lock, sim, user_id }: Seen): string {
  const owner = lock?.owner ?? 'none';
  const isOther = owner === 'admin' || owner === 'user';
  const isOwn = user_id !== null && sim?.lockHolder === user_id;
  return isOther && isOwn ? 'another session of yours' : OWNERS[owner];
}

/** "An admin holds the lock"; empty where this user does, or no one. */
export function lockedByOtherText(view: Seen): string {
  if (view.lock?.status !== 'locked' || view.lock.owner === 'you') return '';
  const holder = lockHolderText(view);
  return `${holder.charAt(0).toUpperCase()}${holder.slice(1)} holds the lock`;
}
