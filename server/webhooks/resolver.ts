/** DNS resolution of the hosts of webhooks. */
import { lookup } from 'node:dns/promises';
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/wall-clock.ts';

/** Resolves a host name to IP addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Resolves with the operating system. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};

/**
 * Limits concurrent lookups, since each blocks a libuv thread that disk I/O needs too, and adds a
 * timeout.
 */
export class Resolver {
  private readonly wall: WallClock;
  private readonly resolve: Resolve;
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor(wall: WallClock, resolve: Resolve = systemResolve) {
    this.wall = wall;
    this.resolve = resolve;
  }

  private async lookUp(host: string): Promise<readonly string[]> {
    if (this.busy >= limits.hook_dns_lookups) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.busy++;
    try {
      return await this.resolve(host);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.busy--;
    }
  }

  /** Returns the addresses of a host; rejects when the lookup fails or times out. */
  find(host: string, timeout_ms: number): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const cancel = this.wall.afterUnreferenced(timeout_ms, () =>
        reject(new Error(`the DNS lookup of ${host} timed out`)),
      );
      this.lookUp(host).then(resolve, reject).finally(cancel);
    });
  }
}
