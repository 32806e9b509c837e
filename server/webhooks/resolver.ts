/**
 * Looks names up: few at a time, since each look-up of the system holds a thread that the disk
 * needs as well, and none is waited for longer than an attempt may take.
 */
import { lookup } from 'node:dns/promises';
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/wall-clock.ts';

/** Finds the addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The machine's own way to find addresses. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};

export class Resolver {
  private readonly wall: WallClock;
  private readonly resolve: Resolve;
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor(wall: WallClock, resolve: Resolve = systemResolve) {
    this.wall = wall;
    this.resolve = resolve;
  }

  private async look(host: string): Promise<readonly string[]> {
    if (this.busy >= limits.hook_look_ups) {
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

  /** The addresses of a name; rejects when there are none, or none are found in time. */
  find(host: string, timeout_ms: number): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const cancel = this.wall.afterUnreferenced(timeout_ms, () =>
        reject(new Error(`${host} was not looked up in time`)),
      );
      this.look(host).then(resolve, reject).finally(cancel);
    });
  }
}
