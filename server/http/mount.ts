/**
 * Turns rows of the endpoint table into Express routes: one line of checks in the order of
 * decision D6, from what is cheap and tells little to what is costly and tells much. Handlers hold
 * no check that a row can state.
 */
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { limits } from '../../contract/limits.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import { isAllowed, wrongStateDetails } from '../../contract/robot-states.ts';
import { type Dialect, ROUTES, type RouteId, type RouteRow } from '../../contract/routes.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import { validate } from '../../contract/validator.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import { StorageError } from '../store/durable-file.ts';
import { askedOf } from './asked.ts';
import { announcesBody, contentTypeRefusal, parseJson, readBody } from './body.ts';
import { type DialectSetting, dialectOf } from './dialect.ts';
import { sendJson, sendRefusal } from './error-reply.ts';
import type { Answer, Call, Handlers, Reply, SessionCall } from './handler.ts';
import { bearerOf, type Identity, identify } from './identity.ts';
import type { Rooms } from './rooms.ts';

export interface MountOptions {
  readonly rooms: Rooms;
  readonly handlers: Handlers;
  readonly dialect: DialectSetting;
  /** Null once go_to works; a reason before. */
  readonly notReady: () => string | null;
  /** Value of the X-Armtwin header for a dialect (decision D4). */
  readonly banner: (dialect: Dialect) => string;
  /** Holds a finished reply back; answers false for one that shall never leave. */
  readonly beforeReply?: (request: Request) => Promise<boolean>;
  /** Told of handlers that throw: a bug, never a refusal. */
  readonly onBug: (error: unknown, row: RouteRow | null) => void;
}

type AnyHandler = (call: Call, rooms: Rooms) => Answer | Promise<Answer>;

/** The id of a path parameter, or null when it is no positive integer. */
function parametersOf(request: Request): Record<string, number> | null {
  const values: Record<string, number> = {};
  for (const [name, text] of Object.entries(request.params)) {
    const value = Number(text);
    if (!/^[0-9]{1,15}$/.test(String(text)) || !Number.isSafeInteger(value)) return null;
    values[name] = value;
  }
  return values;
}

/** What the row asks for after the question mark, or what is wrong with it. */
function queryOf(row: RouteRow, { query }: Request): Result<Record<string, number>, Refusal> {
  const values: Record<string, number> = {};
  for (const name of Object.keys(row.query ?? {})) {
    const text = query[name];
    if (text === undefined) continue;
    if (typeof text !== 'string' || !/^[0-9]{1,15}$/.test(text)) {
      const problem = 'must be one whole number';
      return failure(refuse('invalid_arguments', [{ path: `?${name}`, problem }]));
    }
    values[name] = Number(text);
  }
  return success(values);
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

async function bodyOf(
  row: RouteRow,
  request: Request,
  { dialect, wall }: { readonly dialect: Dialect; readonly wall: WallClock },
): Promise<Checked | Refusal> {
  const isUsual = row.timeout_s === limits.call_default_s;
  const limit_s = isUsual ? limits.body_default_s : row.timeout_s;
  const bounds = { limit_bytes: row.bodyLimit_bytes, limit_s, wall };
  if (row.carries === 'package') {
    const bytes = await readBody(request, bounds);
    return 'refused' in bytes ? bytes : { body: bytes, ignored: [] };
  }
  if (!row.body && !announcesBody(request)) return { body: undefined, ignored: [] };
  const bytes = await readBody(request, bounds);
  if ('refused' in bytes) return bytes;
  const parsed = parseJson(bytes);
  if ('refused' in parsed) return parsed;
  const schema = (row.body ?? 'Nothing') as SchemaId;
  const result = validate(schema, parsed.value, { dialect });
  if (!result.ok) return refuse('invalid_arguments', result.error);
  return { body: result.value.value, ignored: result.value.ignored };
}

class Pipeline {
  private readonly row: RouteRow;
  private readonly handler: AnyHandler;
  private readonly options: MountOptions;

  constructor(row: RouteRow, handler: AnyHandler, options: MountOptions) {
    this.row = row;
    this.handler = handler;
    this.options = options;
  }

  /** Answers one request; never rejects. */
  async serve(request: Request, response: Response): Promise<void> {
    const dialect = dialectOf(this.options.dialect, request.headers['user-agent']);
    let result: Answer;
    try {
      result = await withTimeout(
        this.run(request, response, dialect),
        this.row.timeout_s * 1000,
        this.options.rooms.wall,
      );
    } catch (error) {
      this.options.onBug(error, this.row);
      const storage = error instanceof StorageError;
      result = storage ? refuse('storage_failed', 'Nothing has changed') : refuse('internal');
    }
    const { beforeReply } = this.options;
    if (beforeReply && !(await beforeReply(request))) {
      request.socket.destroy();
      return;
    }
    if (response.headersSent || response.destroyed) return;
    if ('refused' in result) sendRefusal(response, result);
    else this.send(response, result, dialect);
  }

  private send(response: Response, { reply, text }: Reply, dialect: Dialect): void {
    const status = this.row.status[dialect];
    if (status === 204) response.status(204).end();
    else if (text) {
      response.status(status).type('application/json; charset=utf-8');
      for (const piece of text) response.write(piece);
      response.end();
    } else sendJson(response, status, reply);
  }

  private async run(request: Request, response: Response, dialect: Dialect): Promise<Answer> {
    const { row } = this;
    const { rooms } = this.options;
    const parameters = parametersOf(request);
    if (!parameters) return refuse('unknown_path', `${request.path}: ids are positive integers`);
    const wrongType = contentTypeRefusal(row, request, dialect);
    if (wrongType) return wrongType;
    const identity = this.identityOf(request);
    if (identity && 'refused' in identity) return identity;
    const asked = askedOf(response);
    asked.user_id = identity?.caller.user_id ?? null;
    if (identity) response.setHeader('X-Armtwin-User', String(identity.caller.user_id));
    const checked = await bodyOf(row, request, { dialect, wall: rooms.wall });
    if ('refused' in checked) return checked;
    asked.body = checked.body;
    if (checked.ignored.length > 0) {
      response.setHeader('X-Armtwin-Ignored', checked.ignored.join(', ').slice(0, 1000));
    }
    const query = queryOf(row, request);
    if (!query.ok) return query.error;
    const refusal =
      objectRefusal(parameters, identity, rooms) ?? robotRefusal(row, identity, rooms);
    if (refusal) return refusal;
    const address = request.socket.remoteAddress ?? '';
    const { body } = checked;
    const call: Call = { row, body, parameters, query: query.value, dialect, address };
    return this.handler(identity ? ({ ...call, ...identity } as SessionCall) : call, rooms);
  }

  private identityOf(request: Request): Identity | Refusal | null {
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

/** The work's answer, or a refusal when it takes longer than the row allows. */
function withTimeout(work: Promise<Answer>, limit_ms: number, wall: WallClock): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = wall.afterUnreferenced(limit_ms, () => {
      resolve(refuse('timed_out', `Not done within ${limit_ms / 1000} s`));
    });
    work.then(resolve, reject).finally(cancel);
  });
}

/** `/users/{id}` as Express writes it. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Says who answers, and lets nothing pass before the arm is ready. */
export function readyGate(options: MountOptions): RequestHandler {
  return (request, response, next) => {
    const dialect = dialectOf(options.dialect, request.headers['user-agent']);
    response.setHeader('X-Armtwin', options.banner(dialect));
    const reason = options.notReady();
    if (reason === null) next();
    else sendRefusal(response, refuse('not_ready', reason));
  };
}

/** First steps of the paths of calls, as `/api/`: no page lies below them. */
const CALL_PREFIXES = [
  ...new Set(ROUTES.map(({ path }) => path.slice(0, path.indexOf('/', 1) + 1))),
];

/** Whether a call was meant, known or not. */
export function isCall(url: string): boolean {
  return CALL_PREFIXES.some((prefix) => url.startsWith(prefix));
}

/**
 * Mounts every row that has a handler, and what answers 405 for the rest. Calls whose path holds no
 * value are found in a table: a router tries its routes one after another.
 */
export function mountRoutes(app: Express, options: MountOptions): void {
  const gate = readyGate(options);
  const direct = new Map<string, Pipeline>();
  const router = express.Router({ caseSensitive: true });
  app.use((request, response, next) => {
    if (!isCall(request.url)) {
      next();
      return;
    }
    gate(request, response, () => {
      const found = direct.get(`${request.method} ${request.url}`);
      if (found) found.serve(request, response);
      else router(request, response, next);
    });
  });
  const methods = new Map<string, string[]>();
  for (const row of ROUTES as readonly RouteRow[]) {
    const handler = options.handlers[row.id as RouteId] as AnyHandler | undefined;
    if (!handler) continue;
    const pipeline = new Pipeline(row, handler, options);
    if (!row.path.includes('{')) direct.set(`${row.method} ${row.path}`, pipeline);
    const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    router[method](expressPath(row.path), (request, response) => pipeline.serve(request, response));
    methods.set(row.path, [...(methods.get(row.path) ?? []), row.method]);
  }
  for (const [path, allowed] of methods) {
    router.all(expressPath(path), (request, response) => {
      response.setHeader('Allow', allowed.join(', '));
      const text = `${request.method} is not possible on ${request.path}; use ${allowed.join(', ')}`;
      sendRefusal(response, refuse('method_not_allowed', text));
    });
  }
}
