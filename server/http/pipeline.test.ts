/** The pipeline of one route with fakes of the services: refusals, the call, and the reply. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { ERROR_ROWS } from '../../contract/errors.ts';
import { refuse } from '../../contract/refusal.ts';
import type { RouteRow } from '../../contract/routes.ts';
import type { WallClock } from '../clock/clock.ts';
import { StorageError } from '../store/disk.ts';
import { FakeResponse } from './fake-response.cases.ts';
import { type AnyHandler, dialectOf, Pipeline, type PipelineOptions } from './pipeline.ts';
import { EMPTY, type SessionCall } from './reply.ts';

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
beforeEach(() => {
  Object.assign(world, { role: 'user', isOpen: true, holdsLock: true });
  [timers, tasks, bugs, calls] = [[], [], [], []];
});

const services = {
  wall: {
    afterUnreferenced(_delay_ms: number, callback: () => void) {
      timers.push(callback);
      return () => {};
    },
  } as Partial<WallClock>,
  sessions: { find: (secret: string) => (secret === 's' && world.isOpen ? { user_id: 1 } : null) },
  users: { find: (id: number) => (id < 3 ? { role: world.role } : null) },
  library: { find: (_owner: number, id: number) => (id === 5 ? {} : null) },
  robot: { holdsLock: () => world.holdsLock, memory: {} },
  documents: {
    pauseAfter: () => 0,
    async body(task: object) {
      tasks.push(task);
      return { body: {}, ignored: ['größe', 'x'], sha256: null };
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

interface Served {
  readonly row?: Partial<RouteRow>;
  readonly values?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly handler?: AnyHandler;
  readonly options?: Partial<PipelineOptions>;
}

/** Serves one request; the handler notes the call. */
function serve({ row, values, headers = {}, body, handler, options }: Served = {}) {
  const response = new FakeResponse();
  const note: AnyHandler = (call, given) => {
    calls.push(call as SessionCall);
    return handler?.(call, given) ?? { reply: { done: true } };
  };
  const common = { services, dialect: 'documented', onBug: (error: unknown) => bugs.push(error) };
  const all = { ...common, ...options } as object as PipelineOptions;
  const request = requestOf(headers, body);
  new Pipeline({ ...ROW, ...row }, note, all).serve(request, response.asResponse, values);
  return { response, request };
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
        ...{ caller: { user_id: 1, role: 'user' }, address: '', dialect: 'documented' },
      },
    ]);
    expect(response.headers['X-Armtwin-User']).toBe('1');
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
    const { response } = serve({ row: { auth: 'none' }, headers: { authorization: 'Bearer t' } });
    expect([response.statusCode, 'caller' in calls[0]!]).toEqual([200, false]);
    expect(response.headers).not.toHaveProperty('X-Armtwin-User');
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

  it('of a handler is a refusal or a reply', () => {
    expect(errorOf(serve({ handler: () => refuse('not_found', 'none') }))).toEqual([404, 'none']);
  });
});

it.each([
  ['auto', {}, 'documented'],
  ['auto', { 'user-agent': 'Automata EvaSDK/4.0' }, 'fielded'],
  ['auto', { 'user-agent': 'x Automata EvaSDK/4.0' }, 'documented'],
  ['auto', { 'user-agent': 'Go-http-client/1.1' }, 'fielded'],
  ['auto', { 'user-agent': 'Go-http-client/1.1', 'content-type': 'a/b' }, 'documented'],
  ['fielded', {}, 'fielded'],
  ['documented', { 'user-agent': 'Automata EvaSDK/4.0' }, 'documented'],
] as const)('the dialect set to %s is, for %j, %s', (setting, headers, dialect) => {
  expect(dialectOf(setting, headers)).toBe(dialect);
});
