/**
 * The webhook service: matches run events with the hooks of their workflow, stores one delivery per
 * matching hook in the transaction of the event and passes it to the delivery worker (webhooks §3,
 * §4). Also: the secrets that sign the deliveries.
 */
import type { ErrorName } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Hook, HookTypeName, RunEvent, SigningSecret } from '../../contract/types.ts';
import { hookTypeOf } from '../../contract/validator.ts';
import { steadyDate, type WallClock } from '../clock/clock.ts';
import type { Guard, LateError } from '../store/database.ts';
import { type DocumentGuard, Documents, type DocumentsSnapshot } from '../store/documents.ts';
import type { Draft, OnCreated, Store } from '../store/store.ts';
import type { AddressRules } from './addresses.ts';
import { createSigningSecret, DeliveryWorker } from './delivery-worker.ts';
import { type DeliveryContent, type DeliveryQuery, type DeliveryRecord, Outbox } from './outbox.ts';
import { RETRY_PROFILES, type RetryProfileName } from './retry-profiles.ts';

/**
 * Each user has one signing secret, created on first use; after a rotation the former secret stays
 * valid for a day, whatever further rotations there are (docs/decisions).
 */

/** A secret before a rotation; until this wall time (ms since 1970) it signs too. */
interface FormerSecret {
  readonly secret: string;
  readonly until_ms: number;
}

export interface StoredSecret {
  readonly secret: string;
  /** The latest first; absent in data of a version that kept one former secret. */
  readonly former?: readonly FormerSecret[];
  readonly previous?: string | null;
  readonly previous_until_ms?: number;
}

const OVERLAP_MS = 24 * 60 * 60 * 1000;

export class SigningSecrets {
  private readonly documents: Documents<StoredSecret>;
  private readonly initial: DocumentsSnapshot<StoredSecret>;
  private readonly wall: WallClock;
  private readonly steady_ms: () => number;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(documents: Documents<StoredSecret>, wall: WallClock) {
    this.documents = documents;
    this.initial = documents.snapshot();
    this.wall = wall;
    this.steady_ms = steadyDate(wall);
  }

  /** Restores the secrets of process start. */
  reset(): Promise<void> {
    return this.documents.restore(this.initial);
  }

  /** Runs changes one after another, so that no caller is shown a secret that was never stored. */
  private serialize<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => {});
    return turn;
  }

  private async stored<Name extends ErrorName = never>(
    user_id: number,
    guard?: DocumentGuard<Name>,
  ): Promise<StoredSecret | Refusal<Name>> {
    return this.documents.get(user_id) ?? this.serialize(() => this.created(user_id, guard));
  }

  private async created<Name extends ErrorName = never>(
    user_id: number,
    guard?: DocumentGuard<Name>,
  ): Promise<StoredSecret | Refusal<Name>> {
    const found = this.documents.get(user_id);
    if (found) return found;
    const made = { secret: createSigningSecret(), former: [] };
    return (await this.documents.save(user_id, { row: made }, guard)) ?? made;
  }

  /** The former secrets that are still valid, the latest first. */
  private formerOf({ former, previous, previous_until_ms = 0 }: StoredSecret): FormerSecret[] {
    const one = previous ? [{ secret: previous, until_ms: previous_until_ms }] : [];
    // Both the time that was published and a day of real time, if the date is corrected.
    const now_ms = Math.min(this.wall.epoch_ms(), this.steady_ms());
    return (former ?? one).filter(({ until_ms }) => until_ms > now_ms);
  }

  /** The secrets that sign a user's deliveries now, the newest first. */
  async valid(user_id: number): Promise<string[]> {
    const stored = (await this.stored(user_id)) as StoredSecret;
    return [stored.secret, ...this.formerOf(stored).map(({ secret }) => secret)];
  }

  /** Returns the secret in wire format for its owner; creates it unless the guard refuses. */
  async show(user_id: number, guard: Guard): Promise<SigningSecret | Refusal<LateError>> {
    const stored = await this.stored(user_id, guard);
    return 'refused' in stored ? stored : this.secretReply(stored);
  }

  private secretReply(stored: StoredSecret): SigningSecret {
    const [latest] = this.formerOf(stored);
    const until = latest ? new Date(latest.until_ms).toISOString() : null;
    return { secret: stored.secret, previous_valid_until: until };
  }

  /** Removes the secrets of a user; pending deliveries get a new one. */
  remove(user_id: number): Promise<void> {
    return this.serialize(async () => {
      await this.documents.remove(user_id);
    });
  }

  /** Creates a new secret, unless the guard refuses; the former one also signs for a day. */
  rotate(
    user_id: number,
    guard: Guard,
  ): Promise<SigningSecret | Refusal<LateError | 'wrong_state'>> {
    return this.serialize(async () => {
      const found = await this.created(user_id, guard);
      if ('refused' in found) return found;
      const valid = this.formerOf(found);
      if (valid.length >= limits.former_secrets) return refuse('wrong_state', fullText(valid));
      const until_ms = this.wall.epoch_ms() + OVERLAP_MS;
      const former = [{ secret: found.secret, until_ms }, ...valid];
      const renewed = { secret: createSigningSecret(), former };
      const refusal = await this.documents.save(user_id, { row: renewed }, guard);
      return refusal ?? this.secretReply(renewed);
    });
  }
}

/** Why there is no further rotation now: receivers rely on the times that were promised. */
function fullText(valid: readonly FormerSecret[]): string {
  const next = new Date(valid.at(-1)!.until_ms).toISOString();
  return `${valid.length} former secrets are still valid, the limit; rotate again after ${next}`;
}

const FIELDS: { readonly [Type in HookTypeName]: readonly string[] } = {
  RunStateChangeHook: ['run_id', 'timestamp', 'state', 'message'],
  TaskStateChangeHook: [
    'run_id',
    'timestamp',
    'task_id',
    'instrument_id',
    'state',
    'action',
    'error',
  ],
  SafetyStateChangeHook: ['run_id', 'timestamp', 'state'],
  LabwareMovementHook: [
    'run_id',
    'timestamp',
    'labware_id',
    'state',
    'source_instrument_id',
    'destination_instrument_id',
    'source_slot',
    'destination_slot',
  ],
  NewPlanHook: ['run_id', 'timestamp', 'remaining_worktime'],
};

/** Returns the JSON body of an event. */
export function hookBodyText({ hook_type, body }: RunEvent): string {
  const values = new Map<string, unknown>(Object.entries(body));
  const fields = FIELDS[hook_type].map((name) => [name, values.get(name)] as const);
  return JSON.stringify(Object.fromEntries(fields));
}

function includesId(list: readonly string[] | undefined, id: string): boolean {
  return list === undefined || list.length === 0 || list.includes(id);
}

/** Whether an event fires a hook. */
export function hookMatches(hook: Hook, event: RunEvent): boolean {
  if (hookTypeOf(hook) !== event.hook_type) return false;
  if (event.hook_type === 'TaskStateChangeHook')
    return includesId(hook.task_ids, event.body.task_id);
  if (event.hook_type !== 'LabwareMovementHook') return true;
  const { trigger_on = 'both' } = hook;
  const isStart = event.body.state === 'started';
  const fits = trigger_on === 'both' || (trigger_on === 'start') === isStart;
  return fits && includesId(hook.labware_ids, event.body.labware_id);
}

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

function headersOf({ parameters }: Hook): Record<string, string> {
  const entries = Object.entries(parameters.headers ?? {});
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]));
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
        return { owner_id, run_id, sequence, hook_type, url, headers: headersOf(hook), body };
      });
    });
    const deliveries = this.outbox.add(draft, contents);
    return () => this.outbox.accept(deliveries);
  }

  /** Sends a sample body to an address; resolves once the delivery is durable. */
  async test(
    owner_id: number,
    target: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
    {
      event,
      onCreated,
    }: { readonly event: RunEvent; readonly onCreated: OnCreated<DeliveryRecord> },
  ): Promise<DeliveryRecord> {
    const { hook_type, sequence } = event;
    const content = { owner_id, run_id: null, sequence, hook_type, ...target };
    const deliveries = await this.store.change((draft) => {
      const made = this.outbox.add(draft, [{ ...content, body: hookBodyText(event) }]);
      onCreated(draft, made[0]!);
      return made;
    });
    this.outbox.accept(deliveries);
    return deliveries[0]!;
  }

  /** Queues settled deliveries again, in their order, unless the guard refuses. */
  redeliver(
    deliveries: readonly DeliveryRecord[],
    guard: Guard,
  ): Promise<Refusal<LateError> | null> {
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
  ): Promise<number | Refusal<LateError>> {
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
