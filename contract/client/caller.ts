/**
 * Sends one call and reads its reply; keeps the session that the calls need. A session that has
 * ended is replaced once a call, where the client knows how (spec §3.3, §5).
 */
import { fillPath, type RouteId, type RouteRow, routeOf } from '../routes.ts';
import { ArmError } from './arm-error.ts';

/** How a client proves who it is. */
export interface Identity {
  /** An API token: sessions are made from it, again whenever one ends. */
  readonly token?: string;
  /** E-mail and password, in place of an API token. */
  readonly logIn?: { readonly email: string; readonly password: string };
  /** A session token made elsewhere. */
  readonly session?: string;
}

export interface CallerOptions extends Identity {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

/** What a call carries. */
export interface CallParts {
  readonly parameters?: { readonly [name: string]: number };
  readonly query?: { readonly [name: string]: number | undefined };
  readonly body?: unknown;
}

export interface Caller {
  /** Resolves to the parsed reply, undefined without one; rejects with ArmError on refusal. */
  call(id: RouteId, parts: CallParts): Promise<unknown>;
  /** The session token in use; makes a session if there is none yet. */
  session(): Promise<string>;
  /** Forgets the session, so that the next call makes a new one. */
  forget(): void;
}

interface RawReply {
  readonly status: number;
  readonly body: unknown;
}

interface SessionState {
  token: string | null;
  /** The session being made: calls that need one at the same time share it. */
  making: Promise<string> | null;
}

function contentOf(
  row: RouteRow,
  body: unknown,
): { headers: Record<string, string>; body?: BodyInit } {
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

/** The arguments of a call by what they are: values of the path, body, query. */
export function partsOf(row: RouteRow, given: readonly unknown[]): CallParts {
  const rest = [...given];
  const parameters = row.path.includes('{') ? rest.shift() : {};
  const body = row.body !== undefined || row.carries === 'package' ? rest.shift() : undefined;
  const query = row.query === undefined ? {} : (rest.shift() ?? {});
  return { parameters, body, query } as CallParts;
}

/** Path and query of a call. */
export function addressOf(row: RouteRow, { parameters = {}, query = {} }: CallParts): string {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = asked.map(([name, value]) => `${name}=${value}`).join('&');
  return fillPath(row.path, parameters) + (text && `?${text}`);
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
  const reply = await options.fetch(url, { method: row.method, headers, ...content });
  return { status: reply.status, body: parsed(await reply.text()) };
}

async function makeSession(options: CallerOptions): Promise<string> {
  const id = options.token === undefined ? 'logIn' : 'createSession';
  const body = options.token === undefined ? options.logIn : { token: options.token };
  const reply = await send(options, routeOf(id), { parts: { body }, session: null });
  if (reply.status !== 200) throw new ArmError({ route: id, ...reply });
  return (reply.body as { readonly token: string }).token;
}

/** A caller that knows how to stay logged in. Nothing is sent before the first call. */
export function createCaller(options: CallerOptions): Caller {
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
      return row.reply === undefined ? undefined : reply.body;
    },
  };
}
