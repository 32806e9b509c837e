/**
 * Sends queued webhook deliveries with retries and backoff, on wall time. Each lane (one run to
 * one address) keeps its order while its first delivery is in the first 30 s of its attempts;
 * then that one waits aside and the others go on. Safety events have a lane each. Owners take turns,
 * and of each owner the hosts. A dead or slow receiver delays its own lane only, and nobody's but its
 * owner's (D51).
 */

import { hookKind } from '../../contract/hooks/hook-types.ts';
import { limits } from '../../contract/limits.ts';
import { shares } from '../../contract/shares.ts';
import type { Cancel, WallClock } from '../clock/wall-clock.ts';
import { Share } from '../shares/share.ts';
import type { Usage } from '../shares/usage.ts';
import type { AddressRules } from './address-rules.ts';
import { addresseeOf, type DeliveryRecord, laneOf } from './delivery-record.ts';
import { GoneLanes } from './gone-lanes.ts';
import type { Outbox } from './outbox.ts';
import { OwnerTurns } from './owner-turns.ts';
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

/** Deliveries that are sent in order: those of one run to one address, or one that is sent alone. */
interface Lane {
  readonly key: string;
  /** Names the deliveries of its run to its address. */
  readonly addressee: string;
  readonly turns: OwnerTurns<Lane>;
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
  /** Attempts of the first delivery since it was queued. */
  tries: number;
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
  /** The addressees that answered 410 Gone. */
  private readonly goneLanes = new GoneLanes();
  /** What can be sent now; safety events have places of their own, so that they wait for no other. */
  private readonly turns = {
    urgent: new OwnerTurns<Lane>(new Share(shares.safety_hooks_in_flight)),
    ordinary: new OwnerTurns<Lane>(new Share(shares.hook_in_flight)),
  };
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
      hook_in_flight: this.turns.ordinary.inFlight.owners,
      safety_hooks_in_flight: this.turns.urgent.inFlight.owners,
      hook_dns_lookups: this.resolver.queue.running.owners,
      disabled_hooks: this.goneLanes.share.owners,
    };
  }

  /** Queues a delivery that the outbox has stored. */
  enqueue(delivery: DeliveryRecord): void {
    const lane = this.laneFor(delivery);
    lane.queue.push(delivery);
    this.markReady(lane);
  }

  private laneFor(delivery: DeliveryRecord): Lane {
    const key = laneOf(delivery);
    const known = this.lanes.get(key);
    if (known) return known;
    const { isUrgent } = hookKind(delivery.hook_type);
    const lane: Lane = {
      key,
      addressee: addresseeOf(delivery),
      turns: this.turns[isUrgent ? 'urgent' : 'ordinary'],
      began_ms: 0,
      due_ms: 0,
      owner_id: delivery.owner_id,
      host: receiverOf(delivery.url),
      parked_since_ms: null,
      parked_attempts: 0,
      queue: [],
      tries: 0,
      isBusy: false,
      isDiscarded: false,
    };
    this.lanes.set(key, lane);
    return lane;
  }

  /** Allows calls to a receiver that answered 410, for an explicit redelivery. */
  reenable(delivery: DeliveryRecord): void {
    this.goneLanes.delete(addresseeOf(delivery));
  }

  private markReady(lane: Lane): void {
    if (lane.isBusy || lane.queue.length === 0) return;
    lane.turns.add(lane);
    this.dispatch();
  }

  private dispatch(): void {
    for (const turns of [this.turns.urgent, this.turns.ordinary]) {
      for (let lane = this.next(turns); lane; lane = this.next(turns)) {
        lane.isBusy = true;
        void this.sendNext(lane, lane.queue[0]!);
      }
    }
  }

  private next(turns: OwnerTurns<Lane>): Lane | null {
    return this.isClosed ? null : turns.take();
  }

  private async sendNext(lane: Lane, delivery: DeliveryRecord): Promise<void> {
    this.begin(lane);
    const isGone = this.goneLanes.has(lane.addressee);
    const outcome = isGone ? null : await this.attempt(lane, delivery);
    lane.turns.release(lane);
    if (!this.isOn(lane)) {
      this.dispatch();
      return;
    }
    const wait_ms = this.classify(lane, delivery, outcome);
    if (wait_ms !== null) this.wait(lane, delivery, wait_ms);
    else if (delivery.state === 'delivered') this.settle(lane, delivery);
    else {
      // After a restart it would be sent behind the later ones of its lane.
      this.onceStored(
        lane,
        () => this.parts.outbox.settle(delivery),
        () => this.settle(lane, delivery),
      );
    }
    this.dispatch();
  }

  private isOn(lane: Lane): boolean {
    return !this.isClosed && !lane.isDiscarded;
  }

  /**
   * Notes the start of an attempt. Time that is lost before it (no connection, Retry-After, a
   * process that stood) moves the later ones too: they must not all be due at once.
   */
  private begin(lane: Lane): void {
    const now_ms = this.parts.wall.now_ms();
    if (lane.tries === 0) lane.began_ms = now_ms;
    else lane.began_ms += Math.max(0, now_ms - lane.due_ms);
    lane.due_ms = now_ms;
  }

  /** Tries the first delivery of a lane again later: at the head of the lane, or aside. */
  private wait(lane: Lane, delivery: DeliveryRecord, wait_ms: number): void {
    const now_ms = this.parts.wall.now_ms();
    const again_ms = now_ms + wait_ms;
    const ordered_ms = lane.began_ms + limits.hook_ordered_s * 1000;
    const staysFirst = lane.parked_since_ms !== null || lane.turns === this.turns.urgent;
    if (staysFirst || again_ms <= ordered_ms) this.later(wait_ms, () => this.free(lane));
    else {
      this.later(Math.max(0, ordered_ms - now_ms), () => this.putAside(lane, delivery, again_ms));
    }
  }

  /** The next attempt of a lane may begin. */
  private free(lane: Lane): void {
    lane.isBusy = false;
    this.markReady(lane);
  }

  /**
   * Lets a lane go on without its first delivery, which waits on disk, in a lane of its own, until
   * its next attempt.
   */
  private putAside(lane: Lane, delivery: DeliveryRecord, again_ms: number): void {
    const { outbox, wall } = this.parts;
    this.onceStored(
      lane,
      () => outbox.putAside(delivery),
      () => {
        lane.queue.shift();
        const { began_ms, due_ms, tries } = lane;
        const own = this.laneFor(delivery);
        Object.assign(own, { began_ms, due_ms, tries, isBusy: false });
        if (own !== lane) {
          lane.tries = 0;
          this.free(lane);
          this.removeIfEmpty(lane);
        }
        this.later(Math.max(0, again_ms - wall.now_ms()), () => outbox.recall(delivery));
      },
    );
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
    lane.tries = 0;
    this.free(lane);
    this.removeIfEmpty(lane);
    this.parts.outbox.settle(delivery).catch(this.parts.onUnsaved);
  }

  /** Goes on once a change is on disk; makes it again where it could not be stored. */
  private onceStored(lane: Lane, change: () => Promise<void>, goOn: () => void): void {
    change().then(
      () => {
        if (this.isOn(lane)) goOn();
      },
      (error: unknown) => {
        this.parts.onUnsaved(error);
        if (!this.isOn(lane)) return;
        this.later(STORE_AGAIN_MS, () => this.onceStored(lane, change, goOn));
      },
    );
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
    if (parked_ms !== null) lane.tries -= 1;
    if (parked_ms !== null) return parked_ms;
    if (outcome === null || status === HTTP_GONE) {
      this.goneLanes.add(lane.addressee);
      delivery.state = 'disabled';
      return null;
    }
    if (status >= 200 && status < 300) {
      delivery.state = 'delivered';
      return null;
    }
    const at_ms = profile.at_ms[lane.tries];
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

  private async attempt(lane: Lane, delivery: DeliveryRecord): Promise<PostOutcome> {
    const { wall } = this.parts;
    const began_ms = wall.now_ms();
    const at = new Date(wall.epoch_ms()).toISOString();
    lane.tries++;
    const outcome = await this.post(lane, delivery).catch((error: unknown) => {
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

  private async post({ tries }: Lane, delivery: DeliveryRecord): Promise<PostOutcome> {
    const { rules, profile, wall, secretsOf } = this.parts;
    const find = (host: string) => this.resolver.find(delivery.owner_id, host, profile.timeout_ms);
    const address = await pinAddress(delivery.url, rules, find);
    if (!address.ok) return failed(address.error);
    const { message_id, body, hook_type, sequence } = delivery;
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
    for (const turns of Object.values(this.turns)) turns.clear();
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
