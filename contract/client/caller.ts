/**
 * Sends one HTTP call, parses its reply and manages the session (spec §3.3, §5). Replaces an
 * expired session at most once a call, when the client has a token or a log-in.
 */
import { type RouteId, type RouteRow, routeOf } from '../routes.ts';
import { ArmError } from './arm-error.ts';
import { addressOf, type CallParts } from './call-parts.ts';

/** The credentials of a client. */
export interface ClientCredentials {
  /** An API token; the client creates sessions from it and replaces expired ones. */
  readonly token?: string;
  /** E-mail and password, in place of an API token. */
  readonly logIn?: { readonly email: string; readonly password: string };
  /** An existing session token. */
  readonly session?: string;
}

/** What a call sends beside its address. */
export interface CallContent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** No redirect is followed: it would take tokens and passwords to another host. */
  readonly redirect: 'manual';
}

/** What the client uses of a reply. */
interface FetchedReply {
  readonly status: number;
  /** Browsers hide a redirect behind the type `opaqueredirect`. */
  readonly type?: string;
  readonly headers?: { get(name: string): string | null };
  text(): Promise<string>;
}

/** What the client needs of fetch. */
export type ClientFetch = (url: string, content: CallContent) => Promise<FetchedReply>;

export interface CallerOptions extends ClientCredentials {
  readonly baseUrl: string;
  readonly fetch: ClientFetch;
}

export interface SessionCaller {
  /** Resolves to the parsed reply, undefined without one; rejects with ArmError on refusal. */
  call(id: RouteId, parts: CallParts): Promise<unknown>;
  /** The session token in use; creates a session if there is none yet. */
  session(): Promise<string>;
  /** Discards the session; the next call creates a new one. */
  forget(): void;
}

interface RawReply {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

interface SessionState {
  token: string | null;
  /** The session being created; concurrent calls share it. */
  making: Promise<string> | null;
}

function contentOf(row: RouteRow, body: unknown): Pick<CallContent, 'headers' | 'body'> {
  if (row.carries === 'package') {
    const headers = { 'Content-Type': 'application/x.automata-update' };
    return { headers, body: body as Uint8Array<ArrayBuffer> };
  }
  if (body === undefined) return { headers: {} };
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Why a connection failed, such as ECONNREFUSED, in brackets; browsers hide it. */
function reasonOf(failure: unknown): string {
  const { cause } = Object(failure) as { readonly cause?: { code?: unknown; message?: unknown } };
  const reason = cause?.code ?? cause?.message;
  return typeof reason === 'string' ? ` (${reason})` : '';
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** Throws where a reply leads to another address. */
function requireNoRedirect(where: string, { status, type, headers }: FetchedReply): void {
  if (!REDIRECTS.includes(status) && type !== 'opaqueredirect') return;
  const code = status === 0 ? '' : `${status} with `;
  const target = headers?.get('location') ?? 'another address';
  throw new Error(
    `${where} answered ${code}a redirect to ${target}; give the address of the arm itself`,
  );
}

async function send(
  options: CallerOptions,
  row: RouteRow,
  { parts, session }: { readonly parts: CallParts; readonly session: string | null },
): Promise<RawReply> {
  const { headers, body } = contentOf(row, parts.body);
  if (session !== null) headers['Authorization'] = `Bearer ${session}`;
  const url = options.baseUrl + addressOf(row, parts);
  const content = body === undefined ? {} : { body };
  const reply = await options
    .fetch(url, { method: row.method, headers, ...content, redirect: 'manual' })
    .catch((cause: unknown) => {
      throw new Error(`${row.id}: ${options.baseUrl} does not answer${reasonOf(cause)}`, { cause });
    });
  requireNoRedirect(`${row.id}: ${options.baseUrl}`, reply);
  const text = await reply.text();
  return { status: reply.status, text, body: parsed(text) };
}

const QUOTED_MAX = 60;

/** What a service has answered that is no arm, in a few words. */
function answerOf(text: string): string {
  if (text.trim() === '') return 'nothing';
  if (/^\s*<(!doctype|html)/i.test(text)) return 'a web page';
  return text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text;
}

/** What a header can carry. */
const SESSION = /^[\x20-\x7e]+$/;

async function makeSession(options: CallerOptions): Promise<string> {
  const id = options.token === undefined ? 'logIn' : 'createSession';
  const body = options.token === undefined ? options.logIn : { token: options.token };
  const reply = await send(options, routeOf(id), { parts: { body }, session: null });
  if (reply.status !== 200) throw new ArmError({ route: id, ...reply });
  const { token }: { readonly token?: unknown } = Object(reply.body);
  if (typeof token === 'string' && SESSION.test(token)) return token;
  const found = answerOf(reply.text);
  throw new Error(`${id}: ${options.baseUrl} is no arm: it answered without a session: ${found}`);
}

/** A caller that keeps itself logged in. It sends nothing before the first call. */
export function createCaller(options: CallerOptions): SessionCaller {
  const state: SessionState = { token: options.session ?? null, making: null };
  const canLogIn = options.token !== undefined || options.logIn !== undefined;

  async function session(): Promise<string> {
    if (state.token !== null) return state.token;
    state.making ??= makeSession(options).finally(() => {
      state.making = null;
    });
    state.token = await state.making;
    return state.token;
  }

  async function attempt(row: RouteRow, parts: CallParts): Promise<RawReply> {
    if (row.auth === 'none') return send(options, row, { parts, session: null });
    const used = state.token === null && !canLogIn ? null : await session();
    const reply = await send(options, row, { parts, session: used });
    if (reply.status !== 401 || !canLogIn) return reply;
    if (state.token === used) state.token = null;
    return send(options, row, { parts, session: await session() });
  }

  return {
    session,
    forget: () => {
      state.token = null;
    },
    async call(id, parts) {
      const row = routeOf(id);
      const reply = await attempt(row, parts);
      const fine = reply.status === row.status.documented || reply.status === row.status.fielded;
      if (!fine) throw new ArmError({ route: id, ...reply });
      if (row.media) return reply.text;
      return row.reply === undefined ? undefined : reply.body;
    },
  };
}
