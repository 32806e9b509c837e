/**
 * Admission of password checks (D5). A check costs a processor about 50 ms, so few run at a time in
 * a short queue of their own: log-ins can take neither all threads that write files nor the
 * processors of the control loop. Accounts take turns, those that do not exist together as one, and
 * no account or address can take the whole queue. Each check is counted before it is made: parallel
 * guesses cannot pass the limit on failed log-ins together.
 */

import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuseUntil } from '../../../contract/refusal.ts';
import { shares } from '../../../contract/shares.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import { FairQueue } from '../../shares/fair-queue.ts';
import { Share } from '../../shares/share.ts';
import type { Usage } from '../../shares/usage.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

const MINUTE_MS = 60_000;

/** A password to check: whose it is, who asks, and the stored hash, null if there is none. */
export interface PasswordAttempt {
  /** E-mail of the account; upper and lower case are the same account. */
  readonly email: string;
  /** Network address of the client. */
  readonly address: string;
  readonly password: string;
  readonly stored: string | null;
  /** Whether it is the account of an admin, for whom places are kept. */
  readonly isAdmin: boolean;
}

/** Attempts of one account from one address. */
interface Attempts {
  /** Wall times of the failures of the last minute (ms). */
  failures_ms: number[];
  /** Checks that are running. */
  running: number;
}

export interface PasswordCounts {
  readonly running: number;
  readonly waiting: number;
  readonly failed: number;
  readonly refused: number;
}

/** The refusal of a password log-in for its rate. */
export type LogInRefusal = Refusal<'log_ins_busy' | 'too_many_log_ins'>;

export class PasswordChecks {
  private readonly attempts = new Map<string, Attempts>();
  readonly queue = new FairQueue(
    new Share(shares.password_checks),
    new Share(shares.password_queue),
  );
  /** Log-ins of each address that wait or run. */
  private readonly addresses = new Share(shares.log_in_addresses);
  private failed = 0;
  private refused = 0;
  private readonly wall: WallClock;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  /** Checks now, waiting checks, and failures and refusals since the start. */
  get counts(): PasswordCounts {
    const { queue, failed, refused } = this;
    return { running: queue.running.used, waiting: queue.waiting.used, failed, refused };
  }

  /** What waits and runs by account and address. */
  get usage(): Usage {
    const { queue, addresses } = this;
    return {
      password_checks: queue.running.owners,
      password_queue: queue.waiting.owners,
      log_in_addresses: addresses.owners,
    };
  }

  /** Forgets all failures. */
  clear(): void {
    for (const entry of this.attempts.values()) entry.failures_ms = [];
  }

  /** The hash of a new password; waits for its turn however long the queue is. */
  hash(password: string): Promise<string> {
    return this.queue.always({ owner: 'new passwords' }, () => hashPassword(password));
  }

  /**
   * Whether a password is right. Refuses at once when too many log-ins of this account or address
   * wait, or when this account had too many failures from this address in the last minute.
   */
  async verify(attempt: PasswordAttempt): Promise<boolean | LogInRefusal> {
    const { email, address, stored, isAdmin } = attempt;
    const key = `${email.toLowerCase()} ${address}`;
    const early = this.refusalOf(key);
    if (early) return early;
    const owner = stored === null ? 'no account' : `account ${email.toLowerCase()}`;
    // Others of the same address, as behind a proxy that is not trusted, do not use up the places
    // that are kept for admins.
    const from = { owner: isAdmin ? `admins at ${address}` : address, isAdmin };
    const isFull = this.queue.refusal({ owner, isAdmin }) ?? this.addresses.refusal(from);
    if (isFull) return this.busy();
    this.addresses.add(from.owner);
    try {
      const found = await this.queue.run<boolean | LogInRefusal>(
        { owner, isAdmin },
        () => this.refusalOf(key) ?? this.countedCheck(key, attempt),
      );
      return typeof found === 'object' && found.refused === 'share_used_up' ? this.busy() : found;
    } finally {
      this.addresses.add(from.owner, -1);
    }
  }

  private busy(): LogInRefusal {
    this.refused += 1;
    return refuseUntil('log_ins_busy', limits.retry_after_s);
  }

  private refusalOf(key: string): LogInRefusal | null {
    const entry = this.attempts.get(key);
    if (!entry) return null;
    const now_ms = this.wall.now_ms();
    entry.failures_ms = entry.failures_ms.filter((time) => time > now_ms - MINUTE_MS);
    const { failures_ms, running } = entry;
    if (failures_ms.length + running < limits.failed_log_ins_per_min) return null;
    this.refused += 1;
    const free_ms = (failures_ms[0] ?? now_ms) + MINUTE_MS - now_ms;
    return refuseUntil('too_many_log_ins', Math.max(1, Math.ceil(free_ms / 1000)));
  }

  private async countedCheck(key: string, attempt: PasswordAttempt): Promise<boolean> {
    const entry = this.entryOf(key);
    entry.running += 1;
    let isRight = false;
    try {
      isRight = await verifyPassword(attempt.password, attempt.stored);
    } finally {
      entry.running -= 1;
      if (!isRight) {
        this.failed += 1;
        entry.failures_ms.push(this.wall.now_ms());
      }
    }
    return isRight;
  }

  /** The entry of a key, moved to the end; beyond the limit the first entry is removed. */
  private entryOf(key: string): Attempts {
    const entry = this.attempts.get(key) ?? { failures_ms: [], running: 0 };
    this.attempts.delete(key);
    this.attempts.set(key, entry);
    if (this.attempts.size > limits.log_in_accounts) {
      this.attempts.delete(this.attempts.keys().next().value!);
    }
    return entry;
  }
}
