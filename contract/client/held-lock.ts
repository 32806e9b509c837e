/**
 * Acquires the robot lock and renews it until it is released or lost (spec §3.2, §8). The default
 * interval is below the 5 s expiry of teach mode.
 */
import { limits } from '../limits.ts';
import { ArmError } from './arm-error.ts';
import type { Calls } from './calls.ts';
import type { Schedule } from './event-stream.ts';
import { Lifetime } from './lifetime.ts';

export interface LockOptions {
  /** Time between renewals (s), from 0.01 to below the 300 s that a lock lasts; default 2. */
  readonly renew_s?: number;
  /** How long to retry while another user holds the lock (s); default 0, one try. */
  readonly wait_s?: number;
  /**
   * Called once when the lock is lost: with the refusal of a renewal, or with an Error when none
   * has succeeded for as long as a lock lasts (300 s by the clock of this machine).
   */
  readonly onLost?: (reason: Error) => void;
}

export interface HeldLock {
  /**
   * Whether the lock is held as far as the client knows: the last renewal succeeded, and release()
   * was not called. While the service does not answer it is false: the lock may be lost.
   */
  readonly held: boolean;
  /** Stops the renewals and releases the lock. Does nothing after the lock is lost. */
  release(): Promise<void>;
}

/** The calls of a lock. */
export type LockCalls = Pick<Calls, 'takeLock' | 'renewLock' | 'releaseLock'>;

/** What a held lock runs on. */
export interface LockTimers {
  readonly schedule: Schedule;
  /** Ends it without a call, when the client is closed. */
  readonly lifetime: Lifetime;
}

const RENEW_S = 2;
const RENEW_MIN_S = 0.01;
const RETRY_S = Math.min(2, limits.lock_expiry_teach_s / 2);
const HELD_BY_OTHER = 3;
/** From this status on, the service failed and has refused nothing. */
const SERVICE_FAILED = 500;
/** The longest that a lock lasts without renewal (s). */
const LASTS_S = limits.lock_expiry_automatic_s;

const KNOWN: readonly (keyof LockOptions)[] = ['renew_s', 'wait_s', 'onLost'];

/** Throws for options that would have no effect, or renew in a way that cannot keep the lock. */
function checkOptions({ renew_s = RENEW_S, wait_s = 0, onLost, ...unknown }: LockOptions): void {
  const [name] = Object.keys(unknown);
  if (name !== undefined) {
    throw new TypeError(`keepLock has no option “${name}”; it takes ${KNOWN.join(', ')}`);
  }
  if (typeof renew_s !== 'number' || !(renew_s >= RENEW_MIN_S && renew_s < LASTS_S)) {
    const range = `from ${RENEW_MIN_S} to below ${LASTS_S}`;
    throw new TypeError(`keepLock: renew_s must be a number of seconds ${range}, not ${renew_s}`);
  }
  if (typeof wait_s !== 'number' || !(wait_s >= 0)) {
    throw new TypeError(`keepLock: wait_s must be a number of seconds, at least 0, not ${wait_s}`);
  }
  if (onLost === undefined || typeof onLost === 'function') return;
  throw new TypeError(`keepLock: onLost must be a function, not ${String(onLost)}`);
}

function pause({ schedule, lifetime }: LockTimers, duration_s: number): Promise<void> {
  return new Promise((resolve) => {
    const withdraw = lifetime.onEnd(() => {
      cancel();
      resolve();
    });
    const cancel = schedule(1000 * duration_s, () => {
      withdraw();
      resolve();
    });
  });
}

async function acquire(calls: LockCalls, timers: LockTimers, wait_s: number): Promise<void> {
  for (let waited_s = 0; ; waited_s += RETRY_S) {
    timers.lifetime.requireOpen();
    try {
      await calls.takeLock();
      return;
    } catch (error) {
      const isHeld = error instanceof ArmError && error.error_code === HELD_BY_OTHER;
      if (!isHeld || waited_s >= wait_s) throw error;
      await pause(timers, RETRY_S);
    }
  }
}

class RenewedLock implements HeldLock {
  private isOver = false;
  private isRenewed = true;
  private readonly withdraw: () => void;
  private cancelRenewal: () => void;
  private cancelExpiry: () => void;
  private readonly calls: LockCalls;
  private readonly schedule: Schedule;
  private readonly renew_ms: number;
  private readonly onLost: (reason: Error) => void;

  constructor(calls: LockCalls, { schedule, lifetime }: LockTimers, options: LockOptions) {
    const { renew_s = RENEW_S, onLost = () => {} } = options;
    this.calls = calls;
    this.schedule = schedule;
    this.renew_ms = 1000 * renew_s;
    this.onLost = onLost;
    this.cancelRenewal = this.scheduleRenewal();
    this.cancelExpiry = this.scheduleExpiry();
    this.withdraw = lifetime.onEnd(() => this.end());
  }

  get held(): boolean {
    return !this.isOver && this.isRenewed;
  }

  async release(): Promise<void> {
    if (this.isOver) return;
    this.end();
    await this.calls.releaseLock();
  }

  private scheduleRenewal(): () => void {
    return this.schedule(this.renew_ms, () => this.renew());
  }

  /** A call that never ends must not hide the loss either. */
  private scheduleExpiry(): () => void {
    return this.schedule(1000 * LASTS_S, () =>
      this.lose(new Error(`the lock is lost: no renewal has succeeded for ${LASTS_S} s`)),
    );
  }

  private renew(): void {
    const succeed = () => {
      if (this.isOver) return;
      this.isRenewed = true;
      this.cancelExpiry();
      this.cancelExpiry = this.scheduleExpiry();
      this.cancelRenewal = this.scheduleRenewal();
    };
    const fail = (error: unknown) => {
      if (this.isOver) return;
      if (error instanceof ArmError && error.status < SERVICE_FAILED) this.lose(error);
      else {
        // The network or the service failed; the lock may still be held, so renew it again.
        this.isRenewed = false;
        this.cancelRenewal = this.scheduleRenewal();
      }
    };
    this.calls.renewLock().then(succeed, fail);
  }

  private lose(reason: Error): void {
    this.end();
    this.onLost(reason);
  }

  private end(): void {
    this.isOver = true;
    this.withdraw();
    this.cancelRenewal();
    this.cancelExpiry();
  }
}

/** Acquires the lock and renews it until `release`. Rejects with ArmError when that fails. */
export async function keepLock(
  calls: LockCalls,
  timers: LockTimers | Schedule,
  options: LockOptions = {},
): Promise<HeldLock> {
  checkOptions(options);
  const lifetime = new Lifetime();
  const known = typeof timers === 'function' ? { schedule: timers, lifetime } : timers;
  await acquire(calls, known, options.wait_s ?? 0);
  known.lifetime.requireOpen();
  return new RenewedLock(calls, known, options);
}
