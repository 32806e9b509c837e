/** The parts of a request by themselves: target, header, origin, content type and access log. */

import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { RouteRow } from '../../../contract/routes.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { AnsweredRequest } from '../logging/answered-request.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Users } from '../sessions/users.ts';
import { accessLog } from './access-log.ts';
import { authorizationOf, bearerToken, identify } from './authentication.ts';
import { contentTypeRefusal } from './content-type.ts';
import { lastEventIdOf } from './event-feed.ts';
import { exchangeWith } from './exchange.cases.ts';
import { allowOrigin, originAllowed, originRefusal } from './origins.ts';
import { absentBody, announcesBody, readsBody } from './request-body.ts';
import { parametersOf, pathOf, queryOf } from './request-target.ts';

type Headers = Readonly<Record<string, string>>;
const requestWith = (headers: Headers): IncomingMessage =>
  ({ headers }) as object as IncomingMessage;

const ROW = { id: 'any', method: 'GET', path: '/api/v1/any', role: 'user' } as object as RouteRow;
const WITH_BODY: RouteRow = { ...ROW, body: 'Nothing' };
const OPTIONAL: RouteRow = { ...WITH_BODY, bodyOptional: true };
const PACKAGE: RouteRow = { ...ROW, carries: 'package' };

describe('the parameters of a path', () => {
  it('are positive integers in their one spelling, and names', () => {
    const given = { user_id: '7', state_name: '08/x' };
    expect(parametersOf(given)).toEqual({
      ...{ parameters: { user_id: 7 }, names: { state_name: '08/x' } },
    });
    expect(parametersOf({ id: '9'.repeat(15) })!.parameters).toEqual({ id: 1e15 - 1 });
  });

  it.each(['0', '07', '-1', '1.5', '1e3', 'x1', '1x', '', '1'.repeat(16)])('are not %j', (text) => {
    expect(parametersOf({ first: '1', id: text })).toBe(null);
  });
});

describe('the query', () => {
  const row: RouteRow = {
    ...ROW,
    query: {
      after: { description: 'a', minimum: 0 },
      limit: { description: 'l', minimum: 1, maximum: 50 },
    },
    filters: {
      state: { description: 's', maxLength: 9, enum: ['dead', 'pending'] },
      hook: { description: 'h', maxLength: 4 },
    },
  };

  it('has the values that the route defines', () => {
    const url = '/x?limit=50&after=0&state=dead&hook=abcd&other=1';
    expect(queryOf(row, url)).toEqual({
      ok: true,
      value: { query: { limit: 50, after: 0 }, filters: { state: 'dead', hook: 'abcd' } },
    });
    const none = { ok: true, value: { query: {}, filters: {} } };
    expect(queryOf(row, '/x')).toEqual(none);
    expect(queryOf({ ...ROW, filters: row.filters! }, url)).toEqual(none);
    expect(queryOf({ ...row, filters: {} }, '/x?limit=1')).toMatchObject({
      value: { query: { limit: 1 } },
    });
    const largest = '9'.repeat(15);
    expect(queryOf(row, `/x?after=${largest}`)).toMatchObject({
      value: { query: { after: Number(largest) } },
    });
  });

  const limit = 'must be one whole number, at least 1, at most 50';
  const after = 'must be one whole number, at least 0';
  const state = 'must be given once, one of dead, pending';
  const hook = 'must be given once, at most 4 characters';
  it.each([
    ...['0', '51', '', 'x', '-1', '1.5', 'x1', '1x', '+1'].map((text) => [`limit=${text}`, limit]),
    ...['-1', '9'.repeat(16)].map((text) => [`after=${text}`, after]),
    ...[['limit=1&limit=1', limit]],
    ...['alive', '', 'dead, pending'].map((text) => [`state=${text}`, state]),
    ...[['state=dead&state=dead', state]],
    ...['hook=abcde', 'hook=a&hook=b'].map((text) => [text, hook]),
  ] as [string, string][])('with %s is refused', (query, problem) => {
    const details = [{ path: `?${query.split('=')[0]}`, problem }];
    expect(queryOf(row, `/x?${query}`)).toMatchObject({
      ...{ ok: false, error: { refused: 'invalid_arguments', details } },
    });
  });

  it('is no part of the path', () => {
    expect(['/a/b?c=/d?e', '/a/b', '?a', undefined].map((url) => pathOf(url))).toEqual([
      ...['/a/b', '/a/b', '', ''],
    ]);
  });
});

it.each([
  ['7', 7],
  ['0', 0],
  ['123456789012345', 123456789012345],
  ['1234567890123456', null],
  ['x7', null],
  ['7x', null],
  ['-7', null],
  ['seven', null],
  ['', null],
])('the header Last-Event-ID %j is %j', (text, id) => {
  expect(lastEventIdOf(requestWith({ 'last-event-id': text }))).toBe(id);
  expect(lastEventIdOf(requestWith({}))).toBe(null);
});

describe('the access log', () => {
  /** What is logged of a request that is answered after 30 ms, and the headers of the reply. */
  function logged(request: object, context: { route?: string } = {}) {
    const state = { now_ms: 100, headers: {} as Record<string, string>, logged: [] as object[] };
    const wall = { now_ms: () => state.now_ms } as Partial<WallClock> as WallClock;
    const response = Object.assign(new EventEmitter(), {
      statusCode: 201,
      setHeader: (name: string, value: string) => (state.headers[name] = value),
    }) as object as ServerResponse;
    const onAnswered = (answered: AnsweredRequest) => state.logged.push(answered);
    const exchange = exchangeWith({ headers: {}, ...request }, response);
    accessLog(wall, onAnswered)(exchange);
    state.now_ms = 130;
    if (context.route) exchange.route = context.route;
    expect(state.logged).toEqual([]);
    response.emit('close');
    return { ...state, entry: state.logged[0] as AnsweredRequest };
  }

  it('has id, method, route, status and duration of each request', () => {
    const headers = { 'x-request-id': 'Id-1._x' };
    const got = logged({ method: 'GET', headers }, { route: 'listUsers' });
    expect(got.logged).toEqual([
      {
        ...{ request_id: 'Id-1._x', method: 'GET', route: 'listUsers' },
        ...{ status: 201, duration_ms: 30 },
      },
    ]);
    expect(got.headers).toEqual({ 'X-Request-Id': 'Id-1._x' });
  });

  it.each([undefined, '', 'a b', 'a\nb', 'é', 'x'.repeat(65)])(
    'makes an id for each request in place of %j',
    (given) => {
      const headers = given === undefined ? {} : { 'x-request-id': given };
      const [one, other] = [logged({ headers }), logged({ headers })];
      expect(one.entry.request_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(one.headers['X-Request-Id']).toBe(one.entry.request_id);
      expect(other.entry.request_id).not.toBe(one.entry.request_id);
    },
  );

  it.each([
    ['GET', { path: '/api/v1/users/:user_id/tokens' }, 'listTokens'],
    ['POST', { path: '/api/v1/users/:user_id/tokens' }, 'createToken'],
    ['PATCH', { path: '/api/v1/users/:user_id/tokens' }, '/api/v1/users/:user_id/tokens'],
    ['GET', { path: '/metrics' }, '/metrics'],
    ['GET', { path: /^\/docs/ }, 'other'],
    ['GET', {}, 'other'],
    ['GET', undefined, 'other'],
  ] as const)('names the route of %s %j: %s', (method, route, name) => {
    expect(logged({ method, route }).entry.route).toBe(name);
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    'names the method %s, and no unknown one',
    (method) => {
      expect(logged({ method }).entry.method).toBe(method);
      expect(logged({ method: `${method}X` }).entry.method).toBe('other');
      expect(logged({}).entry.method).toBe('other');
    },
  );
});

describe('authentication', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['  BEARER   abc ', 'abc'],
  ])('takes the token of %j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  it.each(['Bearer', 'Bearer a b', 'Basic abc', 'abc', '', 'Bearer abc, Bearer abc'])(
    'refuses the header %j as malformed',
    (header) => {
      expect(bearerToken(header)).toMatchObject({ refused: 'malformed_authorization' });
    },
  );

  it('needs a header, and joins two of them', () => {
    expect(bearerToken(undefined)).toMatchObject({ refused: 'not_authenticated' });
    const request = (headersDistinct: object) => ({ headersDistinct }) as IncomingMessage;
    expect(authorizationOf(request({ authorization: ['a', 'b'] }))).toBe('a, b');
    expect(authorizationOf(request({}))).toBe(undefined);
  });

  it('finds session and user of a token', () => {
    const session = { user_id: 3, token_id: 5, created_s: 0, expires_s: 9 };
    const services = {
      sessions: { find: (secret: string) => (secret === 'known' ? session : null) },
      users: { find: (id: number) => (id === 3 ? { role: 'admin' } : null) },
    } as object as { sessions: Sessions; users: Users };
    expect(identify('known', services)).toEqual({
      ...{ session, caller: { user_id: 3, token_id: 5, role: 'admin' } },
    });
    expect(identify('unknown', services)).toBe(null);
    session.user_id = 4;
    expect(identify('known', services)).toBe(null);
  });
});

describe('an origin', () => {
  it.each([
    [{}, [], true],
    [{ origin: 'http://a:1', host: 'a:1' }, [], true],
    [{ origin: 'http://a:1', host: 'a:2' }, [], false],
    [{ origin: 'http://b', host: 'a' }, ['http://b'], true],
    [{ origin: 'http://b', host: 'a' }, ['http://b/'], false],
    [{ origin: 'http://b', host: 'a' }, ['*'], true],
    [{ origin: 'null', host: 'a' }, ['http://b'], false],
    [{ origin: 'http://a', host: 'a', 'x-forwarded-proto': 'https' }, [], false],
    [{ origin: 'https://a', host: 'a', 'x-forwarded-proto': 'https' }, [], true],
    [{ origin: 'https://a', host: 'a', 'x-forwarded-proto': 'http' }, [], true],
  ] as [Headers, string[], boolean][])('of %j beside %j may call: %s', (headers, listed, may) => {
    expect(originAllowed({ headers }, listed)).toBe(may);
    const refusal = originRefusal({ headers }, listed);
    expect(refusal === null ? null : refusal.refused).toBe(may ? null : 'role_too_low');
  });

  it.each([
    [{ origin: 'http://b' }, ['http://b'], true],
    [{ origin: 'http://b' }, ['*'], true],
    [{ origin: 'http://b' }, ['http://c'], false],
    [{}, ['*'], false],
  ] as [Headers, string[], boolean][])('of %j gets leave by %j: %s', (headers, listed, gets) => {
    const set: Record<string, string> = {};
    const setHeader = (name: string, value: string) => (set[name] = value);
    const response = { setHeader } as object as ServerResponse;
    expect(allowOrigin(requestWith(headers), response, listed)).toBe(gets);
    const expected = {
      'Access-Control-Allow-Origin': headers['origin'],
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
      'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
      Vary: 'Origin',
    };
    expect(set).toEqual(gets ? expected : {});
  });
});

const SENT = { 'content-length': '2' };
const CHUNKED = { 'transfer-encoding': 'chunked' };

describe('a content type', () => {
  const refusedAs = (row: RouteRow, type: string | null, more: Headers = SENT) => {
    const headers = { ...more, ...(type !== null && { 'content-type': type }) };
    const judge = (dialect: 'documented' | 'fielded') =>
      contentTypeRefusal(row, requestWith(headers), dialect)?.refused ?? null;
    return [judge('documented'), judge('fielded')];
  };
  const WRONG = 'wrong_content_type';

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json; version=1',
    'application/json; version=1; charset=utf-8',
  ])('of JSON may be %s', (type) => {
    expect(refusedAs(WITH_BODY, type)).toEqual([null, null]);
  });

  it.each([
    'text/plain',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/json; charset=utf-80',
    'application/json; charset=charset=utf-8',
    'application/json; version=1; charset=latin1',
    'application/octet-stream',
    'application/x.automata-update',
  ])('of JSON is not %s', (type) => {
    expect(refusedAs(WITH_BODY, type)).toEqual([WRONG, WRONG]);
  });

  it.each([
    [WITH_BODY, SENT, [WRONG, null]],
    [WITH_BODY, {}, [WRONG, null]],
    [OPTIONAL, {}, [null, null]],
    [OPTIONAL, SENT, [WRONG, null]],
    [OPTIONAL, CHUNKED, [WRONG, null]],
    [ROW, {}, [null, null]],
    [PACKAGE, SENT, [WRONG, WRONG]],
    [PACKAGE, {}, [WRONG, WRONG]],
  ] as [RouteRow, Headers, unknown[]][])('may be absent: %j %j', (row, headers, refusals) => {
    expect(refusedAs(row, null, headers)).toEqual(refusals);
  });

  it('of a package is one of two', () => {
    for (const type of ['application/octet-stream', 'application/x.automata-update']) {
      expect(refusedAs(PACKAGE, type)).toEqual([null, null]);
    }
    expect(refusedAs(PACKAGE, 'application/json')).toEqual([WRONG, WRONG]);
  });

  it.each(['application/octet-stream', 'application/x-www-form-urlencoded'])(
    'that a client adds by itself means nothing without a body: %s',
    (type) => {
      expect(refusedAs(OPTIONAL, type, {})).toEqual([null, null]);
      expect(refusedAs(OPTIONAL, type, { 'content-length': '0' })).toEqual([null, null]);
      expect(refusedAs(OPTIONAL, type, SENT)).toEqual([WRONG, WRONG]);
      expect(refusedAs(WITH_BODY, type, {})).toEqual([WRONG, WRONG]);
      expect(refusedAs(OPTIONAL, 'text/plain', {})).toEqual([WRONG, WRONG]);
    },
  );

  it.each([
    ['gzip', WRONG],
    ['identity', null],
    ['IDENTITY', null],
  ])('with the encoding %s of a body is judged', (encoding, refused) => {
    const headers = { 'content-encoding': encoding };
    const json = 'application/json';
    expect(refusedAs(WITH_BODY, json, { ...SENT, ...headers })).toEqual([refused, refused]);
    expect(refusedAs(OPTIONAL, json, headers)).toEqual([null, null]);
  });
});

it.each([
  [{}, false],
  [{ 'content-length': '0' }, false],
  [SENT, true],
  [CHUNKED, true],
] as [Headers, boolean][])('a request with %j has a body: %s', (headers, has) => {
  const request = requestWith(headers);
  expect(announcesBody(request)).toBe(has);
  expect([ROW, OPTIONAL].map((row) => readsBody(row, request))).toEqual([has, has]);
  expect([WITH_BODY, PACKAGE].map((row) => readsBody(row, request))).toEqual([true, true]);
});

it('a body that is left out has no fields; a call without one has none', () => {
  expect(absentBody(OPTIONAL)).toEqual({ body: {}, ignored: [], sha256: null });
  expect(absentBody(ROW)).toEqual({ body: undefined, ignored: [], sha256: null });
});
