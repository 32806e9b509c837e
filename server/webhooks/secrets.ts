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

  constructor(documents: Documents<KeptSecret>, wall: WallClock) {
    this.documents = documents;
    this.origin = documents.take();
    this.wall = wall;
  }

  /** Goes back to the secrets that were there at the start. */
  reset(): Promise<void> {
    return this.documents.restore(this.origin);
  }

  private async kept(user_id: number): Promise<KeptSecret> {
    const found = this.documents.all.get(user_id);
    if (found) return found;
    const made = { secret: createSigningSecret(), previous: null, previous_until_ms: 0 };
    await this.documents.save(user_id, made);
    return this.documents.all.get(user_id) ?? made;
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
    const kept = await this.kept(user_id);
    const lasts = this.previousOf(kept) !== null;
    const until = lasts ? new Date(kept.previous_until_ms).toISOString() : null;
    return { secret: kept.secret, previous_valid_until: until };
  }

  /** Makes a new secret; the old one goes on signing for a day. */
  async rotate(user_id: number): Promise<SigningSecret> {
    const { secret } = await this.kept(user_id);
    await this.documents.save(user_id, {
      secret: createSigningSecret(),
      previous: secret,
      previous_until_ms: this.wall.epoch_ms() + OVERLAP_MS,
    });
    return this.show(user_id);
  }
}
