/**
 * Calls in turns of the event loop: in one turn only so many are answered, the owners by turns, and
 * the rest waits for the next turns. So however many connections one user has, between two of their
 * calls there is time for those of others, for new connections and for the arm.
 */
import { shares } from '../../contract/shares.ts';
import type { Claimant, Owner } from './claimant.ts';
import { FairQueue } from './fair-queue.ts';
import { Share } from './share.ts';

/** Calls back once the event loop has served its sockets. */
type Soon = (callback: () => void) => unknown;

export class CallTurns {
  private readonly soon: Soon;
  readonly queue: FairQueue<null> = new FairQueue(new Share(shares.calls_in_turn), null);
  /** Whose calls have been answered in this turn. */
  private answered: Owner[] = [];

  constructor(soon: Soon) {
    this.soon = soon;
  }

  /** The turn of a call: null if it is now, so that a call that need not wait costs no promise. */
  turn(claimant: Claimant): Promise<void> | null {
    const wait = this.queue.enter(claimant);
    if (wait) return wait.then(() => this.note(claimant.owner));
    this.note(claimant.owner);
    return null;
  }

  private note(owner: Owner): void {
    if (this.answered.push(owner) === 1) this.soon(() => this.end());
  }

  private end(): void {
    const { answered } = this;
    this.answered = [];
    this.queue.leave(answered);
  }
}
