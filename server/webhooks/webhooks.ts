/**
 * The webhook service: matches run events with the hooks of their workflow, stores one delivery per
 * matching hook in the outbox and passes it to the delivery worker (webhooks §3, §4).
 */
import type { Hook, HookTypeName, RunEvent, SigningSecret } from '../../contract/types.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { Documents } from '../store/documents.ts';
import type { AddressRules } from './addresses.ts';
import type { DeliveryContent, DeliveryRecord } from './delivery-record.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { hookBodyText, hookMatches } from './hooks.ts';
import { Outbox } from './outbox.ts';
import { RETRY_PROFILES, type RetryProfileName } from './retry-profile.ts';
import { SigningSecrets, type StoredSecret } from './signing.ts';

export interface WebhookOptions {
  /** Data folder, or `:memory:`. */
  readonly dataFolder: string;
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

interface QueuedEvent {
  readonly owner_id: number;
  readonly hook: Hook;
  readonly event: RunEvent;
}

/** Longest time spent storing deliveries in one go (ms); the control loop waits for it. */
const SLICE_MS = 1;

function headersOf({ parameters }: Hook): Record<string, string> {
  const entries = Object.entries(parameters.headers ?? {});
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]));
}

export class Webhooks {
  readonly outbox: Outbox;
  private readonly secrets: SigningSecrets;
  private readonly worker: DeliveryWorker | null;
  private readonly onUnsaved: (error: unknown) => void;
  private readonly wall: WallClock;
  /** Matched events without a stored delivery, in order. */
  private readonly queuedEvents: QueuedEvent[] = [];

  private constructor(options: WebhookOptions, outbox: Outbox, secrets: SigningSecrets) {
    this.outbox = outbox;
    this.secrets = secrets;
    this.onUnsaved = options.onUnsaved;
    this.wall = options.wall;
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

  /** Opens the service; deliveries left over from a crash are sent again. */
  static async open(options: WebhookOptions): Promise<Webhooks> {
    const outbox = await Outbox.open(options.dataFolder);
    const documents = await Documents.open<StoredSecret>(options.dataFolder, 'webhook-secrets');
    return new Webhooks(options, outbox, new SigningSecrets(documents, options.wall));
  }

  /** Whether deliveries are sent at all. */
  get isOn(): boolean {
    return this.worker !== null;
  }

  /**
   * Queues an event for every hook that matches it and returns at once. The deliveries are stored
   * later in short time slices, since one event may fire hundreds of hooks.
   */
  notify({ owner_id, hooks }: HookOwner, event: RunEvent): void {
    if (!this.worker) return;
    const isFirst = this.queuedEvents.length === 0;
    for (const hook of hooks)
      if (hookMatches(hook, event)) this.queuedEvents.push({ owner_id, hook, event });
    if (isFirst && this.queuedEvents.length > 0)
      this.wall.soon(() => this.storeQueuedEvents(SLICE_MS));
  }

  private storeQueuedEvents(most_ms: number): void {
    const end_ms = this.wall.now_ms() + most_ms;
    let done = 0;
    while (done < this.queuedEvents.length) {
      const { owner_id, hook, event } = this.queuedEvents[done++]!;
      const { sequence, hook_type } = event;
      const { run_id } = event.body;
      const { url } = hook.parameters;
      const body = hookBodyText(event);
      this.send({ owner_id, run_id, sequence, hook_type, url, headers: headersOf(hook), body });
      if (this.wall.now_ms() >= end_ms) break;
    }
    this.queuedEvents.splice(0, done);
    if (this.queuedEvents.length > 0) this.wall.soon(() => this.storeQueuedEvents(SLICE_MS));
  }

  private send(content: DeliveryContent): DeliveryRecord {
    const { delivery, kept } = this.outbox.add(content);
    kept.catch(this.onUnsaved);
    return delivery;
  }

  /** Sends a sample body to an address. */
  test(
    owner_id: number,
    target: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
    event: RunEvent,
  ): DeliveryRecord {
    const hook_type: HookTypeName = event.hook_type;
    const { url, headers } = target;
    return this.send({
      owner_id,
      run_id: null,
      sequence: event.sequence,
      hook_type,
      url,
      headers,
      body: hookBodyText(event),
    });
  }

  /** Queues a settled delivery again; returns false while it is pending. */
  async redeliver(delivery: DeliveryRecord): Promise<boolean> {
    if (delivery.state === 'pending' || !this.worker) return false;
    this.worker.reenable(delivery);
    await this.outbox.requeue(delivery);
    return true;
  }

  /** The signing secret of a user. */
  showSecret(user_id: number): Promise<SigningSecret> {
    return this.secrets.show(user_id);
  }

  /** A new signing secret for a user. */
  rotateSecret(user_id: number): Promise<SigningSecret> {
    return this.secrets.rotate(user_id);
  }

  /** Removes the signing secret of a deleted user. */
  removeSecret(user_id: number): Promise<void> {
    return this.secrets.remove(user_id);
  }

  /** Removes all deliveries and restores the signing secrets of process start. */
  async reset(): Promise<void> {
    this.queuedEvents.length = 0;
    this.worker?.clear();
    await this.outbox.clear();
    await this.secrets.reset();
  }

  async close(): Promise<void> {
    this.storeQueuedEvents(Number.POSITIVE_INFINITY);
    this.worker?.close();
    await this.outbox.close();
  }
}
