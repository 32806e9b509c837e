/**
 * An actor calls the service during a rule. It checks every reply against the row of the endpoint:
 * status, reply schema, error format (spec §4, §7).
 */

import { addressOf, type CallParts, partsOf } from '../contract/client/call-parts.ts';
import type { CallArguments, CallId, ReplyOf } from '../contract/client/calls.ts';
import { errorNamed } from '../contract/errors.ts';
import {
  type Dialect,
  errorStatusesOf,
  errorsOf,
  type RouteId,
  type RouteRow,
  routeOf,
} from '../contract/routes.ts';
import type { SchemaId } from '../contract/schemas.ts';
import { EXPECTATION as expect } from './expectation.ts';
import type { RawReply, RawRequest } from './raw-request.ts';
import { checkRefusal, type ExpectedRefusal, type SeenRefusal } from './refusal-check.ts';

/** The API tokens of the actors. */
export interface ActorTokens {
  readonly user: string;
  readonly other: string | null;
  readonly admin: string | null;
}

/** A caller with a session. It checks each reply against its row: status, schema, error format. */
export interface Actor {
  readonly session: string;
  /** Calls an endpoint and requires success. */
  does<Id extends CallId>(id: Id, ...given: CallArguments<Id>): Promise<ReplyOf<Id>>;
  /** Calls an endpoint with any body and requires a refusal in the error format. */
  refused(id: CallId, parts: CallParts, expected: ExpectedRefusal): Promise<SeenRefusal>;
}

/** The actors: two ordinary users, an admin, and an anonymous caller without a session. */
export type ActorName = 'user' | 'other' | 'admin' | 'anonymous';

export type SendRaw = (request: RawRequest) => Promise<RawReply>;

export interface ActorParts {
  readonly send: SendRaw;
  readonly dialect: Dialect;
  /** null: no Authorization header is sent. */
  readonly session: string | null;
}

/** Sends one call without checking the reply. */
export function sendCall(parts: ActorParts, id: RouteId, call: CallParts): Promise<RawReply> {
  const row = routeOf(id);
  const headers: Record<string, string> = {};
  if (parts.session !== null) headers['Authorization'] = `Bearer ${parts.session}`;
  if (row.carries === 'package') headers['Content-Type'] = 'application/x.automata-update';
  else if (call.body !== undefined) headers['Content-Type'] = 'application/json';
  const path = addressOf(row, call);
  if (call.body === undefined) return parts.send({ method: row.method, path, headers });
  const body = row.carries === 'package' ? textOf(call.body) : JSON.stringify(call.body);
  return parts.send({ method: row.method, path, headers, body });
}

function textOf(bytes: unknown): string {
  return bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : String(bytes);
}

function checkSuccess(row: RouteRow, reply: RawReply, dialect: Dialect): unknown {
  if (reply.status !== row.status[dialect]) {
    expect.fail(`${row.id} answered ${reply.status} ${reply.text.slice(0, 500)}`);
  }
  if (reply.status === 204) {
    expect.equal(reply.text, '', `body of a 204 of ${row.id}`);
    return undefined;
  }
  const type = reply.headers.get('content-type') ?? '';
  if (row.media) {
    expect.ok(type.startsWith(row.media), `${row.id} returns ${row.media}, not ${type}`);
    return reply.text;
  }
  expect.ok(type.startsWith('application/json'), `${row.id} returns JSON, not ${type}`);
  if (row.reply === undefined) {
    expect.equal(reply.body, {}, `body of ${row.id}`);
    return undefined;
  }
  return expect.fits(row.reply as SchemaId, reply.body);
}

/** Creates an actor with or without a session. */
export function createActor(parts: ActorParts): Actor {
  return {
    session: parts.session ?? '',
    async does(id, ...given) {
      const row = routeOf(id);
      const reply = await sendCall(parts, id, partsOf(row, given));
      // checkSuccess has validated the reply by the row's schema.
      return checkSuccess(row, reply, parts.dialect) as never;
    },
    async refused(id, call, expected) {
      const reply = await sendCall(parts, id, call);
      const refusal = checkRefusal(reply, expected);
      const row = routeOf(id);
      const name = errorNamed(reply.status, refusal);
      const listed = name
        ? errorsOf(row).includes(name)
        : errorStatusesOf(row).includes(reply.status);
      expect.ok(listed, `${name ?? reply.status} is listed by the row of ${id}`);
      return refusal;
    },
  };
}
