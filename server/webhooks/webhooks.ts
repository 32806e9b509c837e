/**
 * The room of notifications: takes events of runs with the hooks of their workflow, keeps what is
 * to be sent, and lets the courier carry it (spec/webhooks §3, §4).
 */
import type { Hook, HookTypeName, RunEvent, SigningSecret } from '../../contract/types.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { Documents } from '../store/documents.ts';
import type { AddressRules } from './addresses.ts';
import { Courier } from './delivery.ts';
import { bodyText, fires } from './hooks.ts';
import { Outbox } from './outbox.ts';
import type { Parcel, ParcelContent } from './parcel.ts';
import { PROFILES, type ProfileName } from './profile.ts';
import { type KeptSecret, SigningSecrets } from './secrets.ts';

export interface WebhookOptions {
  /** Data folder, or `:memory:`. */
  readonly place: string;
  readonly profile: ProfileName;
  readonly rules: AddressRules;
  readonly wall: WallClock;
  readonly onUnsaved: (error: unknown) => void;
}

/** Whose hooks an event is for. */
export interface Sender {
  readonly owner_id: number;
  readonly hooks: readonly Hook[];
}

interface Notice {
  readonly owner_id: number;
  readonly hook: Hook;
  readonly event: RunEvent;
}

/** Longest stretch of writing down (ms): a tick waits for it. */
const SLICE_MS = 1;

function headersOf({ parameters }: Hook): Record<string, string> {
  const entries = Object.entries(parameters.headers ?? {});
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]));
}

export class Webhooks {
  readonly outbox: Outbox;
  private readonly secrets: SigningSecrets;
  private readonly courier: Courier | null;
  private readonly onUnsaved: (error: unknown) => void;
  private readonly wall: WallClock;
  /** What is still to be written down, in order. */
  private readonly notices: Notice[] = [];

  private constructor(options: WebhookOptions, outbox: Outbox, secrets: SigningSecrets) {
    this.outbox = outbox;
    this.secrets = secrets;
    this.onUnsaved = options.onUnsaved;
    this.wall = options.wall;
    const secretsOf = (owner_id: number) => secrets.valid(owner_id);
    const { profile, rules, wall, onUnsaved } = options;
    this.courier =
      profile === 'off'
        ? null
        : new Courier({ outbox, profile: PROFILES[profile], rules, wall, secretsOf, onUnsaved });
    outbox.onUnread = onUnsaved;
    outbox.onReady = (parcel) => this.courier?.take(parcel);
    if (this.courier) outbox.resume();
  }

  /** Opens the room; what a crash left undelivered is on its way again. */
  static async open(options: WebhookOptions): Promise<Webhooks> {
    const outbox = await Outbox.open(options.place);
    const documents = await Documents.open<KeptSecret>(options.place, 'webhook-secrets');
    return new Webhooks(options, outbox, new SigningSecrets(documents, options.wall));
  }

  /** Whether anything is sent at all. */
  get isOn(): boolean {
    return this.courier !== null;
  }

  /**
   * Notifies everybody whom an event concerns; nobody waits for it. What is to be sent is written
   * down a little later, a few bodies at a time: an event may fire hundreds of hooks.
   */
  notify({ owner_id, hooks }: Sender, event: RunEvent): void {
    if (!this.courier) return;
    const isFirst = this.notices.length === 0;
    for (const hook of hooks) if (fires(hook, event)) this.notices.push({ owner_id, hook, event });
    if (isFirst && this.notices.length > 0) this.wall.soon(() => this.writeDown(SLICE_MS));
  }

  private writeDown(most_ms: number): void {
    const end_ms = this.wall.now_ms() + most_ms;
    let done = 0;
    while (done < this.notices.length) {
      const { owner_id, hook, event } = this.notices[done++]!;
      const { sequence, hook_type } = event;
      const { run_id } = event.body;
      const { url } = hook.parameters;
      const body = bodyText(event);
      this.send({ owner_id, run_id, sequence, hook_type, url, headers: headersOf(hook), body });
      if (this.wall.now_ms() >= end_ms) break;
    }
    this.notices.splice(0, done);
    if (this.notices.length > 0) this.wall.soon(() => this.writeDown(SLICE_MS));
  }

  private send(content: ParcelContent): Parcel {
    const { parcel, kept } = this.outbox.add(content);
    kept.catch(this.onUnsaved);
    return parcel;
  }

  /** Sends a sample body to an address. */
  test(
    owner_id: number,
    target: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
    event: RunEvent,
  ): Parcel {
    const hook_type: HookTypeName = event.hook_type;
    const { url, headers } = target;
    return this.send({
      owner_id,
      run_id: null,
      sequence: event.sequence,
      hook_type,
      url,
      headers,
      body: bodyText(event),
    });
  }

  /** Puts a settled parcel on its way once more; false while it is on its way. */
  async redeliver(parcel: Parcel): Promise<boolean> {
    if (parcel.state === 'pending' || !this.courier) return false;
    this.courier.enable(parcel);
    await this.outbox.again(parcel);
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

  /** Forgets the signing secret of a user who has gone. */
  forgetSecret(user_id: number): Promise<void> {
    return this.secrets.forget(user_id);
  }

  /** Forgets what was sent and was to be sent; secrets are again those of the start. */
  async reset(): Promise<void> {
    this.notices.length = 0;
    this.courier?.forget();
    await this.outbox.forget();
    await this.secrets.reset();
  }

  async close(): Promise<void> {
    this.writeDown(Number.POSITIVE_INFINITY);
    this.courier?.close();
    await this.outbox.close();
  }
}
