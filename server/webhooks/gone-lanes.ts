/**
 * The lanes whose receiver answered 410 Gone. Of each owner the latest are remembered; a receiver
 * that was forgotten and is called again repeats its 410.
 */
import { type ShareRow, shares } from '../../contract/shares.ts';
import { Share } from '../shares/share.ts';
import { ownerOfLane } from './delivery-record.ts';

export class GoneLanes {
  /** The keys of an owner's lanes, the oldest first. */
  private readonly byOwner = new Map<number, Set<string>>();
  readonly share: Share;

  constructor(row: ShareRow<'share_used_up'> = shares.disabled_hooks) {
    this.share = new Share(row);
  }

  has(lane: string): boolean {
    return this.byOwner.get(ownerOfLane(lane))?.has(lane) ?? false;
  }

  /** Remembers a lane, in place of its owner's oldest where that has no room. */
  add(lane: string): void {
    const owner = ownerOfLane(lane);
    const own = this.byOwner.get(owner) ?? new Set();
    this.byOwner.set(owner, own);
    if (own.has(lane)) return;
    own.add(lane);
    this.share.add(owner);
    for (const oldest of own) {
      if (this.share.usedBy(owner) <= this.share.mostOf({ owner })) return;
      this.delete(oldest);
    }
  }

  delete(lane: string): void {
    const owner = ownerOfLane(lane);
    const own = this.byOwner.get(owner);
    if (!own?.delete(lane)) return;
    this.share.add(owner, -1);
    if (own.size === 0) this.byOwner.delete(owner);
  }

  clear(): void {
    this.byOwner.clear();
    this.share.clear();
  }
}
