/**
 * The accounts of one shared capacity: how much each owner uses, and whether an owner may take
 * more. An owner may use a fixed part of what the others leave, so that nobody alone can take all
 * of it, however fast or often they ask, and one who uses a twin alone has nearly all of it.
 */

import type { Refusal } from '../../contract/refusal.ts';
import type { AnyShareError, ShareRow } from '../../contract/shares.ts';
import type { Claimant, Owner } from './claimant.ts';

/** The refusal of a count beyond a share. */
export type ShareRefusal = Refusal<'share_used_up'>;

export class Share<Name extends AnyShareError = 'share_used_up'> {
  readonly row: ShareRow<Name>;
  private readonly byOwner = new Map<Owner, number>();
  private used_sum = 0;

  constructor(row: ShareRow<Name>) {
    this.row = row;
  }

  /** All owners together. */
  get used(): number {
    return this.used_sum;
  }

  usedBy(owner: Owner): number {
    return this.byOwner.get(owner) ?? 0;
  }

  /** Who uses some of it, and how much. */
  get owners(): ReadonlyMap<Owner, number> {
    return this.byOwner;
  }

  /** The most that this owner may use now. */
  mostOf(claimant: Claimant): number {
    const { total, part, forHolder, forAdmins } = this.row;
    const closed = claimant.holdsLock ? 0 : forHolder + (claimant.isAdmin ? 0 : forAdmins);
    const left = total - closed - (this.used_sum - this.usedBy(claimant.owner));
    // What is left of a small capacity is for one who has nothing.
    return Math.min(left, Math.max(1, Math.floor(part * left)));
  }

  /** Whether an owner may take so much more. */
  hasRoom(claimant: Claimant, amount = 1): boolean {
    return this.usedBy(claimant.owner) + amount <= this.mostOf(claimant);
  }

  /** Why an owner may not take so much more; null if it may. */
  refusal(claimant: Claimant, amount = 1): Refusal<Name> | null {
    if (this.hasRoom(claimant, amount)) return null;
    const { unit, total, refusal, remedy, retry_after_s } = this.row;
    const own = this.usedBy(claimant.owner);
    const others = this.used_sum - own;
    const details =
      `${Math.max(0, this.mostOf(claimant))} ${unit} are your share now and you use ${own}; ` +
      `others use ${others} of ${total}: ${remedy}`;
    return { refused: refusal, details, count: 0, retry_after_s };
  }

  /** Notes that an owner uses more, or less if the amount is negative. */
  add(owner: Owner, amount = 1): void {
    const now = this.usedBy(owner) + amount;
    this.used_sum += amount;
    if (now === 0) this.byOwner.delete(owner);
    else this.byOwner.set(owner, now);
  }

  /** Nobody uses anything. */
  clear(): void {
    this.byOwner.clear();
    this.used_sum = 0;
  }
}
