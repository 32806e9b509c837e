/** The turns of owners who have deliveries to send, each with a bounded number of calls. */
import type { Share } from '../shares/share.ts';
import { HostTurns } from './host-turns.ts';

/** What waits to be sent. */
interface Waiting {
  readonly owner_id: number;
  readonly host: string;
}

export class OwnerTurns<Lane extends Waiting> {
  /** Requests in flight by owner. */
  readonly inFlight: Share;
  /** What can be sent now, by owner; the owner whose turn is next comes first. */
  private readonly byOwner = new Map<number, HostTurns<Lane>>();

  constructor(inFlight: Share) {
    this.inFlight = inFlight;
  }

  /** A lane has something to send. */
  add(lane: Lane): void {
    const known = this.byOwner.get(lane.owner_id);
    if (known) known.add(lane);
    else this.byOwner.set(lane.owner_id, new HostTurns<Lane>().add(lane));
  }

  /**
   * The lane of the first owner who has a call to make and a place for it, with that call in flight
   * from now on; null if none may be made.
   */
  take(): Lane | null {
    for (const [owner_id, hosts] of this.byOwner) {
      if (!this.inFlight.hasRoom({ owner: owner_id })) continue;
      const lane = hosts.take();
      if (!lane) continue;
      // The owner's next turn comes after those of all others.
      this.byOwner.delete(owner_id);
      this.byOwner.set(owner_id, hosts);
      this.inFlight.add(owner_id);
      return lane;
    }
    return null;
  }

  /** A call of a lane has ended. */
  release({ owner_id, host }: Lane): void {
    this.inFlight.add(owner_id, -1);
    const hosts = this.byOwner.get(owner_id);
    hosts?.release(host);
    if (hosts?.isEmpty) this.byOwner.delete(owner_id);
  }

  /** Forgets what can be sent; calls in flight go on. */
  clear(): void {
    for (const hosts of this.byOwner.values()) hosts.clear();
  }
}
