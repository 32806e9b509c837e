/**
 * For receivers of webhooks: checks the signature of a delivery; `RunEventInbox` finds doubles and
 * gaps among the events of each run. It needs no Node module, so it runs wherever fetch and Web
 * Crypto do (webhooks §2.3, §4; signatures as in Standard Webhooks).
 */
import { isObject, shownValue } from './argument-value.ts';
import { HOOK_TYPE_NAMES } from './hooks/hook-types.ts';
import { idsOfEvents } from './message-ids.ts';
import type { HookTypeName, RunEvent } from './types.generated.ts';

export {
  type FetchEvents,
  LISTED_GAPS,
  REMEMBERED_IDS,
  RunEventInbox,
  type TakenEvent,
} from './run-event-inbox.ts';
export type { HookTypeName, RunEvent };

/** A verified delivery. The signature covers its id, the time at which it was sent and the body. */
export interface VerifiedWebhook {
  /** Id of the message; equal for all attempts. */
  readonly id: string;
  /** Counts the attempts; from a header that is not signed. */
  readonly attempt: number;
  /**
   * The event; its sequence number counts all events of its run. Only `event.body` is signed:
   * `sequence` and `hook_type` are from headers that are not.
   */
  readonly event: RunEvent;
}

/** Why a delivery is rejected; answer it with 400. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected';
}

/** A request as a receiver has it: the headers and the body as it arrived, byte for byte. */
export interface WebhookRequest {
  /** Names are compared without regard to case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array;
}

export interface VerifyOptions {
  /** The signing secret (`whsec_…`); several while one is replaced. */
  readonly secrets: readonly string[];
  /** The time now (ms since 1970). */
  readonly now_ms: number;
  /** Largest difference between clocks and time on the way (s); default 300. */
  readonly tolerance_s?: number;
}

const PREFIX = 'whsec_';

const DEFAULT_TOLERANCE_S = 300;

function headerOf({ headers }: WebhookRequest, name: string): string {
  const one = 'get' in headers && typeof headers.get === 'function' ? headers.get(name) : null;
  const key = Object.keys(headers).find((given) => given.toLowerCase() === name);
  const value = one ?? (key === undefined ? null : Reflect.get(headers, key));
  const text: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof text === 'string' && text !== '') return text;
  throw new WebhookRejected(`the header ${name} is missing`);
}

/** The bytes of a text in base64, or null. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** What is wrong with a secret; null for one that can be used. It does not show the secret. */
function secretProblem(secret: unknown): string | null {
  if (typeof secret !== 'string') return 'is not a string';
  if (!secret.startsWith(PREFIX)) return `does not begin with ${PREFIX}`;
  const material = bytesOf(secret.slice(PREFIX.length));
  if (!material) return `has something other than base64 after ${PREFIX}`;
  return material.length === 0 ? `has nothing after ${PREFIX}` : null;
}

/**
 * Throws a TypeError that names the first signing secret which cannot be used, by its index.
 * `verifyWebhook` checks them too, but only once a delivery arrives: call this at the start.
 */
export function checkSecrets(secrets: readonly string[]): void {
  if (!Array.isArray(secrets)) {
    throw new TypeError('secrets needs a list of signing secrets, as in [secret]');
  }
  if (secrets.length === 0) throw new TypeError('secrets needs at least one signing secret');
  for (const [i, secret] of secrets.entries()) {
    const problem = secretProblem(secret);
    if (problem !== null) throw new TypeError(`secrets[${i}] ${problem}`);
  }
}

/** Throws for what would turn a check off: a comparison with NaN never holds. */
function checkArguments(request: WebhookRequest, options: VerifyOptions): void {
  if (!isObject(request) || !isObject(request.headers)) {
    throw new TypeError('verifyWebhook needs { headers, body } of the request');
  }
  if (typeof request.body !== 'string' && !(request.body instanceof Uint8Array)) {
    throw new TypeError('body needs the text or bytes of the request as they arrived, not parsed');
  }
  if (!isObject(options)) throw new TypeError('verifyWebhook needs { secrets, now_ms }');
  const { secrets, now_ms, tolerance_s = DEFAULT_TOLERANCE_S } = options;
  checkSecrets(secrets);
  if (!Number.isFinite(now_ms)) {
    throw new TypeError(
      `now_ms needs the time in ms, as Date.now() gives it, not ${shownValue(now_ms)}`,
    );
  }
  if (!Number.isFinite(tolerance_s) || tolerance_s < 0) {
    const given = shownValue(tolerance_s);
    throw new TypeError(`tolerance_s needs a number of seconds, at least 0, not ${given}`);
  }
}

function textOf(body: WebhookRequest['body']): string {
  // The signature covers a byte order mark too.
  return typeof body === 'string'
    ? body
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
}

async function isSigned(text: string, signature: string, secret: string): Promise<boolean> {
  const material = bytesOf(secret.slice(PREFIX.length));
  const code = bytesOf(signature);
  if (!material || !code) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', material, algorithm, false, ['verify']);
  // `verify` compares in constant time.
  return crypto.subtle.verify('HMAC', key, code, new TextEncoder().encode(text));
}

function countOf(request: WebhookRequest, name: string): number {
  const text = headerOf(request, name);
  if (!/^\d{1,15}$/.test(text)) throw new WebhookRejected(`the header ${name} is no number`);
  return Number(text);
}

function parsed(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    if (value !== null && typeof value === 'object') return value;
  } catch {
    // Rejected below.
  }
  throw new WebhookRejected('the body is no JSON object');
}

async function checkSignature(
  request: WebhookRequest,
  text: string,
  secrets: readonly string[],
): Promise<void> {
  const signatures = headerOf(request, 'webhook-signature')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  const checks = secrets.flatMap((secret) =>
    signatures.map((signature) => isSigned(text, signature, secret)),
  );
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookRejected('no signature belongs to a known secret');
  }
}

/**
 * Checks signature and age of a delivery; rejects with `WebhookRejected` if either is wrong, and
 * with a TypeError that names the argument if an argument is.
 */
export async function verifyWebhook(
  request: WebhookRequest,
  options: VerifyOptions,
): Promise<VerifiedWebhook> {
  checkArguments(request, options);
  const { secrets, now_ms, tolerance_s = DEFAULT_TOLERANCE_S } = options;
  const id = headerOf(request, 'webhook-id');
  const sent_s = countOf(request, 'webhook-timestamp');
  if (Math.abs(now_ms / 1000 - sent_s) > tolerance_s) {
    throw new WebhookRejected(`the timestamp differs by more than ${tolerance_s} s`);
  }
  const text = textOf(request.body);
  await checkSignature(request, `${id}.${sent_s}.${text}`, secrets);
  const hook_type = headerOf(request, 'x-hook-type');
  if (!HOOK_TYPE_NAMES.includes(hook_type as HookTypeName)) {
    throw new WebhookRejected(`unknown hook type ${hook_type}`);
  }
  const sequence = countOf(request, 'x-hook-sequence');
  if (sequence === 0) throw new WebhookRejected('the header x-hook-sequence counts from 1');
  const event = { sequence, hook_type, body: parsed(text) } as RunEvent;
  idsOfEvents.set(event, id);
  return { id, attempt: countOf(request, 'x-hook-attempt'), event };
}
