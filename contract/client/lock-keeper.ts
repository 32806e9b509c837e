/**
 * Takes the robot lock and keeps it: renews it well inside the five seconds that teach mode
 * leaves, until it is released or lost (spec §3.2, §8).
 */
import { limits } from '../limits.ts';
import { ArmError } from './arm-error.ts';
import type { Calls } from './calls.ts';
import type { Schedule } from './event-stream.ts';

export interface LockOptions {
  /** Time between renewals; default 2 s. */
  readonly renew_s?: number;
  /** How long to try while somebody else holds the lock; default 0, one try. */
  readonly wait_s?: number;
  /** Called once when a renewal is refused: the lock is gone. */
  readonly onLost?: (reason: ArmError) => void;
}

export interface HeldLock {
  /** Whether the last renewal went well and nobody has released it. */
  readonly held: boolean;
  /** Stops renewing and releases. Does nothing once the lock is lost. */
  release(): Promise<void>;
}

type LockCalls = Pick<Calls, 'takeLock' | 'renewLock' | 'releaseLock'>;

const RENEW_S = 2;
const RETRY_S = Math.min(2, limits.lock_expiry_teach_s / 2);
const HELD_BY_OTHER = 3;

function pause(schedule: Schedule, duration_s: number): Promise<void> {
  return new Promise((resolve) => schedule(1000 * duration_s, resolve));
}

async function take(calls: LockCalls, schedule: Schedule, wait_s: number): Promise<void> {
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

/** Takes the lock, then renews it until `release`. Rejects with ArmError when it is not to be had. */
export async function keepLock(
  calls: LockCalls,
  schedule: Schedule,
  options: LockOptions = {},
): Promise<HeldLock> {
  await take(calls, schedule, options.wait_s ?? 0);
  const renew_ms = 1000 * (options.renew_s ?? RENEW_S);
  let held = true;
  let cancel = schedule(renew_ms, renew);

  function renew(): void {
    calls.renewLock().then(next, (error: unknown) => {
      if (error instanceof ArmError) lose(error);
      // The network failed, not the lock: the next renewal tells.
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
