/** A call with fakes of the services: refusals, the call, and the reply, through Node's adapter. */

import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ERROR_ROWS } from '../../../contract/errors.ts';
import { refuse } from '../../../contract/refusal.ts';
import type { RouteRow } from '../../../contract/routes.ts';
import type { ClockedLoop } from '../../clock/clock.ts';
import { Pacer } from '../../clock/pacer.ts';
import { systemClock, type WallClock } from '../../clock/wall-clock.ts';
import { StorageError } from '../../store/storage-error.ts';
import type { SessionCall } from './call.ts';
import { Connection } from './connection.ts';
import { openDeadline } from './deadline.ts';
import { dialectOf } from './dialect.ts';
import type { EventSink } from './event-feed.ts';
import { exchangeWith } from './exchange.cases.ts';
import { FakeResponse } from './fake-response.cases.ts';
import type { AnyHandler } from './handler.ts';
import type { KeyedCall, RecordOutcome } from './idempotency.ts';
import { type AdapterOptions, NodeAdapter } from './node-adapter.ts';
import { Pipeline, type PipelineOptions } from './pipeline.ts';
import { type Answer, EMPTY } from './reply.ts';
import type { RouteRequest } from './route-request.ts';

const ROW = {
  ...{ id: 'any', method: 'GET', path: '/api/v1/any', auth: 'session', role: 'user', lock: false },
  status: { documented: 200, fielded: 204 },
  ...{ bodyLimit_bytes: 100, timeout_s: 5, summary: '' },
} as const satisfies RouteRow;

/** Who calls, and what the fakes of the services say. */
const world = { role: 'user', isOpen: true, holdsLock: true };
let timers: (() => void)[];
let tasks: object[];
let bugs: unknown[];
let calls: SessionCall[];
/** Ids of the calls with a key. */
let keys: string[];
let warmUps: number;
beforeEach(() => {
  warmUps = 0;
  Object.assign(world, { role: 'user', isOpen: true, holdsLock: true });
  [timers, tasks, bugs, calls, keys] = [[], [], [], [], []];
});
const RECORD: RecordOutcome = () => {};

const services = {
  wall: {
    afterUnreferenced(_delay_ms: number, callback: () => void) {
      timers.push(callback);
      return () => {};
    },
    soon: systemClock.soon,
  } as Partial<WallClock>,
  sessions: { find: (secret: string) => (secret === 's' && world.isOpen ? { user_id: 1 } : null) },
  users: { find: (id: number) => (id < 3 ? { role: world.role } : null) },
  library: { find: (_owner: number, id: number) => (id === 5 ? {} : null) },
  robot: { holdsLock: () => world.holdsLock, memory: {} },
  documents: {
    warmUp() {
      warmUps += 1;
    },
    pauseAfter: () => 0,
    async body(task: object) {
      tasks.push(task);
      return { body: {}, ignored: ['größe', 'x'], sha256: null };
    },
  },
  idempotency: {
    once({ id }: KeyedCall, call: (record: RecordOutcome) => Answer) {
      keys.push(id);
      return call(RECORD);
    },
  },
};

function requestOf(headers: Record<string, string>, body = ''): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const all = { authorization: 'Bearer s', ...headers };
  const headersDistinct = { authorization: [all.authorization] };
  Object.assign(request, { url: '/api/v1/any?a=1', method: 'GET', headers: all, headersDistinct });
  request.push(body);
  request.push(null);
  return request;
}

type Options = PipelineOptions & AdapterOptions;

interface Served {
  readonly row?: Partial<RouteRow>;
  readonly values?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly handler?: AnyHandler;
  readonly options?: Partial<Options>;
  /** One that serves more than this request. */
  readonly pipeline?: Pipeline;
}

/** Serves one request through Node's adapter; the handler notes the call. */
function serve(served: Served = {}) {
  const { row, values, headers = {}, body, handler, options, pipeline } = served;
  const response = new FakeResponse();
  const note: AnyHandler = (call, given) => {
    calls.push(call as SessionCall);
    return handler?.(call, given) ?? { reply: { done: true } };
  };
  const common = { services, dialect: 'documented', onBug: (error: unknown) => bugs.push(error) };
  const all = { ...common, ...options } as object as Options;
  const request = requestOf(headers, body);
  const exchange = exchangeWith(request, response, Connection.of(request.socket));
  const route = { row: { ...ROW, ...row }, handler: note };
  const adapter = new NodeAdapter(pipeline ?? new Pipeline(all), all);
  adapter.serve(exchange, { route, values: values ?? {} });
  return { response, request, exchange };
}
const errorOf = ({ response }: { response: FakeResponse }) => {
  const { error } = JSON.parse(String(response.bytes));
  return [response.statusCode, error.details];
};

describe('a call', () => {
  it('reaches the handler with caller, target and address', () => {
    const { response } = serve({ values: { toolpath_id: '5', user_id: '2', state_name: 'a' } });
    expect(JSON.parse(String(response.bytes))).toEqual({ done: true });
    expect(calls).toMatchObject([
      {
        ...{ parameters: { toolpath_id: 5, user_id: 2 }, names: { state_name: 'a' } },
        ...{ caller: { user_id: 1, role: 'user' }, origin: { address: '' }, dialect: 'documented' },
      },
    ]);
    expect(response.headers['X-Armtwin-User']).toBe('1');
  });

  it('prepares for bodies once somebody calls, but not for strangers', () => {
    serve({ headers: { authorization: 'Bearer wrong' } });
    expect(warmUps).toBe(0);
    serve();
    expect(warmUps).toBe(1);
  });

  const mine = { toolpath_id: '6' };
  it.each([
    [{ values: { user_id: '01' } }, 404, '/api/v1/any: ids are positive integers'],
    [{ values: mine }, 404, 'You have no toolpath 6'],
    [{ values: { user_id: '3' } }, 404, 'There is no user 3'],
    [{ headers: { authorization: 'Basic s' } }, 401, expect.any(String)],
    [{ headers: { authorization: 'Bearer t' } }, 401, expect.any(String)],
    [{ row: { role: 'admin' } as const }, 403, null],
    [{ row: { ofUser: true } as const, values: { user_id: '2' } }, 403, expect.any(String)],
  ] as [Served, number, unknown][])('is refused before the handler: %j', (served, ...error) => {
    expect(errorOf(serve(served))).toEqual(error);
    expect(calls).toEqual([]);
  });

  it('of a route with the lock needs it', () => {
    const row = { lock: true };
    world.holdsLock = false;
    expect(errorOf(serve({ row }))[0]).toBe(403);
    world.holdsLock = true;
    expect(serve({ row }).response.statusCode).toBe(200);
  });

  it('of a user is one of the user, or of an admin', () => {
    const row = { ofUser: true } as const;
    serve({ row, values: { user_id: '1' } });
    world.role = 'admin';
    serve({ row, values: { user_id: '2' } });
    expect(calls).toHaveLength(2);
  });

  it('without a session has no caller', () => {
    const { response, exchange } = serve({
      row: { auth: 'none' },
      headers: { authorization: 'Bearer t' },
    });
    expect([response.statusCode, 'caller' in calls[0]!]).toEqual([200, false]);
    expect(Object.keys(calls[0]!)).not.toContain('recheck');
    expect(response.headers).not.toHaveProperty('X-Armtwin-User');
    expect(exchange.user_id).toBe(null);
  });

  it('is noted as one of its user, and names no field as ignored', () => {
    const { response, exchange } = serve();
    expect(exchange.user_id).toBe(1);
    expect(response.headers).not.toHaveProperty('X-Armtwin-Ignored');
  });

  it('has the query of its route; another one is refused', () => {
    const query = { a: { description: 'a', minimum: 1 } };
    serve({ row: { query } });
    expect(calls).toMatchObject([{ query: { a: 1 } }]);
    const wrong = serve({ row: { query: { a: { ...query.a, minimum: 2 } } } });
    expect(errorOf(wrong)).toMatchObject([400, [{ path: '?a' }]]);
    expect(calls).toHaveLength(1);
  });

  it('comes after the ticks that are due', () => {
    let now_ms = 0;
    const wall = { ...systemClock, now_ms: () => now_ms, after: () => () => {} };
    const loop: ClockedLoop & { tick: number } = {
      ...{ tick: 0, setbacks: 0, idle: true, halted: false },
      runTo: (tick: number) => (loop.tick = tick),
    };
    const clock = new Pacer({ kind: 'scaled', factor: 1 }, wall);
    clock.start(loop);
    now_ms = 12;
    const ticks: number[] = [];
    serve({
      handler() {
        ticks.push(loop.tick);
        return EMPTY;
      },
    });
    clock.stop();
    expect(ticks).toEqual([3]);
  });

  it('with a session keeps its connection where another one of the address is too many', () => {
    const [stranger, known] = [serve({ row: { auth: 'none' } }), serve()];
    expect(stranger.exchange.connection.isKept).toBe(false);
    expect(known.exchange.connection.isKept).toBe(true);
  });

  const key = { 'idempotency-key': 'k' };
  it.each([
    [{ creates: true }, key, 1],
    [{ creates: true }, {}, 0],
    [{}, key, 0],
    [{ creates: true, auth: 'none' }, key, 0],
  ] as const)('of %j with %j has a key: %d', async (row, headers, count) => {
    const { response } = serve({ row, headers });
    await response.ended;
    expect([response.statusCode, calls.length, keys.length]).toEqual([200, 1, count]);
    if (count > 0) expect([keys[0]!.split(' ')[0], calls[0]!.record]).toEqual(['1', RECORD]);
  });

  describe('that waits for its turn', () => {
    /** The second of two calls in one turn of the event loop. */
    function second() {
      world.holdsLock = false;
      const pipeline = new Pipeline({ services, onBug: () => {} } as object as PipelineOptions);
      serve({ pipeline });
      return serve({ pipeline });
    }
    const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

    it('is answered in the next turn', async () => {
      const { response } = second();
      expect(calls).toHaveLength(1);
      await nextTurn();
      expect(calls).toHaveLength(2);
      expect(response.statusCode).toBe(200);
    });

    it('is refused where its session has ended meanwhile', async () => {
      const { response } = second();
      world.isOpen = false;
      await nextTurn();
      expect(calls).toHaveLength(1);
      expect(response.statusCode).toBe(401);
    });

    it('does nothing where its time is over', async () => {
      second();
      for (const timer of timers) timer();
      await nextTurn();
      expect(calls).toHaveLength(1);
    });
  });

  it('over one connection too many is refused only when trying again makes sense', async () => {
    const refusal = { refused: 'share_used_up', details: 'too many', count: 0 } as const;
    const claim = vi.spyOn(Connection.prototype, 'claim').mockReturnValue(refusal);
    const served = serve();
    claim.mockRestore();
    expect(served.response.bytes.length).toBe(0);
    // The other timer is the deadline.
    timers[0]!();
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(errorOf(served)).toEqual([429, 'too many']);
    expect(calls).toEqual([]);
  });

  it('with a malformed key is refused', () => {
    const got = serve({ row: { creates: true }, headers: { 'idempotency-key': '' } });
    expect(errorOf(got)).toMatchObject([400, [{ path: 'Idempotency-Key' }]]);
  });
});

describe('the pipeline', () => {
  /** Answers a request value, which no connection has brought. */
  function answered(handler: AnyHandler, parts: Partial<RouteRequest> = {}) {
    const seen: unknown[] = [];
    const request: RouteRequest = {
      route: { row: ROW, handler },
      ...{
        method: 'GET',
        url: '/api/v1/any',
        pathValues: {},
        headers: {},
        origin: { address: '10.0.0.7' },
      },
      ...{ authorization: 'Bearer s', dialect: 'documented', deadline: openDeadline() },
      body: { readBody: async () => [Buffer.from('{}')] },
      observer: {
        onCaller(caller) {
          seen.push(caller);
          return null;
        },
        onBody: (hash) => seen.push(hash),
      },
      ...parts,
    };
    const options = { services, onBug: (error: unknown) => bugs.push(error) };
    const answer = new Pipeline(options as object as PipelineOptions).answer(request);
    return { answer, seen, request };
  }

  it('answers a value with a value, and at once where the handler does', () => {
    const { answer, seen } = answered(() => ({ reply: { done: true } }));
    const headers = { 'X-Armtwin-User': '1' };
    expect(answer).toEqual({ answer: { reply: { done: true } }, headers });
    expect(seen).toEqual([{ owner: 1, holdsLock: true, isAdmin: false }, null]);
    const refused = answered(() => EMPTY, { authorization: undefined });
    expect(refused.answer).toMatchObject({ answer: { refused: 'not_authenticated' }, headers: {} });
    expect([refused.seen, timers]).toEqual([[], []]);
  });

  it('names the fields of a body that it ignores, and who calls, of an answer that is late', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '2' };
    const { answer, seen, request } = answered(() => new Promise(() => {}), { headers });
    expect(seen).toHaveLength(1);
    await new Promise((resolve) => setImmediate(resolve));
    timers.at(-1)!();
    expect(await answer).toMatchObject({
      answer: { refused: 'timed_out' },
      headers: { 'X-Armtwin-User': '1', 'X-Armtwin-Ignored': 'gr??e, x' },
    });
    expect(request.deadline.passed).toBe(true);
  });

  it('answers an error of a handler, which is reported', () => {
    const error = new Error('a bug');
    const { answer } = answered(() => {
      throw error;
    });
    expect(answer).toMatchObject({ answer: { refused: 'internal' } });
    expect(bugs).toEqual([error]);
  });
});

describe('a later check of a call', () => {
  const late = async (change: () => void, row: Partial<RouteRow> = {}) => {
    serve({ row, handler: () => new Promise(() => {}) });
    change();
    return calls[0]!.recheck();
  };

  it('lets it act, and its outcome then counts', async () => {
    expect(await late(() => {})).toBe(null);
    expect(calls[0]!.deadline).toEqual({ passed: false, isLeft: false, isCommitted: true });
  });

  it('refuses it when its time is over, when the session has ended or the role', async () => {
    expect(await late(() => timers.at(-1)!())).toMatchObject({ refused: 'timed_out' });
    calls = [];
    world.role = 'admin';
    const demoted = await late(() => (world.role = 'user'), { role: 'admin' });
    expect(demoted).toMatchObject({ refused: 'not_authenticated' });
    expect(demoted!.details).toContain('has ended');
    calls = [];
    const ended = await late(() => (world.isOpen = false));
    expect(ended).toMatchObject({ refused: 'not_authenticated' });
    expect(ended!.details).toContain('unknown or has expired');
    expect(calls[0]!.deadline.isCommitted).toBe(false);
  });
});

describe('a body', () => {
  const headers = { 'content-type': 'application/json', 'content-length': '2' };
  const withBody = (served: Served = {}) =>
    serve({ row: { body: 'Nothing' }, headers, body: '{}', ...served });

  it('is hashed where that is needed; its unknown fields are named', async () => {
    const { response } = withBody();
    await response.ended;
    expect(tasks.at(-1)).toMatchObject({ needsHash: false });
    expect(response.headers['X-Armtwin-Ignored']).toBe('gr??e, x');
    for (const needed of [true, false]) {
      await withBody({ options: { needsBodyHash: () => needed } }).response.ended;
      expect(tasks.at(-1)).toMatchObject({ needsHash: needed });
    }
  });

  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('that creates: %s and has a key: %s is hashed if both', async (creates, hasKey) => {
    const given = { ...headers, ...(hasKey && { 'idempotency-key': 'k' }) };
    const row: Partial<RouteRow> = { body: 'Nothing', ...(creates && { creates }) };
    await withBody({ row, headers: given }).response.ended;
    expect(tasks).toMatchObject([{ needsHash: creates && hasKey }]);
  });

  it('that arrives after the time is over calls no handler', async () => {
    const { response, request } = withBody();
    timers.at(-1)!();
    await once(request, 'end');
    await new Promise((resolve) => setImmediate(resolve));
    const { status } = ERROR_ROWS.timed_out;
    expect([errorOf({ response })[0], tasks.length, calls]).toEqual([status, 1, []]);
  });

  it('that arrives after the session has ended calls no handler', async () => {
    const { response } = withBody();
    world.isOpen = false;
    await response.ended;
    expect([response.statusCode, calls]).toEqual([401, []]);
  });
});

describe('a reply', () => {
  it('that is a file has its media type and name', () => {
    const file = { name: 'run.csv', text: 'a,b\n' };
    const { response } = serve({
      row: { media: 'text/csv' },
      handler: () => ({ ...EMPTY, file }),
    });
    expect([String(response.bytes), response.statusCode]).toEqual(['a,b\n', 200]);
    expect(response.headers).toMatchObject({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="run.csv"',
    });
  });

  it('is empty, a text, or a repeated one', () => {
    const empty = serve({ options: { dialect: 'fielded' } }).response;
    expect([empty.statusCode, empty.ends]).toEqual([204, [undefined]]);
    const text = serve({ handler: () => ({ ...EMPTY, text: '{"a":1}' }) }).response;
    expect(String(text.bytes)).toBe('{"a":1}');
    const repeated = serve({ handler: () => ({ ...EMPTY, isRepeated: true }) }).response;
    expect(repeated.headers['Idempotency-Replayed']).toBe('true');
    expect(text.headers).not.toHaveProperty('Idempotency-Replayed');
  });

  it('that is a feed is its events', () => {
    const written: string[] = [];
    const feed = {
      isOver: false,
      open: ({ write }: EventSink) => void write('data: 1\n\n'),
      onDrain: () => {},
      close: () => written.push('closed'),
    };
    const { response } = serve({ handler: () => ({ ...EMPTY, feed }) });
    expect([String(response.bytes), response.ends]).toEqual(['data: 1\n\n', []]);
    expect(response.headers['Content-Type']).toContain('text/event-stream');
    response.emit('close');
    expect(written).toEqual(['closed']);
  });

  it.each(['headersSent', 'destroyed'])('is not written to a response that is %s', async (flag) => {
    const replied = new Promise<FakeResponse>((resolve) => {
      const { response } = serve({
        handler: async () => EMPTY,
        options: {
          beforeReply() {
            Object.assign(response, { [flag]: true });
            resolve(response);
            return true;
          },
        },
      });
    });
    expect((await replied).ends).toEqual([]);
  });

  it('may be held back: its connection then closes', async () => {
    const targets: object[] = [];
    const held = (isSent: boolean | Promise<boolean>) =>
      serve({
        options: {
          beforeReply(target) {
            targets.push(target);
            return isSent;
          },
        },
      });
    for (const no of [false, Promise.resolve(false)]) {
      const { response, request } = held(no);
      await Promise.resolve();
      expect([response.ends, request.socket.destroyed]).toEqual([[], true]);
    }
    const { response } = held(Promise.resolve(true));
    await response.ended;
    expect(response.statusCode).toBe(200);
    expect(targets[0]).toEqual({ method: 'GET', path: '/api/v1/any' });
  });

  it.each([
    [new Error('a bug'), 'internal', null],
    [new StorageError('full'), 'storage_failed', 'Nothing has changed'],
  ] as const)('to an error is one: %s', async (error, name, details) => {
    const thrown = serve({
      handler() {
        throw error;
      },
    });
    expect(errorOf(thrown)).toEqual([ERROR_ROWS[name].status, details]);
    const rejected = serve({ handler: () => Promise.reject(error) });
    await rejected.response.ended;
    expect(errorOf(rejected)).toEqual(errorOf(thrown));
    expect(bugs).toEqual([error, error]);
  });

  it('that cannot be written is an error, at once or later', async () => {
    const reply = { n: 1n };
    for (const handler of [() => ({ reply }), async () => ({ reply })]) {
      const got = serve({ handler });
      await got.response.ended;
      expect(errorOf(got)).toEqual([ERROR_ROWS.internal.status, null]);
    }
    expect(bugs).toEqual([expect.any(TypeError), expect.any(TypeError)]);
  });

  it('of a handler is a refusal or a reply', () => {
    expect(errorOf(serve({ handler: () => refuse('not_found', 'none') }))).toEqual([404, 'none']);
  });
});

it.each([
  ['auto', {}, 'documented'],
  ['auto', { 'user-agent': 'Automata EvaSDK/4.0' }, 'fielded'],
  ['auto', { 'user-agent': 'x Automata EvaSDK/4.0' }, 'documented'],
  ['auto', { 'user-agent': 'Go-http-client/1.1' }, 'fielded'],
  ['auto', { 'user-agent': 'python-requests/2.22.0' }, 'fielded'],
  ['auto', { 'user-agent': 'python-requests/2.22.0', 'content-type': 'a/b' }, 'documented'],
  ['auto', { 'user-agent': 'Go-http-client/1.1', 'content-type': 'a/b' }, 'documented'],
  ['fielded', {}, 'fielded'],
  ['documented', { 'user-agent': 'Automata EvaSDK/4.0' }, 'documented'],
] as const)('the dialect set to %s is, for %j, %s', (setting, headers, dialect) => {
  expect(dialectOf(setting, headers)).toBe(dialect);
});
