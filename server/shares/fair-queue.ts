/**
 * Work that waits for a place, fairly: the owners take turns, whatever each of them has waiting.
 * One share says how much of an owner's work is done at a time, another how much may wait; without
 * one, what waits is bounded elsewhere and nothing is refused.
 */

import type { Claimant, Owner } from './claimant.ts';
import type { Share, ShareRefusal } from './share.ts';

interface Waiting {
  readonly claimant: Claimant;
  readonly start: () => void;
}

export class FairQueue<Waits extends Share | null = Share> {
  readonly running: Share;
  readonly waiting: Waits;
  /** What waits, by owner; the owner whose turn is next comes first. */
  private readonly queues = new Map<Owner, Waiting[]>();

  constructor(running: Share, waiting: Waits) {
    this.running = running;
    this.waiting = waiting;
  }

  /** Does the work in its turn; refuses it at once where too much of its owner waits. */
  async run<Value>(
    claimant: Claimant,
    work: () => Value | Promise<Value>,
  ): Promise<Value | (Waits extends Share ? ShareRefusal : never)> {
    const refusal = this.refusal(claimant);
    if (refusal) return refusal as Waits extends Share ? ShareRefusal : never;
    return this.always(claimant, work);
  }

  /** Does the work in its turn, however much waits: for what is bounded elsewhere. */
  async always<Value>(claimant: Claimant, work: () => Value | Promise<Value>): Promise<Value> {
    const wait = this.enter(claimant);
    if (wait) await wait;
    try {
      return await work();
    } finally {
      this.leave([claimant.owner]);
    }
  }

  /** Takes a place for work, until `leave`: null if there is one now, else resolves in its turn. */
  enter(claimant: Claimant): Promise<void> | null {
    if (!this.mayStart(claimant)) return this.turn(claimant);
    this.running.add(claimant.owner);
    return null;
  }

  /** Gives back a place of each of these owners. */
  leave(owners: readonly Owner[]): void {
    for (const owner of owners) this.running.add(owner, -1);
    this.dispatch();
  }

  /** Why work of this owner can neither begin nor wait now; null if it can. */
  refusal(claimant: Claimant): ShareRefusal | null {
    return this.mayStart(claimant) ? null : (this.waiting?.refusal(claimant) ?? null);
  }

  private mayStart(claimant: Claimant): boolean {
    return !this.queues.has(claimant.owner) && this.running.hasRoom(claimant);
  }

  private turn(claimant: Claimant): Promise<void> {
    const { owner } = claimant;
    this.waiting?.add(owner);
    return new Promise((start) => {
      const own = this.queues.get(owner);
      if (own) own.push({ claimant, start });
      else this.queues.set(owner, [{ claimant, start }]);
    });
  }

  /** Starts what may start now. */
  private dispatch(): void {
    while (this.startNext());
  }

  private startNext(): boolean {
    for (const [owner, own] of this.queues) {
      const [next] = own;
      if (!this.running.hasRoom(next!.claimant)) continue;
      own.shift();
      // Its next turn comes after those of all others.
      this.queues.delete(owner);
      if (own.length > 0) this.queues.set(owner, own);
      this.waiting?.add(owner, -1);
      this.running.add(owner);
      next!.start();
      return true;
    }
    return false;
  }
}
