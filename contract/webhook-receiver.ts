/**
 * For receivers of webhooks: checks the signature of a delivery, and finds doubles and gaps among
 * the events of each run. It needs no Node module, so it runs wherever fetch and Web Crypto do
 * (webhooks §2.3, §4; signatures as in Standard Webhooks).
 */
import { HOOK_TYPE_NAMES } from './hooks/hook-types.ts';
import type { HookTypeName, RunEvent } from './types.generated.ts';

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

/** Ids of messages that an inbox remembers; it forgets the oldest ones first. */
export const REMEMBERED_IDS = 10_000;
/** Numbers that `missing` lists at most, the lowest ones: a forged number may be a huge one. */
export const LISTED_GAPS = 1_000;

/** The signed ids of the messages that brought events, for inboxes. */
const idsOfEvents = new WeakMap<RunEvent, string>();

const DEFAULT_TOLERANCE_S = 300;

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

/** A value for a message; never used for secrets. */
function shown(value: unknown): string {
  return typeof value === 'string' ? `the string "${value}"` : String(value);
}

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
      `now_ms needs the time in ms, as Date.now() gives it, not ${shown(now_ms)}`,
    );
  }
  if (!Number.isFinite(tolerance_s) || tolerance_s < 0) {
    const given = shown(tolerance_s);
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

/** What a receiver does with an event. */
export interface TakenEvent {
  /** `new`: act on it. `double`: it was taken before; answer 2xx and do nothing. */
  readonly state: 'new' | 'double';
  /** True for a new event that comes after a later one of its run. */
  readonly isLate: boolean;
  /**
   * Sequence numbers before it that have not come, at most `LISTED_GAPS`. They may belong to hooks
   * that the receiver does not have; `reconcile` finds out.
   */
  readonly missing: readonly number[];
}

/** One page of the log of a run, as `GET /workflow/v1/runs/{run_id}/events?after=` answers. */
export type FetchEvents = (
  run_id: string,
  after: number,
) => Promise<{ readonly events: readonly RunEvent[]; readonly next: number | null }>;

interface RunState {
  /** Every event up to this number has been taken, or is none of this receiver. */
  complete: number;
  /** The taken ones above. */
  readonly taken: Set<number>;
  last: number;
}

/** Throws for a list with a word that is no type of hook: no event would ever be recovered. */
function checkTypes(types: readonly HookTypeName[]): void {
  const needs = `RunEventInbox needs a list of hook types; there are ${HOOK_TYPE_NAMES.join(', ')}`;
  if (!Array.isArray(types)) throw new TypeError(needs);
  const unknown = types.find((type) => !HOOK_TYPE_NAMES.includes(type));
  if (unknown !== undefined) throw new TypeError(`${needs}, not ${shown(unknown)}`);
}

function checkRun(run_id: unknown): void {
  if (typeof run_id === 'string' && run_id !== '') return;
  throw new TypeError(`run_id needs the id of a run as a string, not ${shown(run_id)}`);
}

function checkEvent(event: RunEvent): void {
  if (!isObject(event) || !isObject(event.body)) {
    throw new TypeError('an inbox takes an event, as verifyWebhook and the log of a run give it');
  }
  const { sequence, body } = event;
  if (!Number.isSafeInteger(sequence) || sequence < 1) {
    throw new TypeError(`sequence needs a whole number, at least 1, not ${shown(sequence)}`);
  }
  checkRun(body.run_id);
}

/**
 * The events that a receiver has taken, by run. A double is an event whose sequence number has
 * been taken, or whose message has: the number is from a header that is not signed, so that a
 * signed message may arrive again with another one.
 */
export class RunEventInbox {
  private readonly runs = new Map<string, RunState>();
  private readonly types: ReadonlySet<string>;
  /** The latest ids of messages, oldest first. */
  private readonly ids = new Set<string>();

  /** `types` are the hooks of the receiver; default all. */
  constructor(types: readonly HookTypeName[] = HOOK_TYPE_NAMES) {
    checkTypes(types);
    this.types = new Set(types);
  }

  /** Whether a message came before; remembers it. */
  private isKnown(id: string): boolean {
    if (this.ids.has(id)) return true;
    this.ids.add(id);
    if (this.ids.size > REMEMBERED_IDS) {
      const [oldest] = this.ids;
      this.ids.delete(oldest!);
    }
    return false;
  }

  private stateOf(run_id: string): RunState {
    const known = this.runs.get(run_id);
    if (known) return known;
    const made = { complete: 0, taken: new Set<number>(), last: 0 };
    this.runs.set(run_id, made);
    return made;
  }

  private settle(state: RunState): void {
    while (state.taken.delete(state.complete + 1)) state.complete += 1;
  }

  private skipTo(state: RunState, sequence: number): void {
    for (const one of state.taken) if (one <= sequence) state.taken.delete(one);
    state.complete = Math.max(state.complete, sequence);
    this.settle(state);
  }

  private gapsOf({ complete, taken }: RunState, before: number): number[] {
    const missing: number[] = [];
    for (let one = complete + 1; one < before && missing.length < LISTED_GAPS; one++) {
      if (!taken.has(one)) missing.push(one);
    }
    return missing;
  }

  /**
   * Takes an event: new or double, late or not, and what is missing before it. `id` is the id of
   * its message; it need not be given for the `event` that `verifyWebhook` returned.
   */
  take(event: RunEvent, id?: string): TakenEvent {
    checkEvent(event);
    const { sequence, body } = event;
    const message = id ?? idsOfEvents.get(event);
    const isRepeated = message !== undefined && this.isKnown(message);
    const state = this.stateOf(body.run_id);
    const isTaken = sequence <= state.complete || state.taken.has(sequence);
    if (isRepeated || isTaken) return { state: 'double', isLate: false, missing: [] };
    const isLate = sequence < state.last;
    const missing = this.gapsOf(state, sequence);
    state.taken.add(sequence);
    state.last = Math.max(state.last, sequence);
    this.settle(state);
    return { state: 'new', isLate, missing };
  }

  /**
   * The sequence numbers of a run that have not come although later ones have, or that were given
   * back; at most `LISTED_GAPS`.
   */
  missing(run_id: string): number[] {
    checkRun(run_id);
    const state = this.runs.get(run_id);
    return state ? this.gapsOf(state, state.last + 1) : [];
  }

  /**
   * Reads the log of a run from the first gap on and takes what has not come; returns those events
   * in order. What belongs to hooks that the receiver does not have is no longer missing. Rejects
   * with the error of `fetchEvents`, and takes nothing then.
   */
  async reconcile(run_id: string, fetchEvents: FetchEvents): Promise<RunEvent[]> {
    checkRun(run_id);
    const state = this.stateOf(run_id);
    const logged: RunEvent[] = [];
    const from = state.complete;
    let after: number | null = from;
    while (after !== null) {
      const page: Awaited<ReturnType<FetchEvents>> = await fetchEvents(run_id, after);
      logged.push(...page.events);
      after = page.next;
    }
    // The log of a long run has lost its oldest events.
    const [first] = logged;
    if (first && first.sequence > from + 1) this.skipTo(state, first.sequence - 1);
    const isFound = (event: RunEvent) =>
      this.take(event).state === 'new' && this.types.has(event.hook_type);
    return logged.filter(isFound);
  }

  /**
   * Gives an event back that was taken and could not be processed: it is new when it comes again,
   * and missing until then.
   */
  giveBack(event: RunEvent, id?: string): void {
    checkEvent(event);
    const { sequence, body } = event;
    const message = id ?? idsOfEvents.get(event);
    if (message !== undefined) this.ids.delete(message);
    const state = this.stateOf(body.run_id);
    for (let one = sequence + 1; one <= state.complete; one++) state.taken.add(one);
    state.complete = Math.min(state.complete, sequence - 1);
    state.taken.delete(sequence);
  }

  /** Forgets a run that has stopped. */
  forget(run_id: string): void {
    this.runs.delete(run_id);
  }
}
