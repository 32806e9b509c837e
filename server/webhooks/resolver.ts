/** DNS resolution of the hosts of webhooks. */
import { lookup } from 'node:dns/promises';
import { shares } from '../../contract/shares.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { FairQueue } from '../shares/fair-queue.ts';
import { Share } from '../shares/share.ts';

/** Resolves a host name to IP addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Resolves with the operating system. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};

/**
 * Limits concurrent lookups, in which owners take turns, since each blocks a libuv thread that disk
 * I/O needs too, and adds a timeout.
 */
export class Resolver {
  private readonly wall: WallClock;
  private readonly resolve: Resolve;
  readonly queue = new FairQueue(new Share(shares.hook_dns_lookups), null);

  constructor(wall: WallClock, resolve: Resolve = systemResolve) {
    this.wall = wall;
    this.resolve = resolve;
  }

  /** Returns the addresses of a host; rejects when the lookup fails or times out. */
  find(owner: number, host: string, timeout_ms: number): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const cancel = this.wall.afterUnreferenced(timeout_ms, () =>
        reject(new Error(`the DNS lookup of ${host} timed out`)),
      );
      this.queue
        .run({ owner }, () => this.resolve(host))
        .then(resolve, reject)
        .finally(cancel);
    });
  }
}
