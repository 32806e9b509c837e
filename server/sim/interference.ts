/**
 * Faults that lie in wait for an event (a reply, a message, a plan, an update): each is asked when
 * one comes by, the first that fits acts. A list instead of switches, so that several can stand.
 */
import type { FaultSlot } from './faults.ts';

/** One that waits. */
interface Waiting<Event, Effect> {
  readonly fits: (event: Event) => boolean;
  readonly effect: Effect;
  readonly slot: FaultSlot;
  /** Acts that are left. */
  left: number;
}

/** How a fault waits for its events. */
export interface Watch<Event, Effect> {
  readonly fits: (event: Event) => boolean;
  readonly effect: Effect;
  /** Acts before it is gone; absent: no end. */
  readonly times?: number | undefined;
}

export class Interference<Event, Effect> {
  private waiting: Waiting<Event, Effect>[] = [];

  /** Lets a fault wait; answers how to end that. */
  add({ fits, effect, times }: Watch<Event, Effect>, slot: FaultSlot): () => void {
    const entry = { fits, effect, slot, left: times ?? Number.POSITIVE_INFINITY };
    this.waiting.push(entry);
    return () => {
      this.waiting = this.waiting.filter((other) => other !== entry);
    };
  }

  /** What shall happen to an event; null: nothing. */
  meet(event: Event): Effect | null {
    const entry = this.waiting.find(({ fits }) => fits(event));
    if (!entry) return null;
    entry.left -= 1;
    entry.slot.act();
    if (entry.left <= 0) entry.slot.spent();
    return entry.effect;
  }
}
