/**
 * The request pipeline, from a request value to an answer value: checks a request in the order of
 * D6, from cheap checks that reveal little to costly ones, then calls the route's handler. Handlers
 * repeat no check that a route's row states. It knows no socket: what brings requests and takes
 * answers is an adapter (node-adapter.ts).
 */
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { RouteRow } from '../../../contract/routes.ts';
import { shares } from '../../../contract/shares.ts';
import { CallbackError } from '../../clock/callback-error.ts';
import { runDueTicks } from '../../clock/pacer.ts';
import type { ReadBody } from '../../documents/body-task.ts';
import { CallTurns } from '../../shares/call-turns.ts';
import { type Claimant, claimantOf } from '../../shares/claimant.ts';
import type { ShareRefusal } from '../../shares/share.ts';
import type { LateError } from '../../store/guard.ts';
import { StorageError } from '../../store/storage-error.ts';
import { type Identity, identityFor } from './authentication.ts';
import type { Call, SessionCall } from './call.ts';
import { contentTypeRefusal } from './content-type.ts';
import { withTimeout } from './deadline.ts';
import { lastEventIdOf } from './event-feed.ts';
import { hasKey, keyedCallOf, type RecordOutcome, recordNothing } from './idempotency.ts';
import type { Answer } from './reply.ts';
import { absentBody, bodyKindOf, readAndValidate, readsBody, sizeRefusal } from './request-body.ts';
import { type PathParameters, parametersOf, pathOf, queryOf } from './request-target.ts';
import type { RouteAnswer, RouteRequest } from './route-request.ts';
import { objectRefusal, robotRefusal } from './row-refusals.ts';
import type { Services } from './services.ts';

export interface PipelineOptions {
  readonly services: Services;
  /** Whether the SHA-256 of a call's body is recorded. */
  readonly needsBodyHash?: (row: RouteRow) => boolean;
  /** Receives errors that handlers throw; a refusal is never one. */
  readonly onBug: (error: unknown, row: RouteRow | null) => void;
}

/** A request whose target, content type and caller are right. */
interface AdmittedRequest {
  readonly request: RouteRequest;
  readonly target: PathParameters;
  readonly identity: Identity | null;
  /** Headers of the answer, which grow until it is given. */
  readonly headers: Record<string, string>;
}

export class Pipeline {
  private readonly options: PipelineOptions;
  private readonly turns: CallTurns;

  constructor(options: PipelineOptions) {
    this.options = options;
    this.turns = new CallTurns((end) => options.services.wall.soon(end));
  }

  /**
   * Answers one request; never throws. A handler that is synchronous is answered synchronously: a
   * promise and a timer cost more than most handlers.
   */
  answer(request: RouteRequest): RouteAnswer | Promise<RouteAnswer> {
    runDueTicks();
    const { row } = request.route;
    const headers: Record<string, string> = {};
    try {
      const answer = this.admit(request, headers);
      if (!(answer instanceof Promise)) return { answer, headers };
      const { wall } = this.options.services;
      const end = (late: Answer) => {
        runDueTicks();
        return { answer: late, headers };
      };
      const fail = (error: unknown) => end(this.refusalOf(error, row));
      const { deadline } = request;
      return withTimeout(answer, { limit_s: row.timeout_s, wall, deadline }).then(end, fail);
    } catch (error) {
      return { answer: this.refusalOf(error, row), headers };
    }
  }

  /** Checks the target, the content type and the caller. */
  private admit(
    request: RouteRequest,
    headers: AdmittedRequest['headers'],
  ): Answer | Promise<Answer> {
    const { row } = request.route;
    const target = parametersOf(request.pathValues);
    if (!target) return refuse('unknown_path', `${pathOf(request.url)}: ids are positive integers`);
    const wrongType = contentTypeRefusal(row, request, request.dialect);
    if (wrongType) return wrongType;
    const identity = identityFor(request, target, this.options.services);
    if (identity && 'refused' in identity) return identity;
    const claimant = this.claimantOf(request, identity);
    if (identity) {
      headers['X-Armtwin-User'] = String(identity.caller.user_id);
      const refusal = request.observer.onCaller(claimant, request.origin);
      if (refusal) return this.refuseLater(refusal);
      this.options.services.documents.warmUp();
    }
    const admitted = { request, target, identity, headers };
    const take = (it: AdmittedRequest) =>
      readsBody(row, request) ? this.receive(it) : this.once(it, absentBody(row));
    const wait = this.turns.turn(claimant);
    return wait ? wait.then(() => this.later(admitted, take)) : take(admitted);
  }

  /**
   * Refuses one connection too many when the client may well try again, not at once: a client that
   * comes back as soon as it is refused would keep the twin busy with new connections.
   */
  private refuseLater(refusal: ShareRefusal): Promise<Answer> {
    const { wall } = this.options.services;
    const { retry_after_s } = shares.connections;
    return new Promise((resolve) => {
      wall.afterUnreferenced(retry_after_s * 1000, () => resolve(refusal));
    });
  }

  /** Who makes a call: a user, or an address without a session. */
  private claimantOf({ origin }: RouteRequest, identity: Identity | null): Claimant {
    if (!identity) return { owner: origin.address };
    return claimantOf(identity.caller, this.options.services.robot);
  }

  /** Goes on with a call that has waited: its time may be over, and its session may have ended. */
  private later(
    admitted: AdmittedRequest,
    next: (admitted: AdmittedRequest) => Answer | Promise<Answer>,
  ): Answer | Promise<Answer> {
    runDueTicks();
    const { request, target } = admitted;
    if (request.deadline.passed) return refuse('timed_out');
    const identity = identityFor(request, target, this.options.services);
    return identity && 'refused' in identity ? identity : next({ ...admitted, identity });
  }

  /** Reads the body; a large one not before its announced size, the lock and the state are right. */
  private receive(admitted: AdmittedRequest): Answer | Promise<Answer> {
    const { request, identity } = admitted;
    const { row } = request.route;
    const { services, needsBodyHash } = this.options;
    const early = bodyKindOf(row).isCheckedEarly
      ? (sizeRefusal(request, row.bodyLimit_bytes) ?? robotRefusal(row, identity, services))
      : null;
    if (early) return early;
    const isKeyed = row.creates === true && hasKey(request);
    const needsHash = isKeyed || (needsBodyHash?.(row) ?? false);
    const claimant = this.claimantOf(request, identity);
    return readAndValidate(request, services, needsHash, claimant).then((read) => {
      if (!('refused' in read)) return this.later(admitted, (it) => this.once(it, read));
      runDueTicks();
      return read;
    });
  }

  /** Acts, or gives the recorded answer where the call is repeated with its idempotency key. */
  private once(admitted: AdmittedRequest, read: ReadBody): Answer | Promise<Answer> {
    const { request, identity, headers } = admitted;
    request.observer.onBody(read.sha256);
    if (read.ignored.length > 0) {
      // Clients choose the names of unknown fields; a header can only carry ASCII.
      const names = read.ignored.join(', ').replace(/[^ -~]/g, '?');
      headers['X-Armtwin-Ignored'] = names.slice(0, 1000);
    }
    const isKeyed = request.route.row.creates && identity;
    const keyed = isKeyed ? keyedCallOf(request, identity.caller.user_id, read) : null;
    if (keyed === null) return this.act(admitted, read, recordNothing);
    if ('refused' in keyed) return keyed;
    const { idempotency } = this.options.services;
    return idempotency.once(keyed, (record) => this.act(admitted, read, record));
  }

  /** Checks the query, the object, the lock and the state, then calls the handler. */
  private act(
    admitted: AdmittedRequest,
    { body }: ReadBody,
    record: RecordOutcome,
  ): Answer | Promise<Answer> {
    const { request, target, identity } = admitted;
    const { row, handler } = request.route;
    const { services } = this.options;
    const query = queryOf(row, request.url);
    if (!query.ok) return query.error;
    const refusal =
      objectRefusal(target.parameters, identity, services) ?? robotRefusal(row, identity, services);
    if (refusal) return refusal;
    const { dialect, origin, deadline } = request;
    const call: Call = { row, body, ...target, ...query.value, dialect, origin, deadline };
    if (!identity) return handler(call, services);
    const recheck = () => this.lateRefusal(admitted);
    const lastEventId = lastEventIdOf(request);
    const sessionCall: SessionCall = { ...call, ...identity, recheck, record, lastEventId };
    return handler(sessionCall, services);
  }

  /** The refusal of a call whose time is over or whose session has ended; null while it may act. */
  private lateRefusal({ request, target }: AdmittedRequest): Refusal<LateError> | null {
    const { deadline } = request;
    if (deadline.passed) return refuse('timed_out');
    const identity = identityFor(request, target, this.options.services);
    if (identity && 'refused' in identity) {
      // A change of role ends the sessions of the user.
      return identity.refused === 'role_too_low'
        ? refuse('not_authenticated', 'The session has ended; log in')
        : { ...identity, refused: identity.refused };
    }
    deadline.isCommitted = true;
    return null;
  }

  /** The refusal of a call whose handler has thrown; `onBug` hears of the error. */
  private refusalOf(error: unknown, row: RouteRow): Refusal {
    // A test's own mistake, not the service's; the test hears of it here.
    if (error instanceof CallbackError) return refuse('internal', error.message);
    this.options.onBug(error, row);
    if (!(error instanceof StorageError)) return refuse('internal');
    const uncertain = 'It is not known whether the change was saved; look after the next start';
    return refuse('storage_failed', error.isUncertain ? uncertain : 'Nothing has changed');
  }
}
