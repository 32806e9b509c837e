import { type IoMemory, writes } from './io.ts';

/**
 * Whether signals of a robot may have changed, without a look at each: for those that follow them
 * at every tick. Every write is made in this file; a restore and a power cycle replace the memory.
 */
export class SignalChanges {
  private io: IoMemory | null = null;
  private writes = 0;

  /** Whether the signals may differ from those of the last call; true at the first. */
  take(io: IoMemory): boolean {
    if (io === this.io && writes === this.writes) return false;
    this.io = io;
    this.writes = writes;
    return true;
  }
}
