import { beforeEach, describe, expect, it } from 'vitest';
import {
  createFakeService,
  errorReply,
  type FakeReply,
  FakeSocket,
  FakeTime,
  logIns,
  type RecordedRequest,
  settled,
} from './client/fake-service.cases.ts';
import { ArmError, type ConnectOptions, connect } from './client.ts';

const baseUrl = 'http://arm.test:8080';
const joints: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];

describe('calls', () => {
  const service = createFakeService(() => ({ status: 200, body: { toolpaths: [] } }));

  it('send method, path, session and body', async () => {
    const arm = connect({ baseUrl: `${baseUrl}/`, session: 's', fetch: service.fetch });
    await arm.updateUser({ user_id: 7 }, { email: 'ada@example.org' });
    expect(service.requests.at(-1)).toEqual({
      call: 'PUT /api/v1/users/7',
      authorization: 'Bearer s',
      contentType: 'application/json',
      body: { email: 'ada@example.org' },
    });
  });

  it('send query parameters if there are any', async () => {
    const arm = connect({ baseUrl, session: 's', fetch: service.fetch });
    await arm.listRunEvents({ run_id: 3 }, { after: 12 });
    await arm.listRunEvents({ run_id: 3 });
    await arm.listRunEvents({ run_id: 3 }, {});
    const path = 'GET /workflow/v1/runs/3/events';
    const calls = service.requests.slice(-3).map(({ call }) => call);
    expect(calls).toEqual([`${path}?after=12`, path, path]);
    expect(service.requests.at(-3)?.body).toBeNull();
  });

  it('send no content type without a body, and a package unchanged', async () => {
    const arm = connect({ baseUrl, session: 's', fetch: service.fetch });
    expect(await arm.listToolpaths()).toEqual({ toolpaths: [] });
    expect(service.requests.at(-1)?.contentType).toBeNull();
    const bytes = new Uint8Array([1, 2]);
    await arm.uploadUpdate(bytes);
    expect(service.requests.at(-1)).toMatchObject({
      contentType: 'application/x.automata-update',
      body: bytes,
    });
  });

  it('resolve to undefined for {} in the fielded dialect', async () => {
    const field = createFakeService(() => ({ status: 200, body: {} }));
    const arm = connect({ baseUrl, session: 's', fetch: field.fetch });
    expect(await arm.goTo({ mode: 'teach', joints })).toBeUndefined();
  });

  it('are typed by the rows', () => {
    const arm = connect({ baseUrl, session: 's', fetch: service.fetch });
    // Only the compiler checks these.
    const wrong = [
      // @ts-expect-error a mode that does not exist
      () => arm.goTo({ mode: 'fast', joints }),
      // @ts-expect-error the path needs an id
      () => arm.getToolpath(),
      // @ts-expect-error a field that the schema does not have
      () => arm.goTo({ mode: 'teach', joints, speed: 1 }),
      // @ts-expect-error no body
      () => arm.pause({}),
      // @ts-expect-error no such query parameter
      () => arm.listRunEvents({ run_id: 3 }, { before: 3 }),
      // @ts-expect-error the reply has no such field
      async () => (await arm.getLock()).holder,
    ];
    expect(wrong).toHaveLength(6);
  });

  it('reject with the error of the service', async () => {
    const busy = createFakeService(() => errorReply(403, 3, 'lock already owned by someone else'));
    const arm = connect({ baseUrl, session: 's', fetch: busy.fetch });
    const error = await arm.takeLock().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ArmError);
    expect(error).toMatchObject({
      route: 'takeLock',
      status: 403,
      error_code: 3,
      title: 'lock already owned by someone else',
    });
  });

  it('reject with only a status when the reply has no error body', async () => {
    const proxy = createFakeService(() => ({ status: 502, body: 'bad gateway' }));
    const arm = connect({ baseUrl, session: 's', fetch: proxy.fetch });
    await expect(arm.pause()).rejects.toMatchObject({ status: 502, error_code: null });
  });
});

describe('sessions', () => {
  it('are created from the token once, on the first call that needs one', async () => {
    const service = logIns(['s1'], () => ({ status: 200, body: {} }));
    const arm = connect({ baseUrl, token: 'secret', fetch: service.fetch });
    await arm.getName();
    expect(service.requests[0]?.authorization).toBeNull();
    await Promise.all([arm.getLock(), arm.getLock(), arm.getSnapshot()]);
    const made = service.requests.filter((asked) => asked.call === 'POST /api/v1/auth');
    expect(made.map((asked) => asked.body)).toEqual([{ token: 'secret' }]);
  });

  it('are replaced when they expire, and the call is retried once', async () => {
    const ended = (asked: RecordedRequest) => asked.authorization === 'Bearer s1';
    const service = logIns(['s1', 's2'], (asked) =>
      ended(asked) ? errorReply(401, 5) : { status: 200, body: {} },
    );
    const logIn = { email: 'ada@example.org', password: 'a long and good one' };
    const arm = connect({ baseUrl, logIn, fetch: service.fetch });
    await Promise.all([arm.getLock(), arm.getLock()]);
    const calls = service.requests.map((asked) => asked.call);
    expect(calls.filter((call) => call.endsWith('/login'))).toHaveLength(2);
    expect(calls.filter((call) => call.endsWith('/lock'))).toHaveLength(4);
    expect(await arm.session()).toBe('s2');
  });

  it('that are refused again are not retried', async () => {
    const service = logIns(['s1', 's2', 's3'], () => errorReply(401, 5));
    const arm = connect({ baseUrl, token: 'secret', fetch: service.fetch });
    await expect(arm.getLock()).rejects.toMatchObject({ status: 401, error_code: 5 });
    expect(service.requests).toHaveLength(4);
  });

  it('given in the options are never replaced', async () => {
    const service = logIns([], () => errorReply(401, 5));
    const arm = connect({ baseUrl, session: 's', fetch: service.fetch });
    await expect(arm.getLock()).rejects.toMatchObject({ status: 401 });
    expect(service.requests).toHaveLength(1);
  });

  it('reject with the error of the log-in', async () => {
    const service = createFakeService(() => errorReply(401, 5, 'Wrong credentials'));
    const arm = connect({ baseUrl, token: 'wrong', fetch: service.fetch });
    await expect(arm.getLock()).rejects.toMatchObject({ route: 'createSession' });
  });

  it('that the client ended are created again', async () => {
    const service = logIns(['s1', 's2'], () => ({ status: 204 }));
    const arm = connect({ baseUrl, token: 'secret', fetch: service.fetch });
    await arm.endSession();
    expect(await arm.session()).toBe('s2');
  });
});

describe('events', () => {
  let time: FakeTime;
  let options: ConnectOptions;
  beforeEach(() => {
    time = new FakeTime();
    FakeSocket.made = [];
    const service = logIns(['s1', 's2'], () => ({ status: 204 }));
    const { fetch } = service;
    options = { baseUrl, token: 't', fetch, WebSocket: FakeSocket, schedule: time.schedule };
  });

  it('arrive on a socket with session and protocol', async () => {
    const seen: unknown[] = [];
    const stream = connect(options).events({ onEvent: (event) => seen.push(event) });
    await settled();
    const socket = FakeSocket.made[0]!;
    expect(socket.url).toBe('ws://arm.test:8080/api/v1/data/stream');
    expect(socket.protocols).toEqual(['SessionToken_s1', 'object']);
    socket.emit('onopen');
    await stream.opened;
    socket.emit('onmessage', { data: '{"type":"update_in_progress","message":"m"}' });
    expect(seen).toEqual([{ type: 'update_in_progress', message: 'm' }]);
    stream.close();
    expect(socket.closedWith).toBe(1000);
  });

  it.each([
    ['text', '{nope'],
    ['null', 'null'],
    ['a number', '7'],
    ['an object without a type', '{"a":1}'],
    ['a type that is no text', '{"type":7}'],
    ['a change without changes', '{"type":"state_change"}'],
    ['a change of null', '{"type":"state_change","changes":null}'],
    ['bytes', new Blob(['{}'])],
  ])('pass over %s, and go on', async (_what, data) => {
    const seen: unknown[] = [];
    connect(options).events({ onEvent: (event) => seen.push(event) });
    await settled();
    const socket = FakeSocket.made[0]!;
    socket.emit('onopen');
    expect(() => socket.emit('onmessage', { data })).not.toThrow();
    socket.emit('onmessage', { data: '{"type":"state_change","changes":{},"new":1}' });
    expect(seen).toEqual([{ type: 'state_change', changes: {}, new: 1 }]);
  });

  it('end with the socket without the reconnect option', async () => {
    const stream = connect(options).events({ onEvent: () => {} });
    await settled();
    FakeSocket.made[0]!.emit('onclose', { code: 1006 });
    await expect(stream.opened).rejects.toThrow('code 1006');
    await time.pass(60_000);
    expect(FakeSocket.made).toHaveLength(1);
  });

  it('reconnect with growing delays, which reset after success', async () => {
    const statuses: string[] = [];
    const onStatus = (status: string) => statuses.push(`${time.now_ms} ${status}`);
    connect(options).events({ onEvent: () => {}, onStatus, reconnect: true });
    await settled();
    for (const opens of [false, false, true]) {
      if (opens) FakeSocket.made.at(-1)!.emit('onopen');
      FakeSocket.made.at(-1)!.emit('onclose', { code: 4401 });
      await time.pass(1000);
    }
    expect(statuses).toEqual([
      '0 connecting',
      '0 waiting',
      '250 connecting',
      '1000 waiting',
      '1500 connecting',
      '2000 open',
      '2000 waiting',
      '2250 connecting',
    ]);
  });

  it('close with their client, also while they wait to reconnect', async () => {
    const arm = connect(options);
    const statuses: string[] = [];
    const onStatus = (status: string) => statuses.push(status);
    arm.events({ onEvent: () => {}, onStatus });
    arm.events({ onEvent: () => {}, reconnect: true });
    await settled();
    FakeSocket.made[1]!.emit('onclose', { code: 1001 });
    expect(time.waiting).toBe(1);
    arm.close();
    expect([statuses.at(-1), FakeSocket.made[0]!.closedWith, time.waiting]).toEqual([
      'closed',
      1000,
      0,
    ]);
    expect(() => arm.events({ onEvent: () => {} })).toThrow('the client is closed');
  });

  it('stop reconnecting when the session is refused', async () => {
    const service = createFakeService(() => errorReply(401, 5));
    const stream = connect({ ...options, fetch: service.fetch }).events({
      onEvent: () => {},
      reconnect: true,
    });
    await expect(stream.opened).rejects.toMatchObject({ status: 401 });
    await time.pass(60_000);
    expect(FakeSocket.made).toHaveLength(0);
  });

  it('stay closed when closed while waiting to reconnect', async () => {
    const stream = connect(options).events({ onEvent: () => {}, reconnect: true });
    await settled();
    FakeSocket.made[0]!.emit('onclose', { code: 1006 });
    stream.close();
    await time.pass(60_000);
    expect(FakeSocket.made).toHaveLength(1);
  });
});

describe('keepLock', () => {
  function lockService(
    takes: readonly FakeReply[],
    renew: () => FakeReply | Promise<FakeReply> = () => ({ status: 200 }),
  ) {
    let taken = 0;
    const service = createFakeService(({ call }) => {
      if (call.startsWith('POST')) return takes[taken++]!;
      return call.startsWith('PUT') ? renew() : { status: 200 };
    });
    const time = new FakeTime();
    const arm = connect({
      baseUrl,
      session: 's',
      fetch: service.fetch,
      schedule: time.schedule,
    });
    const methods = () => service.requests.map((asked) => asked.call.split(' ')[0]);
    return { arm, time, methods };
  }

  it('renews until released', async () => {
    const { arm, time, methods } = lockService([{ status: 200 }]);
    const lock = await arm.keepLock();
    await time.pass(5_000);
    await lock.release();
    await time.pass(60_000);
    expect(methods()).toEqual(['POST', 'PUT', 'PUT', 'DELETE']);
  });

  it('retries for wait_s while another user holds the lock', async () => {
    const { arm, time, methods } = lockService([
      errorReply(403, 3),
      errorReply(403, 3),
      { status: 200 },
    ]);
    const lock = arm.keepLock({ wait_s: 10 });
    await time.pass(4_000);
    expect((await lock).held).toBe(true);
    expect(methods()).toEqual(['POST', 'POST', 'POST']);
  });

  it('rejects at once without wait_s, and on any other error', async () => {
    await expect(lockService([errorReply(403, 3)]).arm.keepLock()).rejects.toMatchObject({
      error_code: 3,
    });
    const denied = lockService([errorReply(401, 5)]).arm.keepLock({ wait_s: 10 });
    await expect(denied).rejects.toMatchObject({ error_code: 5 });
  });

  it('calls onLost once when the lock is lost and does not release it', async () => {
    const lost: Error[] = [];
    const { arm, time, methods } = lockService([{ status: 200 }], () => errorReply(403, 3));
    const lock = await arm.keepLock({ renew_s: 1, onLost: (error) => lost.push(error) });
    await time.pass(400_000);
    await lock.release();
    expect(lost).toMatchObject([{ status: 403 }]);
    expect([lock.held, methods()]).toEqual([false, ['POST', 'PUT']]);
  });

  it.each<[string, () => FakeReply]>([
    [
      'the network',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
    ['the service', () => errorReply(503, 1)],
  ])('is not held while %s fails, and renewed again after', async (_name, fail) => {
    let tries = 0;
    const reply = () => (tries++ === 0 ? fail() : { status: 200 });
    const { arm, time } = lockService([{ status: 200 }], reply);
    const lock = await arm.keepLock({ renew_s: 1 });
    await time.pass(1_500);
    expect(lock.held).toBe(false);
    await time.pass(1_500);
    expect([lock.held, tries]).toEqual([true, 3]);
  });

  it.each<[string, () => FakeReply | Promise<FakeReply>]>([
    ['fails', () => errorReply(503, 1)],
    ['never ends', () => new Promise(() => {})],
  ])('is lost when each renewal %s for as long as it lasts', async (_name, reply) => {
    const lost: string[] = [];
    const { arm, time } = lockService([{ status: 200 }], reply);
    const lock = await arm.keepLock({ onLost: ({ message }) => lost.push(message) });
    await time.pass(299_000);
    expect(lost).toEqual([]);
    await time.pass(600_000);
    expect(lost).toEqual(['the lock is lost: no renewal has succeeded for 300 s']);
    expect([lock.held, time.waiting]).toEqual([false, 0]);
  });

  it.each<[object, string]>([
    ...[0, -1, Number.NaN, '2', 300, 1e9].map((renew_s): [object, string] => [
      { renew_s },
      'renew_s must be a number of seconds from 0.01',
    ]),
    [{ wait_s: -1 }, 'wait_s must be'],
    [{ wait_s: Number.NaN }, 'wait_s must be'],
    [{ renews: 1 }, 'no option “renews”; it takes renew_s, wait_s, onLost'],
    [{ onLost: 1 }, 'onLost must be a function'],
  ])('refuses the options %o', async (options, text) => {
    const { arm, methods } = lockService([{ status: 200 }]);
    await expect(arm.keepLock(options)).rejects.toThrow(text);
    expect(methods()).toEqual([]);
  });

  it('ends with its client, as waits and streams do: no timer is left', async () => {
    const { arm, time, methods } = lockService([{ status: 200 }]);
    const lock = await arm.keepLock();
    arm.close();
    arm.close();
    expect([lock.held, time.waiting]).toEqual([false, 0]);
    await lock.release();
    expect(methods()).toEqual(['POST']);
    await expect(arm.keepLock()).rejects.toThrow('the client is closed');
    const other = lockService([errorReply(403, 3)]);
    const waiting = other.arm.keepLock({ wait_s: 100 });
    await settled();
    other.arm.close();
    await expect(waiting).rejects.toThrow('the client is closed');
    expect(other.time.waiting).toBe(0);
  });
});
