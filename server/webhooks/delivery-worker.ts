/**
 * Sends queued webhook deliveries with retries and backoff, on wall time. Each lane (one run to
 * one address) keeps its order; owners take turns, and of each owner the hosts. A dead or slow
 * receiver delays its own lane only, and nobody's but its owner's (docs/decisions).
 */

import { limits } from '../../contract/limits.ts';
import { shares } from '../../contract/shares.ts';
import type { Cancel, WallClock } from '../clock/wall-clock.ts';
import { Share } from '../shares/share.ts';
import type { Usage } from '../shares/usage.ts';
import type { AddressRules } from './address-rules.ts';
import { type DeliveryRecord, laneOf } from './delivery-record.ts';
import { GoneLanes } from './gone-lanes.ts';
import { HostTurns } from './host-turns.ts';
import type { Outbox } from './outbox.ts';
import { pinAddress } from './pinned-address.ts';
import { Poster, type PostOutcome } from './poster.ts';
import { type Resolve, Resolver } from './resolver.ts';
import type { RetryProfile } from './retry-profiles.ts';
import { signatureOf } from './signature.ts';

export interface DeliveryWorkerParts {
  readonly outbox: Outbox;
  readonly profile: RetryProfile;
  readonly rules: AddressRules;
  readonly wall: WallClock;
  /** The secrets that sign for an owner, the newest first. */
  readonly secretsOf: (owner_id: number) => Promise<readonly string[]>;
  /** Called when the outbox cannot be written. */
  readonly onUnsaved: (error: unknown) => void;
  readonly resolve?: Resolve;
}

/** The deliveries of one run to one address. */
interface Lane {
  readonly key: string;
  /** Wall time from which the times of the attempts of the first delivery count (ms). */
  began_ms: number;
  /** Wall time at which the present attempt began, or the next one is due by its time (ms). */
  due_ms: number;
  readonly owner_id: number;
  readonly host: string;
  /** Wall time since which no connection can be made (ms); null if one could. */
  parked_since_ms: number | null;
  /** Attempts since then. */
  parked_attempts: number;
  readonly queue: DeliveryRecord[];
  /** In flight, or waiting for its next attempt. */
  isBusy: boolean;
  /** True after `clear`: results of its calls are ignored. */
  isDiscarded: boolean;
}

const HTTP_GONE = 410;
/** Wait after which a state that could not be stored is stored again (ms). */
const STORE_AGAIN_MS = 1000;
/** First wait for a receiver that refuses connections (ms); it doubles at most so often. */
const FIRST_PARKED_MS = 500;
const DOUBLINGS = 12;
/** Client errors after which the same body may be accepted later: timeout, too early, too many. */
const TEMPORARY_CLIENT_ERRORS: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether a receiver has refused a body for good. */
function isFinalRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !TEMPORARY_CLIENT_ERRORS.has(status);
}

/** The outcome of an attempt that sent nothing. */
function failed(error: string): PostOutcome {
  return { status: null, error, isUnreachable: false, retry_after_s: null };
}

/** The host and port that the lanes of a receiver share; empty for a text that is no URL. */
function receiverOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

export class DeliveryWorker {
  private readonly parts: DeliveryWorkerParts;
  private readonly poster: Poster;
  private readonly resolver: Resolver;
  private readonly lanes = new Map<string, Lane>();
  /** The lanes whose receiver answered 410 Gone. */
  private readonly goneLanes = new GoneLanes();
  /** What can be sent now, by owner; the owner whose turn is next comes first. */
  private readonly turns = new Map<number, HostTurns<Lane>>();
  /** Requests in flight by owner. */
  private readonly inFlight = new Share(shares.hook_in_flight);
  private readonly retryTimers = new Set<Cancel>();
  private isClosed = false;

  constructor(parts: DeliveryWorkerParts) {
    this.parts = parts;
    this.poster = new Poster(parts.wall);
    this.resolver = new Resolver(parts.wall, parts.resolve);
  }

  /** What owners have in flight, look up and have lost. */
  get usage(): Usage {
    return {
      hook_in_flight: this.inFlight.owners,
      hook_dns_lookups: this.resolver.queue.running.owners,
      disabled_hooks: this.goneLanes.share.owners,
    };
  }

  /** Queues a delivery that the outbox has stored. */
  enqueue(delivery: DeliveryRecord): void {
    const key = laneOf(delivery);
    let lane = this.lanes.get(key);
    if (!lane) {
      lane = {
        key,
        began_ms: 0,
        due_ms: 0,
        owner_id: delivery.owner_id,
        host: receiverOf(delivery.url),
        parked_since_ms: null,
        parked_attempts: 0,
        queue: [],
        isBusy: false,
        isDiscarded: false,
      };
      this.lanes.set(key, lane);
    }
    lane.queue.push(delivery);
    this.markReady(lane);
  }

  /** Allows calls to a receiver that answered 410, for an explicit redelivery. */
  reenable(delivery: DeliveryRecord): void {
    this.goneLanes.delete(laneOf(delivery));
  }

  private markReady(lane: Lane): void {
    if (lane.isBusy || lane.queue.length === 0) return;
    const known = this.turns.get(lane.owner_id);
    if (known) known.add(lane);
    else this.turns.set(lane.owner_id, new HostTurns<Lane>().add(lane));
    this.dispatch();
  }

  private dispatch(): void {
    while (!this.isClosed && this.startNext());
  }

  /** Starts a call of the first owner who has one to make and a place for it. */
  private startNext(): boolean {
    for (const [owner_id, hosts] of this.turns) {
      if (!this.inFlight.hasRoom({ owner: owner_id })) continue;
      const lane = hosts.take();
      if (!lane) continue;
      // The owner's next turn comes after those of all others.
      this.turns.delete(owner_id);
      this.turns.set(owner_id, hosts);
      this.inFlight.add(owner_id);
      lane.isBusy = true;
      void this.sendNext(lane, lane.queue[0]!);
      return true;
    }
    return false;
  }

  private async sendNext(lane: Lane, delivery: DeliveryRecord): Promise<void> {
    this.begin(lane, delivery);
    const outcome = this.goneLanes.has(lane.key) ? null : await this.attempt(delivery);
    this.releaseSlot(lane);
    if (this.isClosed || lane.isDiscarded) {
      this.dispatch();
      return;
    }
    const wait_ms = this.classify(lane, delivery, outcome);
    if (wait_ms !== null) {
      this.later(wait_ms, () => {
        lane.isBusy = false;
        this.markReady(lane);
      });
    } else if (delivery.state === 'delivered') this.settle(lane, delivery);
    else this.giveUp(lane, delivery);
    this.dispatch();
  }

  /**
   * Notes the start of an attempt. Time that is lost before it (no connection, Retry-After, a
   * process that stood) moves the later ones too: they must not all be due at once.
   */
  private begin(lane: Lane, { tries }: DeliveryRecord): void {
    const now_ms = this.parts.wall.now_ms();
    if (tries === 0) lane.began_ms = now_ms;
    else lane.began_ms += Math.max(0, now_ms - lane.due_ms);
    lane.due_ms = now_ms;
  }

  private later(wait_ms: number, action: () => void): void {
    const cancel = this.parts.wall.afterUnreferenced(wait_ms, () => {
      this.retryTimers.delete(cancel);
      action();
    });
    this.retryTimers.add(cancel);
  }

  /** Goes on with the next delivery of the lane. */
  private settle(lane: Lane, delivery: DeliveryRecord): void {
    lane.queue.shift();
    lane.isBusy = false;
    this.markReady(lane);
    this.removeIfEmpty(lane);
    this.parts.outbox.settle(delivery).catch(this.parts.onUnsaved);
  }

  /**
   * Settles a delivery that the receiver has not got once that is on disk: after a restart it would
   * be sent behind the later ones of its lane.
   */
  private giveUp(lane: Lane, delivery: DeliveryRecord): void {
    const { outbox, onUnsaved } = this.parts;
    outbox.settle(delivery).then(
      () => {
        if (!this.isClosed && !lane.isDiscarded) this.settle(lane, delivery);
      },
      (error: unknown) => {
        onUnsaved(error);
        if (!this.isClosed && !lane.isDiscarded) {
          this.later(STORE_AGAIN_MS, () => this.giveUp(lane, delivery));
        }
      },
    );
  }

  private releaseSlot({ owner_id, host }: Lane): void {
    this.inFlight.add(owner_id, -1);
    const hosts = this.turns.get(owner_id);
    hosts?.release(host);
    if (hosts?.isEmpty) this.turns.delete(owner_id);
  }

  /** Removes a lane without deliveries. */
  private removeIfEmpty({ key, queue }: Lane): void {
    if (queue.length === 0) this.lanes.delete(key);
  }

  /** Sets the final state and returns null, or returns the wait before the next attempt (ms). */
  private classify(
    lane: Lane,
    delivery: DeliveryRecord,
    outcome: PostOutcome | null,
  ): number | null {
    const { profile } = this.parts;
    const status = outcome?.status ?? 0;
    const parked_ms = this.parkedWait_ms(lane, outcome);
    if (parked_ms !== null) delivery.tries -= 1;
    if (parked_ms !== null) return parked_ms;
    if (outcome === null || status === HTTP_GONE) {
      this.goneLanes.add(lane.key);
      delivery.state = 'disabled';
      return null;
    }
    if (status >= 200 && status < 300) {
      delivery.state = 'delivered';
      return null;
    }
    const at_ms = profile.at_ms[delivery.tries];
    if (at_ms === undefined || isFinalRefusal(status)) {
      delivery.state = 'dead';
      return null;
    }
    const retryAfter_ms = Math.min(outcome.retry_after_s ?? 0, limits.hook_retry_after_s) * 1000;
    const now_ms = this.parts.wall.now_ms();
    // An attempt takes longer than its timeout where the process stood meanwhile.
    lane.began_ms += Math.max(0, now_ms - lane.due_ms - profile.timeout_ms);
    const due_ms = lane.began_ms + at_ms * (1 + profile.jitter * Math.random());
    lane.due_ms = Math.max(due_ms, now_ms);
    return Math.max(lane.due_ms - now_ms, retryAfter_ms);
  }

  /**
   * The wait for a receiver to which no connection can be made (ms), or null. Its lane is parked:
   * such attempts do not count, and the order is kept until it is back.
   */
  private parkedWait_ms(lane: Lane, outcome: PostOutcome | null): number | null {
    const now_ms = this.parts.wall.now_ms();
    if (!outcome?.isUnreachable) {
      lane.parked_since_ms = null;
      lane.parked_attempts = 0;
      return null;
    }
    lane.parked_since_ms ??= now_ms;
    if (now_ms - lane.parked_since_ms >= limits.hook_parked_s * 1000) return null;
    lane.parked_attempts += 1;
    const doubled_ms = FIRST_PARKED_MS * 2 ** Math.min(lane.parked_attempts - 1, DOUBLINGS);
    return Math.min(doubled_ms, this.parts.profile.parked_ms);
  }

  private async attempt(delivery: DeliveryRecord): Promise<PostOutcome> {
    const { wall } = this.parts;
    const began_ms = wall.now_ms();
    const at = new Date(wall.epoch_ms()).toISOString();
    delivery.tries++;
    const outcome = await this.post(delivery).catch((error: unknown) => {
      // On a full disk the signing secret can neither be read nor created.
      return failed(String(error));
    });
    const { status, error } = outcome;
    delivery.attempts.push({ at, status, error, duration_ms: wall.now_ms() - began_ms });
    // The first and the latest are kept.
    const isMany = delivery.attempts.length > limits.hook_attempts;
    if (isMany) delivery.attempts.splice(limits.hook_attempts / 2, 1);
    return outcome;
  }

  private async post(delivery: DeliveryRecord): Promise<PostOutcome> {
    const { rules, profile, wall, secretsOf } = this.parts;
    const find = (host: string) => this.resolver.find(delivery.owner_id, host, profile.timeout_ms);
    const address = await pinAddress(delivery.url, rules, find);
    if (!address.ok) return failed(address.error);
    const { message_id, body, hook_type, tries, sequence } = delivery;
    const timestamp = Math.floor(wall.epoch_ms() / 1000);
    const secrets = await secretsOf(delivery.owner_id);
    const headers = {
      ...delivery.headers,
      'Content-Type': 'application/json',
      'User-Agent': 'armtwin-webhooks',
      'webhook-id': message_id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf({ message_id, timestamp, body }, secrets),
      'X-Hook-Type': hook_type,
      'X-Hook-Attempt': String(tries),
      'X-Hook-Sequence': String(sequence),
    };
    return this.poster.post({
      address: address.value,
      headers,
      body,
      timeout_ms: profile.timeout_ms,
    });
  }

  /** Drops all queued deliveries; results of calls in flight are ignored. */
  clear(): void {
    for (const lane of this.lanes.values()) lane.isDiscarded = true;
    this.lanes.clear();
    this.goneLanes.clear();
    for (const hosts of this.turns.values()) hosts.clear();
    for (const cancel of this.retryTimers) cancel();
    this.retryTimers.clear();
  }

  /** Stops sending; undelivered deliveries stay in the outbox. */
  close(): void {
    this.isClosed = true;
    for (const cancel of this.retryTimers) cancel();
    this.poster.close();
  }
}
