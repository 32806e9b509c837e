/** Who takes a part of what all users share. */

/** The id of a user, or a name where no user is known: an address, or a task of the twin. */
export type Owner = number | string;

export interface Claimant {
  readonly owner: Owner;
  /** Has the lock of the robot: what moves the arm waits behind nobody's load. */
  readonly holdsLock?: boolean;
  readonly isAdmin?: boolean;
}

/** The twin itself, for work that no user's share pays. */
export const THE_TWIN: Claimant = { owner: 'twin', holdsLock: true, isAdmin: true };

/** What tells who has the lock. */
interface LockedArm<Caller> {
  holdsLock(caller: Caller): boolean;
}

/** A caller as one who takes a share. */
export function claimantOf<
  Caller extends { readonly user_id: number; readonly role: 'admin' | 'user' },
>(caller: Caller, arm: LockedArm<Caller>): Claimant {
  return {
    owner: caller.user_id,
    holdsLock: arm.holdsLock(caller),
    isAdmin: caller.role === 'admin',
  };
}
