/**
 * The webhook service: matches run events with the hooks of their workflow, stores one delivery
 * per matching hook in the transaction of the event and passes it to the delivery worker (webhooks
 * §3, §4).
 */

import type { Refusal } from '../../contract/refusal.ts';
import type { Hook, RunEvent, SigningSecret } from '../../contract/types.generated.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { ShareRefusal } from '../shares/share.ts';
import type { StorageRefusal } from '../shares/stored-bytes.ts';
import type { Usage } from '../shares/usage.ts';
import type { OnCreated } from '../store/creation.ts';
import { Documents } from '../store/documents.ts';
import type { Draft } from '../store/draft.ts';
import type { Guard, LateError } from '../store/guard.ts';
import type { Store } from '../store/store.ts';
import type { AddressRules } from './address-rules.ts';
import { deliveryHeaders } from './delivery-headers.ts';
import type { DeliveryContent, DeliveryRecord } from './delivery-record.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { hookBodyText, hookMatches } from './hook-events.ts';
import { type DeliveryQuery, Outbox } from './outbox.ts';
import { RETRY_PROFILES, type RetryProfileName } from './retry-profiles.ts';
import { SigningSecrets } from './signing-secrets.ts';

export interface WebhookOptions {
  readonly store: Store;
  readonly profile: RetryProfileName;
  readonly rules: AddressRules;
  readonly wall: WallClock;
  readonly onUnsaved: (error: unknown) => void;
}

/** The user and hooks that an event is matched with. */
export interface HookOwner {
  readonly owner_id: number;
  readonly hooks: readonly Hook[];
}

/** Most deliveries that one transaction queues again. */
const REDELIVERED = 100;

export class Webhooks {
  readonly outbox: Outbox;
  readonly rules: AddressRules;
  private readonly store: Store;
  private readonly secrets: SigningSecrets;
  private readonly worker: DeliveryWorker | null;

  /** Deliveries left over from a crash are sent again. */
  constructor(options: WebhookOptions) {
    const { store } = options;
    const outbox = new Outbox(store);
    const secrets = new SigningSecrets(new Documents(store, 'webhook_secrets'), options.wall);
    this.store = store;
    this.rules = options.rules;
    this.outbox = outbox;
    this.secrets = secrets;
    const secretsOf = (owner_id: number) => secrets.valid(owner_id);
    const { profile, rules, wall, onUnsaved } = options;
    this.worker =
      profile === 'off'
        ? null
        : new DeliveryWorker({
            outbox,
            profile: RETRY_PROFILES[profile],
            rules,
            wall,
            secretsOf,
            onUnsaved,
          });
    outbox.onReadError = onUnsaved;
    outbox.onReady = (delivery) => this.worker?.enqueue(delivery);
    if (this.worker) outbox.resume();
  }

  /** Whether deliveries are sent at all. */
  get isOn(): boolean {
    return this.worker !== null;
  }

  /**
   * Adds a delivery to the transaction of the events for every hook that matches; the returned
   * function sends them once the transaction is durable.
   */
  addDeliveries(draft: Draft, { owner_id, hooks }: HookOwner, events: readonly RunEvent[]) {
    if (!this.worker) return () => {};
    const contents = events.flatMap((event) => {
      const matching = hooks.filter((hook) => hookMatches(hook, event));
      if (matching.length === 0) return [];
      const { sequence, hook_type } = event;
      const { run_id } = event.body;
      const body = hookBodyText(event);
      return matching.map((hook): DeliveryContent => {
        const { url } = hook.parameters;
        const headers = deliveryHeaders(hook.parameters.headers);
        return { owner_id, run_id, sequence, hook_type, url, headers, body };
      });
    });
    const deliveries = this.outbox.add(draft, contents);
    return () => this.outbox.accept(deliveries);
  }

  /** Sends a sample body to an address, if its owner has room for it; resolves once it is durable. */
  async test(
    owner_id: number,
    target: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
    {
      event,
      onCreated,
    }: { readonly event: RunEvent; readonly onCreated: OnCreated<DeliveryRecord> },
  ): Promise<DeliveryRecord | ShareRefusal | StorageRefusal> {
    const { hook_type, sequence } = event;
    const content = { owner_id, run_id: null, sequence, hook_type, ...target };
    const deliveries = await this.store.change((draft) => {
      const refusal = this.roomRefusal(owner_id);
      if (refusal) return refusal;
      const made = this.outbox.add(draft, [{ ...content, body: hookBodyText(event) }]);
      onCreated(draft, made[0]!);
      return made;
    });
    if ('refused' in deliveries) return deliveries;
    this.outbox.accept(deliveries);
    return deliveries[0]!;
  }

  /** What owners have waiting, kept and in flight. */
  get usage(): Usage {
    const { waiting, kept } = this.outbox;
    return {
      pending_deliveries: waiting.owners,
      finished_deliveries: kept.owners,
      ...this.worker?.usage,
    };
  }

  /** Why nothing more can be sent for an owner now: a share is used up; null if it can. */
  roomRefusal(owner: number): ShareRefusal | StorageRefusal | null {
    const { outbox, store } = this;
    return outbox.waiting.refusal({ owner }) ?? store.bytes.refusal({ owner }, 1);
  }

  /** Queues settled deliveries again, in their order, unless the guard refuses. */
  redeliver(
    deliveries: readonly DeliveryRecord[],
    guard: Guard,
  ): Promise<Refusal<LateError | 'share_used_up'> | null> {
    return this.outbox.requeue(deliveries, () => {
      const refusal = guard();
      for (const delivery of refusal ? [] : deliveries) this.worker?.reenable(delivery);
      return refusal;
    });
  }

  /** Queues all deliveries of an owner that match again; returns their number. */
  async redeliverAll(
    owner_id: number,
    query: Omit<DeliveryQuery, 'limit'>,
    guard: Guard,
  ): Promise<number | Refusal<LateError | 'share_used_up'>> {
    let count = 0;
    const ids = await this.outbox.ids(owner_id, query);
    for (let at = 0; at < ids.length; at += REDELIVERED) {
      const part = await this.outbox.settledAmong(owner_id, ids.slice(at, at + REDELIVERED));
      const refusal = await this.redeliver(part, guard);
      if (refusal) return refusal;
      count += part.length;
    }
    return count;
  }

  /** The signing secret of a user. */
  showSecret(user_id: number, guard: Guard): Promise<SigningSecret | Refusal<LateError>> {
    return this.secrets.show(user_id, guard);
  }

  /** A new signing secret for a user. */
  rotateSecret(
    user_id: number,
    guard: Guard,
  ): Promise<SigningSecret | Refusal<LateError | 'wrong_state'>> {
    return this.secrets.rotate(user_id, guard);
  }

  /** Removes the signing secret of a deleted user. */
  removeSecret(user_id: number): Promise<void> {
    return this.secrets.remove(user_id);
  }

  /** Removes all deliveries and restores the signing secrets of process start. */
  async reset(): Promise<void> {
    this.worker?.clear();
    await this.outbox.clear();
    await this.secrets.reset();
  }

  /** Stops sending; undelivered deliveries stay stored. */
  close(): void {
    this.worker?.close();
  }
}
