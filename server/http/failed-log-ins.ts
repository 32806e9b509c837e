/** Counts failed log-ins, so that secrets cannot be guessed by trying (decision D5). */
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/wall-clock.ts';

const MINUTE_MS = 60_000;
/** Addresses remembered; beyond it the oldest is forgotten. */
const ADDRESSES = 10_000;

/** Counts failed log-ins of each address over the last minute (decision D5). */
export class FailedLogIns {
  private readonly failures = new Map<string, number[]>();
  private readonly wall: WallClock;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  private recent(address: string): number[] {
    const since = this.wall.now_ms() - MINUTE_MS;
    return (this.failures.get(address) ?? []).filter((time) => time > since);
  }

  tooMany(address: string): boolean {
    return this.recent(address).length >= limits.failed_log_ins_per_min;
  }

  /** Forgets everybody. */
  clear(): void {
    this.failures.clear();
  }

  note(address: string): void {
    const recent = [...this.recent(address), this.wall.now_ms()];
    this.failures.delete(address);
    this.failures.set(address, recent);
    if (this.failures.size > ADDRESSES) this.failures.delete(this.failures.keys().next().value!);
  }
}
