/**
 * One call from its request to its reply: a line of checks in the order of decision D6, from what
 * is cheap and tells little to what is costly and tells much. Handlers hold no check that a row can
 * state. Knows node's requests alone, so that calls whose path says all need no router.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../contract/limits.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import { isAllowed, wrongStateDetails } from '../../contract/robot-states.ts';
import type { Dialect, RouteRow } from '../../contract/routes.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import { validate } from '../../contract/validator.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import { StorageError } from '../store/durable-file.ts';
import { askedOf } from './asked.ts';
import { announcesBody, contentTypeRefusal, parseJson, readBody } from './body.ts';
import { type Deadline, withTimeout } from './deadline.ts';
import { type DialectSetting, dialectOf } from './dialect.ts';
import { sendJson, sendRefusal, sendText } from './error-reply.ts';
import type { Answer, Call, Handlers, Reply, SessionCall } from './handler.ts';
import { bearerOf, type Identity, identify } from './identity.ts';
import type { Rooms } from './rooms.ts';

/** What was called, without what stands after the question mark. */
export interface AskedCall {
  readonly method: string;
  readonly path: string;
}

export interface PipelineOptions {
  readonly rooms: Rooms;
  readonly handlers: Handlers;
  readonly dialect: DialectSetting;
  /** Null once go_to works; a reason before. */
  readonly notReady: () => string | null;
  /** Value of the X-Armtwin header for a dialect (decision D4). */
  readonly banner: (dialect: Dialect) => string;
  /** Holds a finished reply back; answers false for one that shall never leave. */
  readonly beforeReply?: (call: AskedCall) => boolean | Promise<boolean>;
  /** Told of handlers that throw: a bug, never a refusal. */
  readonly onBug: (error: unknown, row: RouteRow | null) => void;
}

export type AnyHandler = (call: Call, rooms: Rooms) => Answer | Promise<Answer>;

/** The ids of a path, or null when one is no positive integer. */
function parametersOf(texts: Readonly<Record<string, unknown>>): Record<string, number> | null {
  const values: Record<string, number> = {};
  for (const name of Object.keys(texts)) {
    const text = String(texts[name]);
    const value = Number(text);
    if (!/^[0-9]{1,15}$/.test(text) || !Number.isSafeInteger(value)) return null;
    values[name] = value;
  }
  return values;
}

const NO_VALUES: Readonly<Record<string, number>> = {};

/** What the row asks for after the question mark, or what is wrong with it. */
function queryOf(row: RouteRow, url: string): Result<Readonly<Record<string, number>>, Refusal> {
  if (!row.query) return success(NO_VALUES);
  const given = new URLSearchParams(url.slice(pathOf(url).length));
  const values: Record<string, number> = {};
  for (const [name, bounds] of Object.entries(row.query)) {
    const [text, ...more] = given.getAll(name);
    if (text === undefined) continue;
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
    const { minimum, maximum = Number.MAX_SAFE_INTEGER } = bounds;
    if (more.length > 0 || !(value >= minimum && value <= maximum)) {
      const upTo = bounds.maximum === undefined ? '' : `, at most ${maximum}`;
      const problem = `must be one whole number, at least ${minimum}${upTo}`;
      return failure(refuse('invalid_arguments', [{ path: `?${name}`, problem }]));
    }
    values[name] = value;
  }
  return success(values);
}

/** A URL up to its question mark. */
export function pathOf(url = ''): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Objects that paths name: unknown ones, and other people's, do not exist (spec §2.1). */
function objectRefusal(
  parameters: Readonly<Record<string, number>>,
  identity: Identity | null,
  rooms: Rooms,
): Refusal | null {
  const { toolpath_id, user_id } = parameters;
  if (toolpath_id !== undefined && identity) {
    const found = rooms.library.find(identity.caller.user_id, toolpath_id);
    if (!found) return refuse('not_found', `You have no toolpath ${toolpath_id}`);
  }
  if (user_id !== undefined && !rooms.people.find(user_id)) {
    return refuse('not_found', `There is no user ${user_id}`);
  }
  return null;
}

function robotRefusal(row: RouteRow, identity: Identity | null, rooms: Rooms): Refusal | null {
  if (row.lock && identity && !rooms.robot.holdsLock(identity.caller)) {
    return refuse('lock_not_held');
  }
  if (!row.command) return null;
  const { state } = rooms.robot.memory;
  if (isAllowed(row.command, state)) return null;
  return refuse('wrong_state', wrongStateDetails(row.command, state));
}

interface Checked {
  readonly body: unknown;
  readonly ignored: readonly string[];
}

const NO_BODY: Checked = { body: undefined, ignored: [] };

/** Whether anything is to be read before the call can be answered. */
function readsBody(row: RouteRow, request: IncomingMessage): boolean {
  return row.carries === 'package' || row.body !== undefined || announcesBody(request);
}

async function bodyOf(
  row: RouteRow,
  request: IncomingMessage,
  { dialect, wall }: { readonly dialect: Dialect; readonly wall: WallClock },
): Promise<Checked | Refusal> {
  const isUsual = row.timeout_s === limits.call_default_s;
  const limit_s = isUsual ? limits.body_default_s : row.timeout_s;
  const bytes = await readBody(request, { limit_bytes: row.bodyLimit_bytes, limit_s, wall });
  if ('refused' in bytes) return bytes;
  if (row.carries === 'package') return { body: bytes, ignored: [] };
  const parsed = parseJson(bytes);
  if ('refused' in parsed) return parsed;
  const schema = (row.body ?? 'Nothing') as SchemaId;
  const result = validate(schema, parsed.value, { dialect });
  if (!result.ok) return refuse('invalid_arguments', result.error);
  return { body: result.value.value, ignored: result.value.ignored };
}

/** A request on its way through the checks. */
interface Passing {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly dialect: Dialect;
  readonly parameters: Readonly<Record<string, number>>;
  readonly identity: Identity | null;
  readonly deadline: Deadline;
}

const NO_TEXTS: Readonly<Record<string, unknown>> = {};

export class Pipeline {
  private readonly row: RouteRow;
  private readonly handler: AnyHandler;
  private readonly options: PipelineOptions;

  constructor(row: RouteRow, handler: AnyHandler, options: PipelineOptions) {
    this.row = row;
    this.handler = handler;
    this.options = options;
  }

  /**
   * Answers one request; never throws. `texts` are the values that its path holds. What can be
   * answered at once is: a promise and a timer cost more than many a handler.
   */
  serve(request: IncomingMessage, response: ServerResponse, texts = NO_TEXTS): void {
    const dialect = dialectOf(this.options.dialect, request.headers['user-agent']);
    askedOf(response).route = this.row.id;
    const finish = (answer: Answer) => this.reply({ request, response }, answer, dialect);
    const deadline = { passed: false };
    try {
      const answer = this.run({ request, response, dialect, deadline }, texts);
      if (!(answer instanceof Promise)) finish(answer);
      else {
        const { wall } = this.options.rooms;
        const failed = (error: unknown) => finish(this.failed(error));
        withTimeout(answer, { limit_s: this.row.timeout_s, wall, deadline }).then(finish, failed);
      }
    } catch (error) {
      finish(this.failed(error));
    }
  }

  private failed(error: unknown): Refusal {
    this.options.onBug(error, this.row);
    const isStorage = error instanceof StorageError;
    return isStorage ? refuse('storage_failed', 'Nothing has changed') : refuse('internal');
  }

  private reply(
    { request, response }: Pick<Passing, 'request' | 'response'>,
    answer: Answer,
    dialect: Dialect,
  ): void {
    const { method = '', url } = request;
    const leaves = this.options.beforeReply?.({ method, path: pathOf(url) }) ?? true;
    const go = (isSent: boolean) => {
      if (!isSent) request.socket.destroy();
      else if (response.headersSent || response.destroyed) return;
      else if ('refused' in answer) sendRefusal(response, answer);
      else this.send(response, answer, dialect);
    };
    if (leaves instanceof Promise) void leaves.then(go);
    else go(leaves);
  }

  private send(response: ServerResponse, { reply, text }: Reply, dialect: Dialect): void {
    const status = this.row.status[dialect];
    if (status === 204) {
      response.statusCode = status;
      response.end();
    } else if (typeof text === 'string') sendText(response, status, text);
    else if (text) {
      response.statusCode = status;
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      for (const piece of text) response.write(piece);
      response.end();
    } else sendJson(response, status, reply);
  }

  private run(
    asked: Pick<Passing, 'request' | 'response' | 'dialect' | 'deadline'>,
    texts: typeof NO_TEXTS,
  ): Answer | Promise<Answer> {
    const { row } = this;
    const { request, response, dialect } = asked;
    const { wall } = this.options.rooms;
    const parameters = parametersOf(texts);
    if (!parameters) {
      return refuse('unknown_path', `${pathOf(request.url)}: ids are positive integers`);
    }
    const wrongType = contentTypeRefusal(row, request, dialect);
    if (wrongType) return wrongType;
    const identity = this.identityOf(request);
    if (identity && 'refused' in identity) return identity;
    askedOf(response).user_id = identity?.caller.user_id ?? null;
    if (identity) response.setHeader('X-Armtwin-User', String(identity.caller.user_id));
    const passing = { ...asked, parameters, identity };
    if (!readsBody(row, request)) return this.handle(passing, NO_BODY);
    const reading = bodyOf(row, request, { dialect, wall });
    return reading.then((read) => ('refused' in read ? read : this.handle(passing, read)));
  }

  private handle(passing: Passing, { body, ignored }: Checked): Answer | Promise<Answer> {
    const { row } = this;
    const { rooms } = this.options;
    const { request, response, dialect, parameters, identity, deadline } = passing;
    askedOf(response).body = body;
    if (ignored.length > 0) {
      // Whoever sends unknown fields chooses their names; a header takes no more than ASCII.
      const names = ignored.join(', ').replace(/[^ -~]/g, '?');
      response.setHeader('X-Armtwin-Ignored', names.slice(0, 1000));
    }
    const query = queryOf(row, request.url ?? '');
    if (!query.ok) return query.error;
    const refusal =
      objectRefusal(parameters, identity, rooms) ?? robotRefusal(row, identity, rooms);
    if (refusal) return refusal;
    const address = request.socket.remoteAddress ?? '';
    const asked = { body, parameters, query: query.value };
    const call: Call = { row, ...asked, dialect, address, deadline };
    return this.handler(identity ? ({ ...call, ...identity } as SessionCall) : call, rooms);
  }

  private identityOf(request: IncomingMessage): Identity | Refusal | null {
    if (this.row.auth === 'none') return null;
    const secret = bearerOf(request.headers.authorization);
    if (typeof secret !== 'string') return secret;
    const identity = identify(secret, this.options.rooms);
    if (!identity) {
      return refuse('not_authenticated', 'The session token is unknown or has expired; log in');
    }
    if (this.row.role === 'admin' && identity.caller.role !== 'admin') {
      return refuse('role_too_low');
    }
    return identity;
  }
}
