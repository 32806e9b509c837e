/**
 * Keeps the robot lock of a client that renews it in time by its own clock. The lock expires in
 * twin time (D13); a clock that is faster than real time by itself would take it away between two
 * renewals. There it expires at the later of twin time and wall time: the twin renews it until the
 * period has passed in wall time too. These renewals are commands, so that recordings contain them
 * and replays repeat them.
 */

import type { Clock } from '../clock/clock.ts';
import type { Timers } from '../clock/timers.ts';
import type { Cancel, WallClock } from '../clock/wall-clock.ts';
import { lockPeriod_s } from './lock-expiry.ts';
import type { ControlLoop } from './loop.ts';
import type { LoopListener } from './loop-listener.ts';
import type { Robot } from './robot.ts';

interface LockKeeperParts {
  readonly robot: Pick<Robot, 'memory'>;
  readonly loop: Pick<ControlLoop, 'apply' | 'tick'>;
  readonly timers: Pick<Timers, 'at'>;
  readonly clock: Pick<Clock, 'outrunsWall'>;
  readonly wall: Pick<WallClock, 'now_ms'>;
}

export class LockKeeper implements LoopListener {
  /** The tick at which the lock expires, as last seen; null without a lock. */
  private expires_tick: number | null = null;
  /** When the period began (ms of wall time). */
  private begun_ms = 0;
  private isRenewing = false;
  private cancel: Cancel = () => {};
  private readonly parts: LockKeeperParts;

  constructor(parts: LockKeeperParts) {
    this.parts = parts;
  }

  onCommand(): void {
    const { robot, wall } = this.parts;
    const expires_tick = robot.memory.lock?.expires_tick ?? null;
    if (expires_tick === this.expires_tick) return;
    if (!this.isRenewing) this.begun_ms = wall.now_ms();
    this.watch(expires_tick);
  }

  onRestore(): void {
    this.onCommand();
  }

  private watch(expires_tick: number | null): void {
    this.cancel();
    this.expires_tick = expires_tick;
    if (expires_tick === null) return;
    this.cancel = this.parts.timers.at(expires_tick, () => this.onDue());
  }

  /** The lock expires at this tick, unless a tick has restarted its period meanwhile. */
  private onDue(): void {
    const { robot, loop, wall, clock } = this.parts;
    const { lock } = robot.memory;
    if (!lock) return;
    if (lock.expires_tick > loop.tick) {
      this.onCommand();
      return;
    }
    const isOver = wall.now_ms() - this.begun_ms >= 1000 * lockPeriod_s(robot.memory);
    if (isOver || !clock.outrunsWall) return;
    this.isRenewing = true;
    loop.apply({ kind: 'renew_lock', caller: lock.holder });
    this.isRenewing = false;
  }
}
