/**
 * The request pipeline: checks a request in the order of D6, from cheap checks that reveal little
 * to costly ones, then calls the route's handler and sends the reply. Handlers repeat no check
 * that a route's row states. It uses Node's requests only, so that calls can bypass the router.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { type Dialect, ROUTES, type RouteId, type RouteRow } from '../../../contract/routes.ts';
import { CallbackError } from '../../clock/clock.ts';
import { runDueTicks } from '../../clock/pacer.ts';
import type { ReadBody } from '../../documents/body-task.ts';
import { stateRefusal } from '../../robot/state-refusal.ts';
import type { LateError } from '../../store/guard.ts';
import { StorageError } from '../../store/storage-error.ts';
import { UNKNOWN_SESSION } from '../sessions/sessions.ts';
import {
  authorizationOf,
  bearerToken,
  type Identity,
  type IdentityRefusal,
  identify,
} from './authentication.ts';
import type { Call, SessionCall } from './call.ts';
import { contentTypeRefusal } from './content-type.ts';
import { type Deadline, withTimeout } from './deadline.ts';
import { type DialectSetting, dialectOf } from './dialect.ts';
import { sendRefusal } from './error-response.ts';
import { lastEventIdOf, sendFeed } from './event-feed.ts';
import type { Exchange } from './exchange.ts';
import type { AnyHandler, Handlers } from './handler.ts';
import { hasKey, keyedCallOf, type RecordOutcome, recordNothing } from './idempotency.ts';
import type { Answer, Reply } from './reply.ts';
import { endPieces } from './reply-body.ts';
import { absentBody, readAndValidate, readsBody, sizeRefusal } from './request-body.ts';
import {
  type CallTarget,
  type PathParameters,
  parametersOf,
  pathOf,
  queryOf,
} from './request-target.ts';
import { sendFile, sendJson, sendText } from './response.ts';
import type { Services } from './services.ts';

export interface PipelineOptions {
  readonly services: Services;
  readonly handlers: Handlers;
  /** Paths of the event streams, which only WebSocket handshakes open. */
  readonly streams: readonly string[];
  readonly dialect: DialectSetting;
  /** Null when the service is ready for commands, else the reason. */
  readonly notReady: () => string | null;
  /** Delays a finished reply; returns false for a reply that must not be sent. */
  readonly beforeReply?: (call: CallTarget) => boolean | Promise<boolean>;
  /** Whether the SHA-256 of a call's body is recorded. */
  readonly needsBodyHash?: (row: RouteRow) => boolean;
  /** Receives errors that handlers throw; a refusal is never one. */
  readonly onBug: (error: unknown, row: RouteRow | null) => void;
}

/** Refuses objects in the path that are unknown or belong to another user (§2.1). */
function objectRefusal(
  parameters: Readonly<Record<string, number>>,
  identity: Identity | null,
  services: Services,
): Refusal | null {
  const { toolpath_id, user_id } = parameters;
  if (toolpath_id !== undefined && identity) {
    const found = services.library.find(identity.caller.user_id, toolpath_id);
    if (!found) return refuse('not_found', `You have no toolpath ${toolpath_id}`);
  }
  if (user_id !== undefined && !services.users.find(user_id)) {
    return refuse('not_found', `There is no user ${user_id}`);
  }
  return null;
}

function robotRefusal(
  row: RouteRow,
  identity: Identity | null,
  services: Services,
): Refusal | null {
  if (row.lock && identity && !services.robot.holdsLock(identity.caller)) {
    return refuse('lock_not_held');
  }
  return row.command ? stateRefusal(services.robot.memory, row.command) : null;
}

/** A request that the pipeline is processing. */
interface PendingRequest {
  readonly exchange: Exchange;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly dialect: Dialect;
  readonly target: PathParameters;
  readonly identity: Identity | null;
  readonly deadline: Deadline;
}

const NO_PARAMETERS: Readonly<Record<string, unknown>> = {};

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
   * Answers one request; never throws. `pathValues` are the path parameters. A handler that is
   * synchronous is answered synchronously: a promise and a timer cost more than most handlers.
   */
  serve(exchange: Exchange, pathValues = NO_PARAMETERS): void {
    runDueTicks();
    const { request, response } = exchange;
    const dialect = dialectOf(this.options.dialect, request.headers);
    exchange.route = this.row.id;
    const finish = (answer: Answer) => this.reply({ request, response }, answer, dialect);
    const deadline = { passed: false, isLeft: false, isCommitted: false };
    try {
      const answer = this.run({ exchange, request, response, dialect, deadline }, pathValues);
      if (!(answer instanceof Promise)) finish(answer);
      else {
        const { wall } = this.options.services;
        response.once('close', () => {
          deadline.isLeft = true;
        });
        const end = (late: Answer) => {
          runDueTicks();
          finish(late);
        };
        const fail = (error: unknown) => end(this.refusalOf(error));
        withTimeout(answer, { limit_s: this.row.timeout_s, wall, deadline }).then(end, fail);
      }
    } catch (error) {
      finish(this.refusalOf(error));
    }
  }

  private refusalOf(error: unknown): Refusal {
    // A test's own mistake, not the service's; the test hears of it here.
    if (error instanceof CallbackError) return refuse('internal', error.message);
    this.options.onBug(error, this.row);
    if (!(error instanceof StorageError)) return refuse('internal');
    const uncertain = 'It is not known whether the change was saved; look after the next start';
    return refuse('storage_failed', error.isUncertain ? uncertain : 'Nothing has changed');
  }

  private reply(
    { request, response }: Pick<PendingRequest, 'request' | 'response'>,
    answer: Answer,
    dialect: Dialect,
  ): void {
    const { method = '', url } = request;
    const isSent = this.options.beforeReply?.({ method, path: pathOf(url) }) ?? true;
    const send = (allowed: boolean) => {
      if (!allowed) request.socket.destroy();
      else if (response.headersSent || response.destroyed) return;
      else if ('refused' in answer) sendRefusal(response, answer);
      else this.send(response, answer, dialect);
    };
    if (isSent instanceof Promise) void isSent.then(send);
    else send(isSent);
  }

  private send(
    response: ServerResponse,
    { reply, text, file, feed, isRepeated }: Reply,
    dialect: Dialect,
  ): void {
    if (feed) sendFeed(response, feed);
    else if (file) sendFile(response, this.row.media!, file);
    if (feed || file) return;
    if (isRepeated) response.setHeader('Idempotency-Replayed', 'true');
    const status = this.row.status[dialect];
    if (status === 204) {
      response.statusCode = status;
      response.end();
    } else if (typeof text === 'string') sendText(response, status, text);
    else if (text) {
      response.statusCode = status;
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      endPieces(response, text);
    } else sendJson(response, status, reply);
  }

  private run(
    received: Pick<PendingRequest, 'exchange' | 'request' | 'response' | 'dialect' | 'deadline'>,
    pathValues: typeof NO_PARAMETERS,
  ): Answer | Promise<Answer> {
    const { row } = this;
    const { exchange, request, response, dialect } = received;
    const { wall } = this.options.services;
    const target = parametersOf(pathValues);
    if (!target) {
      return refuse('unknown_path', `${pathOf(request.url)}: ids are positive integers`);
    }
    const wrongType = contentTypeRefusal(row, request, dialect);
    if (wrongType) return wrongType;
    const identity = this.identityOf(request, target);
    if (identity && 'refused' in identity) return identity;
    exchange.user_id = identity?.caller.user_id ?? null;
    if (identity) {
      response.setHeader('X-Armtwin-User', String(identity.caller.user_id));
      exchange.connection.isKept = true;
    }
    const pending = { ...received, target, identity };
    if (!readsBody(row, request)) return this.handle(pending, absentBody(row));
    const early = row.carries === 'package' ? this.packageRefusal(pending) : null;
    if (early) return early;
    const { services, needsBodyHash } = this.options;
    const isKeyed = row.creates === true && hasKey(request);
    const needsHash = isKeyed || (needsBodyHash?.(row) ?? false);
    const reading = { dialect, wall, documents: services.documents, needsHash };
    return readAndValidate(row, request, reading).then((read) => {
      runDueTicks();
      if ('refused' in read) return read;
      if (pending.deadline.passed) return refuse('timed_out');
      // The session may have ended while the body arrived.
      const now = this.identityOf(request, target);
      return now && 'refused' in now ? now : this.handle({ ...pending, identity: now }, read);
    });
  }

  /** Refuses an upload before it is read, by its announced size, the lock and the state. */
  private packageRefusal({ request, identity }: PendingRequest): Refusal | null {
    const { row, options } = this;
    return (
      sizeRefusal(request, row.bodyLimit_bytes) ?? robotRefusal(row, identity, options.services)
    );
  }

  private handle(pending: PendingRequest, read: ReadBody): Answer | Promise<Answer> {
    const { exchange, request, response, identity } = pending;
    const { ignored, sha256 } = read;
    exchange.body_sha256 = sha256;
    if (ignored.length > 0) {
      // Clients choose the names of unknown fields; a header can only carry ASCII.
      const names = ignored.join(', ').replace(/[^ -~]/g, '?');
      response.setHeader('X-Armtwin-Ignored', names.slice(0, 1000));
    }
    if (!this.row.creates || !identity) return this.act(pending, read, recordNothing);
    const keyed = keyedCallOf(request, identity.caller.user_id, read);
    if (keyed === null) return this.act(pending, read, recordNothing);
    if ('refused' in keyed) return keyed;
    const { idempotency } = this.options.services;
    return idempotency.once(keyed, (record) => this.act(pending, read, record));
  }

  /** Checks the object, the lock and the state, then calls the handler. */
  private act(
    pending: PendingRequest,
    { body }: ReadBody,
    record: RecordOutcome,
  ): Answer | Promise<Answer> {
    const { row } = this;
    const { services } = this.options;
    const { request, dialect, target, identity, deadline } = pending;
    const query = queryOf(row, request.url ?? '');
    if (!query.ok) return query.error;
    const refusal =
      objectRefusal(target.parameters, identity, services) ?? robotRefusal(row, identity, services);
    if (refusal) return refusal;
    const address = request.socket.remoteAddress ?? '';
    const values = { body, ...target, ...query.value };
    const call: Call = { row, ...values, dialect, address, deadline };
    if (!identity) return this.handler(call, services);
    const recheck = () => this.lateRefusal(pending);
    const lastEventId = lastEventIdOf(request);
    const sessionCall: SessionCall = { ...call, ...identity, recheck, record, lastEventId };
    return this.handler(sessionCall, services);
  }

  /** The refusal of a call whose time is over or whose session has ended; null while it may act. */
  private lateRefusal({ request, target, deadline }: PendingRequest): Refusal<LateError> | null {
    if (deadline.passed) return refuse('timed_out');
    const identity = this.identityOf(request, target);
    if (identity && 'refused' in identity) {
      // A change of role ends the sessions of the user.
      return identity.refused === 'role_too_low'
        ? refuse('not_authenticated', 'The session has ended; log in')
        : { ...identity, refused: identity.refused };
    }
    deadline.isCommitted = true;
    return null;
  }

  private identityOf(
    request: IncomingMessage,
    { parameters }: PathParameters,
  ): Identity | IdentityRefusal | null {
    if (this.row.auth === 'none') return null;
    const secret = bearerToken(authorizationOf(request));
    if (typeof secret !== 'string') return secret;
    const identity = identify(secret, this.options.services);
    if (!identity) return refuse('not_authenticated', UNKNOWN_SESSION);
    if (this.row.role === 'admin' && identity.caller.role !== 'admin') {
      return refuse('role_too_low');
    }
    const { role, user_id } = identity.caller;
    if (this.row.ofUser && role !== 'admin' && user_id !== parameters['user_id']) {
      return refuse('role_too_low', 'Only admins may do this to other users');
    }
    return identity;
  }
}

/** Every route that has a handler, with its pipeline. */
export function pipelinesOf(options: PipelineOptions): readonly (readonly [RouteRow, Pipeline])[] {
  return (ROUTES as readonly RouteRow[]).flatMap((row) => {
    const handler = options.handlers[row.id as RouteId] as AnyHandler | undefined;
    return handler ? [[row, new Pipeline(row, handler, options)] as const] : [];
  });
}

export type Pipelines = ReturnType<typeof pipelinesOf>;
