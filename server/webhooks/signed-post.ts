/** Signs webhook deliveries and sends them. */
import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { isIP } from 'node:net';
import type { ErrorName } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { SigningSecret } from '../../contract/types.ts';
import type { WallClock } from '../clock/clock.ts';
import type { Guard, LateError } from '../store/database.ts';
import type { DocumentGuard, Documents, DocumentsSnapshot } from '../store/documents.ts';
import type { PinnedAddress } from './addresses.ts';

/**
 * Signatures as in Standard Webhooks: HMAC-SHA256 over id, timestamp and body, one signature per
 * valid secret. Each user has one secret, created on first use; after a rotation the previous
 * secret stays valid for a day (docs/decisions).
 */

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Returns a new random secret. */
export function createSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Returns a new random message id. */
export function createMessageId(): string {
  return `msg_${randomBytes(18).toString('base64url')}`;
}

export interface SignedPart {
  readonly message_id: string;
  /** Unix seconds, wall time. */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns the value of the `webhook-signature` header. */
export function signatureOf(part: SignedPart, secrets: readonly string[]): string {
  const text = `${part.message_id}.${part.timestamp}.${part.body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
    })
    .join(' ');
}

export interface StoredSecret {
  readonly secret: string;
  readonly previous: string | null;
  /** Wall time (ms since 1970) until which the previous secret also signs. */
  readonly previous_until_ms: number;
}

const OVERLAP_MS = 24 * 60 * 60 * 1000;

export class SigningSecrets {
  private readonly documents: Documents<StoredSecret>;
  private readonly initial: DocumentsSnapshot<StoredSecret>;
  private readonly wall: WallClock;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(documents: Documents<StoredSecret>, wall: WallClock) {
    this.documents = documents;
    this.initial = documents.snapshot();
    this.wall = wall;
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
    const made = { secret: createSigningSecret(), previous: null, previous_until_ms: 0 };
    return (await this.documents.save(user_id, { row: made }, guard)) ?? made;
  }

  private previousOf({ previous, previous_until_ms }: StoredSecret): string | null {
    return previous_until_ms > this.wall.epoch_ms() ? previous : null;
  }

  /** The secrets that sign a user's deliveries now, the newest first. */
  async valid(user_id: number): Promise<string[]> {
    const stored = (await this.stored(user_id)) as StoredSecret;
    const previous = this.previousOf(stored);
    return previous === null ? [stored.secret] : [stored.secret, previous];
  }

  /** Returns the secret in wire format for its owner; creates it unless the guard refuses. */
  async show(user_id: number, guard: Guard): Promise<SigningSecret | Refusal<LateError>> {
    const stored = await this.stored(user_id, guard);
    return 'refused' in stored ? stored : this.secretReply(stored);
  }

  private secretReply(stored: StoredSecret): SigningSecret {
    const lasts = this.previousOf(stored) !== null;
    const until = lasts ? new Date(stored.previous_until_ms).toISOString() : null;
    return { secret: stored.secret, previous_valid_until: until };
  }

  /** Removes the secrets of a user; pending deliveries get a new one. */
  remove(user_id: number): Promise<void> {
    return this.serialize(async () => {
      await this.documents.remove(user_id);
    });
  }

  /** Creates a new secret, unless the guard refuses; the previous one also signs for a day. */
  rotate(user_id: number, guard: Guard): Promise<SigningSecret | Refusal<LateError>> {
    return this.serialize(async () => {
      const found = await this.created(user_id, guard);
      if ('refused' in found) return found;
      const { secret: previous } = found;
      const previous_until_ms = this.wall.epoch_ms() + OVERLAP_MS;
      const renewed = { secret: createSigningSecret(), previous, previous_until_ms };
      const refusal = await this.documents.save(user_id, { row: renewed }, guard);
      return refusal ?? this.secretReply(renewed);
    });
  }
}

/**
 * Sends one HTTP POST to a pinned address: no redirects, a timeout, and a bound on how much of the
 * reply is read (docs/decisions).
 */

export interface PostOutcome {
  /** Null without a reply. */
  readonly status: number | null;
  readonly error: string;
  /** No connection to the receiver was made. */
  readonly isUnreachable: boolean;
  /** Value of Retry-After (s), or null. */
  readonly retry_after_s: number | null;
}

export interface PostRequest {
  readonly address: PinnedAddress;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeout_ms: number;
}

function retryAfter_s(text: string | undefined, epoch_ms: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date_ms = Date.parse(text);
  return Number.isNaN(date_ms) ? null : Math.max(0, (date_ms - epoch_ms) / 1000);
}

/** Reads the reply to its end; closes the connection when it is larger than the limit. */
function drain(reply: IncomingMessage, done: () => void): void {
  let size_bytes = 0;
  reply.on('data', (chunk: Buffer) => {
    size_bytes += chunk.length;
    if (size_bytes > limits.hook_reply_bytes) reply.destroy();
  });
  reply.on('close', done);
  reply.on('error', () => {});
}

export class Poster {
  private readonly agents = {
    'http:': new Agent({ keepAlive: true }),
    'https:': new SecureAgent({ keepAlive: true }),
  };
  private readonly wall: WallClock;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  /** Sends once; never rejects. */
  post({ address, headers, body, timeout_ms }: PostRequest): Promise<PostOutcome> {
    const { url, ip, family } = address;
    const secure = url.protocol === 'https:';
    const send = secure ? httpsRequest : httpRequest;
    return new Promise((resolve) => {
      const options = {
        method: 'POST',
        host: ip,
        family,
        port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
        path: url.pathname + url.search,
        headers: { ...headers, Host: url.host, 'Content-Length': Buffer.byteLength(body) },
        agent: this.agents[secure ? 'https:' : 'http:'],
        ...(secure && isIP(url.hostname) === 0 ? { servername: url.hostname } : {}),
      };
      let status: number | null = null;
      let retry_after_s: number | null = null;
      let isConnected = false;
      const end = (error: string) => {
        cancel();
        resolve({ status, error, isUnreachable: !isConnected, retry_after_s });
      };
      const call = send(options, (reply) => {
        status = reply.statusCode ?? null;
        retry_after_s = retryAfter_s(reply.headers['retry-after'], this.wall.epoch_ms());
        drain(reply, () => end(''));
      });
      const cancel = this.wall.afterUnreferenced(timeout_ms, () => {
        call.destroy(new Error(`no reply within ${timeout_ms / 1000} s`));
      });
      call.on('socket', (socket) => {
        const note = () => {
          isConnected = true;
        };
        if (socket.connecting) socket.once('connect', note);
        else note();
      });
      const fail = (message: string) => end(status === null ? message : '');
      call.on('error', (error) => fail(error.message));
      // A receiver that switches protocols causes neither a reply nor an error.
      call.on('close', () => fail('the receiver closed the connection without a reply'));
      call.end(body);
    });
  }

  /** Closes every connection. */
  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }
}
