/**
 * Each user has one signing secret, created on first use; after a rotation the former secret stays
 * valid for a day, whatever further rotations there are (docs/decisions).
 */

import type { ErrorName } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { isRefusal, type Refusal, refuse } from '../../contract/refusal.ts';
import type { SigningSecret } from '../../contract/types.generated.ts';
import { steadyDate, type WallClock } from '../clock/wall-clock.ts';
import type { DocumentGuard, Documents, DocumentsSnapshot } from '../store/documents.ts';
import type { Guard, LateError } from '../store/guard.ts';
import { createSigningSecret } from './signature.ts';

/** A secret before a rotation; until this wall time (ms since 1970) it signs too. */
interface FormerSecret {
  readonly secret: string;
  readonly until_ms: number;
}

export interface StoredSecret {
  readonly secret: string;
  /** The latest first. */
  readonly former: readonly FormerSecret[];
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
  private formerOf({ former }: StoredSecret): FormerSecret[] {
    // Both the time that was published and a day of real time, if the date is corrected.
    const now_ms = Math.min(this.wall.epoch_ms(), this.steady_ms());
    return former.filter(({ until_ms }) => until_ms > now_ms);
  }

  /** The secrets that sign a user's deliveries now, the newest first. */
  async valid(user_id: number): Promise<string[]> {
    const stored = (await this.stored(user_id)) as StoredSecret;
    return [stored.secret, ...this.formerOf(stored).map(({ secret }) => secret)];
  }

  /** Returns the secret in wire format for its owner; creates it unless the guard refuses. */
  async show(user_id: number, guard: Guard): Promise<SigningSecret | Refusal<LateError>> {
    const stored = await this.stored(user_id, guard);
    return isRefusal(stored) ? stored : this.secretReply(stored);
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
      if (isRefusal(found)) return found;
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
