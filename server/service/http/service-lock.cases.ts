/**
 * What clients with tokens of their own know of the lock in one life of a service: two never hold
 * it at once, a free lock is given, and its holder alone can renew and release it. Test code.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { adminCalls, type ServiceCall } from './service-process.cases.ts';

const LOCK = '/api/v1/controls/lock';
/** A lock that is held longer may have expired at the clock factor of the service (ms). */
const SURELY_HELD_MS = 3000;
const LONGEST_HOLD_MS = 20;
const LONGEST_PAUSE_MS = 60;

interface Holder {
  readonly client: number;
  readonly since_ms: number;
}

/** Whether the lock cannot have expired. */
function isSure(holder: Holder | null): holder is Holder {
  return holder !== null && performance.now() - holder.since_ms < SURELY_HELD_MS;
}

/** Clients that contend for the lock; they keep their tokens over the lives of a service (D11). */
export class LockClients {
  /** Acknowledged calls. */
  acknowledged = 0;
  private readonly tokens: string[] = [];
  private readonly violations: string[];
  private readonly draw: () => number;

  constructor(violations: string[], draw: () => number) {
    this.violations = violations;
    this.draw = draw;
  }

  /** Contends with the session of the admin and two others until `isOver`. */
  async contend({ url, call, isOver }: { url: string; call: ServiceCall; isOver: () => boolean }) {
    while (this.tokens.length < 2 && !isOver()) {
      const name = `contender ${this.tokens.length}`;
      const { outcome, reply } = await call(['POST', '/api/v1/users/1/tokens', { name }]);
      if (outcome === 'ok') this.tokens.push((reply as { token: string }).token);
    }
    if (isOver()) return;
    const others = this.tokens.map((token) => adminCalls(url, token).catch(() => null));
    const sessions = [call, ...(await Promise.all(others))];
    const lock = new LockHistory(this.violations, this.draw);
    await Promise.all(sessions.map((one, i) => one && lock.contend(i, one, isOver)));
    this.acknowledged += lock.acknowledged;
  }
}

class LockHistory {
  acknowledged = 0;
  private readonly violations: string[];
  private readonly draw: () => number;
  /** Who holds the lock for certain, and since when (ms). */
  private holder: Holder | null = null;
  /** Who may hold it: its request began, and no release was acknowledged. */
  private readonly possible = new Set<number>();
  /** Requests that have begun. */
  private requests = 0;

  constructor(violations: string[], draw: () => number) {
    this.violations = violations;
    this.draw = draw;
  }

  /** Acquires, renews and releases the lock until `isOver`. */
  async contend(client: number, call: ServiceCall, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      if (this.draw() < 0.2) await this.meddle(client, call);
      if (await this.acquire(client, call)) {
        await wait(this.draw() * LONGEST_HOLD_MS);
        if (this.draw() < 0.5) await this.renew(client, call);
        await this.release(client, call);
      }
      await wait(this.draw() * LONGEST_PAUSE_MS);
    }
  }

  private async acquire(client: number, call: ServiceCall): Promise<boolean> {
    const wasFree = this.possible.size === 0;
    this.possible.add(client);
    const request = ++this.requests;
    const { outcome, status } = await call(['POST', LOCK]);
    if (outcome === 'ok') {
      if (isSure(this.holder)) {
        this.violations.push(`${this.holder.client} and ${client} hold the lock`);
      }
      this.holder = { client, since_ms: performance.now() };
      this.acknowledged += 1;
    } else if (outcome === 'fail') {
      this.possible.delete(client);
      if (wasFree && this.requests === request && status === 403) {
        this.violations.push(`the free lock was refused to ${client}`);
      }
    }
    return outcome === 'ok';
  }

  private async renew(client: number, call: ServiceCall): Promise<void> {
    const { outcome, status } = await call(['PUT', LOCK]);
    if (outcome === 'ok') this.acknowledged += 1;
    if (isSure(this.holder) && status === 403) {
      this.violations.push(`${client} could not renew its lock`);
    }
  }

  private async release(client: number, call: ServiceCall): Promise<void> {
    const own = this.holder;
    this.holder = null;
    const { outcome, status } = await call(['DELETE', LOCK]);
    if (outcome === 'ok') this.possible.delete(client);
    if (outcome === 'ok') this.acknowledged += 1;
    if (isSure(own) && status === 403) this.violations.push(`${client} could not release its lock`);
  }

  /** A release by a client that does not hold the lock must be refused. */
  private async meddle(client: number, call: ServiceCall): Promise<void> {
    const before = this.holder;
    const { outcome } = await call(['DELETE', LOCK]);
    if (outcome === 'ok' && before === this.holder && isSure(before)) {
      this.violations.push(`${client} released the lock of ${before.client}`);
    }
  }
}
