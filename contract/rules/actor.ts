/**
 * An actor calls the service during a rule. It checks every reply against the row of the endpoint:
 * status, reply schema, error format (spec §4, §7).
 */
import { addressOf, type CallParts, partsOf } from '../client/caller.ts';
import { detailsSchemaOf, ERROR_ROWS, type ErrorRow, errorNamed } from '../errors.ts';
import {
  type Dialect,
  errorStatusesOf,
  errorsOf,
  type RouteId,
  type RouteRow,
  routeOf,
} from '../routes.ts';
import type { SchemaId } from '../schemas.ts';
import {
  type Actor,
  type ExpectedRefusal,
  EXPECTATION as expect,
  type RawReply,
  type RawRequest,
  type SeenRefusal,
} from './rule.ts';

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

const statusesOf = new Map<number, Set<number>>();
for (const row of Object.values<ErrorRow>(ERROR_ROWS)) {
  const statuses = statusesOf.get(row.error_code) ?? new Set();
  statusesOf.set(row.error_code, statuses.add(row.status));
}

/** Checks the error format and that status and error_code belong together. */
export function checkRefusal(reply: RawReply, expected: ExpectedRefusal): SeenRefusal {
  const seen = reply.text.slice(0, 500);
  expect.equal(reply.status, expected.status, `status of the refusal ${seen}`);
  const { error } = expect.fits('ErrorBody', reply.body);
  const matches = statusesOf.get(error.error_code)?.has(reply.status) === true;
  expect.ok(matches, `error_code ${error.error_code} belongs to status ${reply.status}`);
  const code = expected.error_code ?? error.error_code;
  expect.equal(error.error_code, code, `error_code of ${seen}`);
  expect.equal(error.title, expected.title ?? error.title, 'title');
  const name = errorNamed(reply.status, error);
  if (name) expect.fits(detailsSchemaOf(name), error.details);
  return error;
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
