/** The signing secret of each user: made when first needed, the one before valid for a day. */
import type { SigningSecret } from '../../contract/types.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Documents, DocumentsImage } from '../store/documents.ts';
import { createSigningSecret } from './signature.ts';

export interface KeptSecret {
  readonly secret: string;
  readonly previous: string | null;
  /** Wall time (ms since 1970) until which the previous one is used too. */
  readonly previous_until_ms: number;
}

const OVERLAP_MS = 24 * 60 * 60 * 1000;

export class SigningSecrets {
  private readonly documents: Documents<KeptSecret>;
  private readonly origin: DocumentsImage<KeptSecret>;
  private readonly wall: WallClock;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(documents: Documents<KeptSecret>, wall: WallClock) {
    this.documents = documents;
    this.origin = documents.take();
    this.wall = wall;
  }

  /** Goes back to the secrets that were there at the start. */
  reset(): Promise<void> {
    return this.documents.restore(this.origin);
  }

  /** One change after another: nobody is shown a secret that another's takes the place of. */
  private inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => {});
    return turn;
  }

  private async kept(user_id: number): Promise<KeptSecret> {
    return this.documents.all.get(user_id) ?? this.inTurn(() => this.made(user_id));
  }

  private async made(user_id: number): Promise<KeptSecret> {
    const found = this.documents.all.get(user_id);
    if (found) return found;
    const made = { secret: createSigningSecret(), previous: null, previous_until_ms: 0 };
    await this.documents.save(user_id, made);
    return made;
  }

  private previousOf({ previous, previous_until_ms }: KeptSecret): string | null {
    return previous_until_ms > this.wall.epoch_ms() ? previous : null;
  }

  /** The secrets that sign a user's deliveries now, the newest first. */
  async valid(user_id: number): Promise<string[]> {
    const kept = await this.kept(user_id);
    const previous = this.previousOf(kept);
    return previous === null ? [kept.secret] : [kept.secret, previous];
  }

  /** The secret as its owner sees it. */
  async show(user_id: number): Promise<SigningSecret> {
    return this.shown(await this.kept(user_id));
  }

  private shown(kept: KeptSecret): SigningSecret {
    const lasts = this.previousOf(kept) !== null;
    const until = lasts ? new Date(kept.previous_until_ms).toISOString() : null;
    return { secret: kept.secret, previous_valid_until: until };
  }

  /** Forgets the secrets of a user; what is still to be sent is signed by a new one. */
  forget(user_id: number): Promise<void> {
    return this.inTurn(() => this.documents.remove(user_id));
  }

  /** Makes a new secret; the old one goes on signing for a day. */
  rotate(user_id: number): Promise<SigningSecret> {
    return this.inTurn(async () => {
      const { secret: previous } = await this.made(user_id);
      const previous_until_ms = this.wall.epoch_ms() + OVERLAP_MS;
      const renewed = { secret: createSigningSecret(), previous, previous_until_ms };
      await this.documents.save(user_id, renewed);
      return this.shown(renewed);
    });
  }
}
