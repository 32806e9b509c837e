/**
 * Acquires the robot lock and renews it until it is released or lost (spec §3.2, §8). The default
 * interval is below the 5 s expiry of teach mode.
 */
import { limits } from '../limits.ts';
import { ArmError } from './caller.ts';
import type { Calls } from './calls.ts';
import type { Schedule } from './event-stream.ts';

export interface LockOptions {
  /** Time between renewals (s); default 2. */
  readonly renew_s?: number;
  /** How long to retry while another user holds the lock (s); default 0, one try. */
  readonly wait_s?: number;
  /** Called once when a renewal is refused, which means that the lock is lost. */
  readonly onLost?: (reason: ArmError) => void;
}

export interface HeldLock {
  /** Whether the lock is held: the last renewal succeeded and release() was not called. */
  readonly held: boolean;
  /** Stops the renewals and releases the lock. Does nothing after the lock is lost. */
  release(): Promise<void>;
}

type LockCalls = Pick<Calls, 'takeLock' | 'renewLock' | 'releaseLock'>;

const RENEW_S = 2;
const RETRY_S = Math.min(2, limits.lock_expiry_teach_s / 2);
const HELD_BY_OTHER = 3;

function pause(schedule: Schedule, duration_s: number): Promise<void> {
  return new Promise((resolve) => schedule(1000 * duration_s, resolve));
}

async function acquire(calls: LockCalls, schedule: Schedule, wait_s: number): Promise<void> {
  for (let waited_s = 0; ; waited_s += RETRY_S) {
    try {
      await calls.takeLock();
      return;
    } catch (error) {
      const isHeld = error instanceof ArmError && error.error_code === HELD_BY_OTHER;
      if (!isHeld || waited_s >= wait_s) throw error;
      await pause(schedule, RETRY_S);
    }
  }
}

/** Acquires the lock and renews it until `release`. Rejects with ArmError when that fails. */
export async function keepLock(
  calls: LockCalls,
  schedule: Schedule,
  options: LockOptions = {},
): Promise<HeldLock> {
  await acquire(calls, schedule, options.wait_s ?? 0);
  const renew_ms = 1000 * (options.renew_s ?? RENEW_S);
  let held = true;
  let cancel = schedule(renew_ms, renew);

  function renew(): void {
    calls.renewLock().then(next, (error: unknown) => {
      if (error instanceof ArmError) lose(error);
      // The network failed; the lock may still be held, so try the next renewal.
      else next();
    });
  }

  function next(): void {
    if (held) cancel = schedule(renew_ms, renew);
  }

  function lose(reason: ArmError): void {
    if (!held) return;
    held = false;
    options.onLost?.(reason);
  }

  return {
    get held() {
      return held;
    },
    async release() {
      if (!held) return;
      held = false;
      cancel();
      await calls.releaseLock();
    },
  };
}
