/**
 * Carries parcels to their addresses: in order for each run and address, a few at a time, again
 * after failures, on wall time. A dead or slow receiver holds up nobody else (facts: delivery).
 */
import { limits } from '../../contract/limits.ts';
import type { Cancel, WallClock } from '../clock/wall-clock.ts';
import { type AddressRules, pinAddress } from './addresses.ts';
import type { Outbox } from './outbox.ts';
import { type Parcel, wayOf } from './parcel.ts';
import { Poster, type PostOutcome } from './post.ts';
import type { Profile } from './profile.ts';
import { type Resolve, Resolver } from './resolver.ts';
import { signatureOf } from './signature.ts';

export interface CourierParts {
  readonly outbox: Outbox;
  readonly profile: Profile;
  readonly rules: AddressRules;
  readonly wall: WallClock;
  /** The secrets that sign for an owner, the newest first. */
  readonly secretsOf: (owner_id: number) => Promise<readonly string[]>;
  /** Told when the outbox could not be written. */
  readonly onUnsaved: (error: unknown) => void;
  readonly resolve?: Resolve;
}

interface Lane {
  readonly key: string;
  /** When the first parcel was tried first. */
  began_ms: number;
  readonly host: string;
  readonly queue: Parcel[];
  /** In flight, or waiting for its next attempt. */
  busy: boolean;
  /** Nobody asks any more what becomes of its parcels. */
  forgotten: boolean;
}

const GONE = 410;

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

export class Courier {
  private readonly parts: CourierParts;
  private readonly poster: Poster;
  private readonly resolver: Resolver;
  private readonly lanes = new Map<string, Lane>();
  /** Ways whose receiver said 410, the latest of them. */
  private readonly gone = new Set<string>();
  /** Lanes that could be tried now, by their hosts. */
  private readonly ready = new Map<string, Set<Lane>>();
  /** Hosts with such lanes and room for a call, in turn. */
  private readonly open = new Set<string>();
  private readonly inFlight = new Map<string, number>();
  private readonly waits = new Set<Cancel>();
  private flying = 0;
  private closed = false;

  constructor(parts: CourierParts) {
    this.parts = parts;
    this.poster = new Poster(parts.wall);
    this.resolver = new Resolver(parts.wall, parts.resolve);
  }

  /** Takes a parcel that the outbox keeps. */
  take(parcel: Parcel): void {
    const key = wayOf(parcel);
    let lane = this.lanes.get(key);
    if (!lane) {
      lane = {
        key,
        began_ms: 0,
        host: hostOf(parcel.url),
        queue: [],
        busy: false,
        forgotten: false,
      };
      this.lanes.set(key, lane);
    }
    lane.queue.push(parcel);
    this.offer(lane);
  }

  /** A receiver that said 410 is called again: somebody asked for it. */
  enable(parcel: Parcel): void {
    this.gone.delete(wayOf(parcel));
  }

  private offer(lane: Lane): void {
    if (lane.busy || lane.queue.length === 0) return;
    const lanes = this.ready.get(lane.host);
    if (lanes) lanes.add(lane);
    else this.ready.set(lane.host, new Set([lane]));
    this.lookAt(lane.host);
    this.pump();
  }

  /** Notes whether a host is to be called; last in turn where it was not before. */
  private lookAt(host: string): void {
    const hasRoom = (this.inFlight.get(host) ?? 0) < limits.hook_in_flight_per_host;
    if (hasRoom && this.ready.has(host)) this.open.add(host);
    else this.open.delete(host);
  }

  private pump(): void {
    for (const host of this.open) {
      if (this.closed || this.flying >= limits.hook_in_flight) return;
      const lanes = this.ready.get(host)!;
      const [lane] = lanes;
      lanes.delete(lane!);
      if (lanes.size === 0) this.ready.delete(host);
      this.flying++;
      this.inFlight.set(host, (this.inFlight.get(host) ?? 0) + 1);
      this.open.delete(host);
      this.lookAt(host);
      lane!.busy = true;
      void this.fly(lane!, lane!.queue[0]!);
    }
  }

  private async fly(lane: Lane, parcel: Parcel): Promise<void> {
    if (parcel.tries === 0) lane.began_ms = this.parts.wall.now_ms();
    const outcome = this.gone.has(lane.key) ? null : await this.attempt(parcel);
    this.land(lane);
    if (this.closed || lane.forgotten) {
      this.pump();
      return;
    }
    const wait_ms = this.judge(lane, parcel, outcome);
    if (wait_ms === null) {
      lane.queue.shift();
      lane.busy = false;
      this.offer(lane);
      this.leave(lane);
      this.parts.outbox.settle(parcel).catch(this.parts.onUnsaved);
    } else {
      const cancel = this.parts.wall.afterUnreferenced(wait_ms, () => {
        this.waits.delete(cancel);
        lane.busy = false;
        this.offer(lane);
      });
      this.waits.add(cancel);
    }
    this.pump();
  }

  private land({ host }: Lane): void {
    this.flying--;
    const left = this.inFlight.get(host)! - 1;
    if (left === 0) this.inFlight.delete(host);
    else this.inFlight.set(host, left);
    this.lookAt(host);
  }

  /** Forgets a lane on which nothing is to go. */
  private leave({ key, queue }: Lane): void {
    if (queue.length === 0) this.lanes.delete(key);
  }

  /** A receiver that is called after it was forgotten says so again. */
  private noteGone(key: string): void {
    this.gone.add(key);
    const [oldest] = this.gone;
    if (this.gone.size > limits.hooks_gone) this.gone.delete(oldest!);
  }

  /** What becomes of a parcel: null when it is settled, else the wait before the next attempt. */
  private judge(lane: Lane, parcel: Parcel, outcome: PostOutcome | null): number | null {
    const { profile } = this.parts;
    const status = outcome?.status ?? 0;
    if (outcome === null || status === GONE) {
      this.noteGone(lane.key);
      parcel.state = 'disabled';
      return null;
    }
    if (status >= 200 && status < 300) {
      parcel.state = 'delivered';
      return null;
    }
    const at_ms = profile.at_ms[parcel.tries];
    if (at_ms === undefined) {
      parcel.state = 'dead';
      return null;
    }
    const asked_ms = Math.min(outcome.retry_after_s ?? 0, limits.hook_retry_after_s) * 1000;
    const due_ms = lane.began_ms + at_ms * (1 + profile.jitter * Math.random());
    return Math.max(due_ms - this.parts.wall.now_ms(), asked_ms, 0);
  }

  private async attempt(parcel: Parcel): Promise<PostOutcome> {
    const { wall } = this.parts;
    const began_ms = wall.now_ms();
    const at = new Date(wall.epoch_ms()).toISOString();
    parcel.tries++;
    const outcome = await this.send(parcel).catch((error: unknown) => {
      // The secret that signs it can be neither read nor made while the disk is full.
      return { status: null, error: String(error), retry_after_s: null };
    });
    const { status, error } = outcome;
    parcel.attempts.push({ at, status, error, duration_ms: wall.now_ms() - began_ms });
    return outcome;
  }

  private async send(parcel: Parcel): Promise<PostOutcome> {
    const { rules, profile, wall, secretsOf } = this.parts;
    const find = (host: string) => this.resolver.find(host, profile.timeout_ms);
    const address = await pinAddress(parcel.url, rules, find);
    if (!address.ok) return { status: null, error: address.error, retry_after_s: null };
    const { message_id, body, hook_type, tries, sequence } = parcel;
    const timestamp = Math.floor(wall.epoch_ms() / 1000);
    const secrets = await secretsOf(parcel.owner_id);
    const headers = {
      ...parcel.headers,
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

  /** Drops everything that is on its way; a call that is out comes back to nobody. */
  forget(): void {
    for (const lane of this.lanes.values()) lane.forgotten = true;
    this.lanes.clear();
    this.gone.clear();
    this.ready.clear();
    this.open.clear();
    for (const cancel of this.waits) cancel();
    this.waits.clear();
  }

  /** Stops calling; what is not delivered stays in the outbox. */
  close(): void {
    this.closed = true;
    for (const cancel of this.waits) cancel();
    this.poster.close();
  }
}
