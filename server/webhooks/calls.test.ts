/** When webhooks are called, how, in which order, and what clear and close leave of that. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { shareAlone, shares } from '../../contract/shares.ts';
import { SimulatedWall } from '../service/http/simulated-network.cases.ts';
import type { DeliveryContent, DeliveryRecord } from './delivery-record.ts';
import { DeliveryWorker, type DeliveryWorkerParts } from './delivery-worker.ts';
import { openOutbox } from './receiver.cases.ts';
import { type SimulatedCall, SimulatedCalls, turn } from './simulated-calls.cases.ts';

const CONTENT = {
  owner_id: 1,
  run_id: '1',
  sequence: 1,
  hook_type: 'NewPlanHook',
  url: 'http://10.0.0.1:9/hooks',
  headers: {},
  body: '{}',
} as const;

const PROFILE = { timeout_ms: 5000, at_ms: [0, 10_000, 30_000], jitter: 0, parked_ms: 60_000 };

let calls: SimulatedCalls;
beforeEach(() => {
  calls = new SimulatedCalls();
});
afterEach(() => calls.restore());

async function opened(parts: Partial<DeliveryWorkerParts> = {}) {
  const wall = new SimulatedWall();
  const { outbox, store, add } = await openOutbox();
  const worker = new DeliveryWorker({
    ...{ outbox, wall, profile: PROFILE, secretsOf: async () => ['whsec_AAAA'] },
    rules: { allowPrivate: true, ownPort: () => 0 },
    onUnsaved: (error) => expect.unreachable(String(error)),
    ...parts,
  });
  outbox.onReady = (delivery) => worker.enqueue(delivery);
  /** Queues one delivery; its call is made if it may be. */
  const send = async (content: Partial<DeliveryContent> = {}): Promise<DeliveryRecord> => {
    const [delivery] = await add({ ...CONTENT, ...content });
    await turn();
    return delivery!;
  };
  /** Advances to the next timer. */
  const step = async () => {
    wall.advance(wall.next_ms!);
    await turn();
  };
  return { wall, outbox, store, worker, add, send, step };
}

const host = (n: number) => `http://10.0.1.${n}:9/hooks`;
const runs = (calls: readonly SimulatedCall[]) => calls.map(({ body }) => body);
const statesOf = (deliveries: readonly DeliveryRecord[]) => deliveries.map(({ state }) => state);
const triesOf = (deliveries: readonly DeliveryRecord[]) =>
  deliveries.map(({ attempts }) => attempts.length);

describe('a call', () => {
  it.each([
    ['http://10.0.0.1/', { module: 'http', host: '10.0.0.1', port: 80, path: '/' }],
    ['http://10.0.0.1:9/a?b=c', { module: 'http', host: '10.0.0.1', port: 9, path: '/a?b=c' }],
    ['https://10.0.0.1/', { module: 'https', host: '10.0.0.1', port: 443, path: '/' }],
    ['https://10.0.0.1:8443/x', { module: 'https', host: '10.0.0.1', port: 8443, path: '/x' }],
    ['https://hooks.test/', { module: 'https', host: '10.0.0.7', port: 443, path: '/' }],
  ])('to %s goes to its address, port and path', async (url, wanted) => {
    const { send } = await opened({ resolve: async () => ['10.0.0.7'] });
    await send({ url });
    const { module, options } = calls.last;
    const { host, port, path, method, family } = options;
    expect({ module, host, port, path }).toEqual(wanted);
    expect([method, family, calls.last.header('Host')]).toEqual(['POST', 4, new URL(url).host]);
  });

  it.each([
    ['https://hooks.test:8443/', 'hooks.test'],
    ['https://10.0.0.1/', undefined],
    ['https://[fd12::1]:8443/', undefined],
    ['http://hooks.test/', undefined],
    ['http://10.0.0.1/', undefined],
  ])('to %s asks the receiver for the certificate of %s', async (url, servername) => {
    const { send } = await opened({ resolve: async () => ['10.0.0.7'] });
    await send({ url });
    expect(calls.last.options.servername).toBe(servername);
  });

  it('to an IPv6 address goes to it without brackets, which its host keeps', async () => {
    const { send } = await opened();
    await send({ url: 'https://[fd12::1]:8443/' });
    expect(calls.last.options).toMatchObject({ host: 'fd12::1', family: 6, port: 8443 });
    expect(calls.last.header('Host')).toBe('[fd12::1]:8443');
  });

  it('keeps the connections of its scheme', async () => {
    const { send } = await opened();
    for (const scheme of ['http', 'https']) {
      await send({ url: `${scheme}://10.0.0.1:9/` });
      const kept = { protocol: `${scheme}:`, keepAlive: true };
      expect(calls.last.options.agent).toMatchObject(kept);
    }
  });

  it('says what it holds, from whom, and which attempt it is', async () => {
    const { send, step } = await opened();
    const delivery = await send({ headers: { 'x-own': 'mine' }, body: '{"é":1}', sequence: 7 });
    await calls.last.answer(500);
    await step();
    expect(calls.last.body).toBe('{"é":1}');
    expect(calls.last.options.headers).toMatchObject({
      'x-own': 'mine',
      'Content-Type': 'application/json',
      'Content-Length': 8,
      'User-Agent': 'armtwin-webhooks',
      'webhook-id': delivery.message_id,
      'webhook-signature': expect.stringMatching(/^v1,\S{44}$/),
      'X-Hook-Type': 'NewPlanHook',
      'X-Hook-Attempt': '2',
      'X-Hook-Sequence': '7',
    });
  });
});

describe('an answer', () => {
  it.each([
    [199, 'pending'],
    [200, 'delivered'],
    [299, 'delivered'],
    [300, 'pending'],
    [400, 'dead'],
    [410, 'disabled'],
    [500, 'pending'],
  ])('with status %i leaves a delivery %s', async (status, state) => {
    const { send } = await opened();
    const delivery = await send();
    await calls.last.answer(status);
    expect(delivery.state).toBe(state);
    expect(delivery.attempts).toMatchObject([{ status, error: '' }]);
  });

  it.each([
    ['12', 12],
    ['7200', 3600],
    ['1970-01-12T13:46:59Z', 10],
    [new Date(1_577_836_800_000 + 1_000_000 + 25_000).toUTCString(), 25],
    [new Date(1_577_836_800_000 + 1_000_000 + 26_000).toISOString(), 26],
    [new Date(1_577_836_800_000 + 1_000_000 + 27_000).toUTCString().replace('GMT', '+0000'), 27],
    ['15 seconds', 10],
  ])('with Retry-After %s is followed by the next attempt after %d s', async (text, wait_s) => {
    const { wall, send } = await opened();
    await send();
    await calls.last.answer(503, { 'retry-after': text });
    let waited_ms = 0;
    while (calls.made.length === 1) {
      waited_ms += wall.next_ms!;
      wall.advance(wall.next_ms!);
      for (let i = 0; i < 5; i++) await turn();
    }
    expect(waited_ms).toBe(wait_s * 1000);
  });

  it('is followed by an attempt at a time that counts from the first one', async () => {
    const { wall, send, step } = await opened();
    const delivery = await send();
    wall.advance(4000);
    await calls.last.answer(500);
    expect(wall.next_ms).toBe(6000);
    await step();
    await calls.last.answer(500);
    expect(wall.next_ms).toBe(20_000);
    await step();
    await calls.last.answer(500);
    expect([wall.next_ms, delivery.state, delivery.attempts.length]).toEqual([null, 'dead', 3]);
  });

  it('is followed by an attempt that chance delays by a share of its time', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    try {
      const { wall, send } = await opened({ profile: { ...PROFILE, jitter: 0.2 } });
      await send();
      await calls.last.answer(500);
      expect(wall.next_ms).toBe(11_000);
    } finally {
      random.mockRestore();
    }
  });
});

describe('a receiver that is gone', () => {
  it('gets no other delivery of its lane until one is sent again', async () => {
    const { outbox, worker, send } = await opened();
    const deliveries = [await send(), await send(), await send()];
    const other = await send({ run_id: '2' });
    await calls.made[0]!.answer(410);
    expect(statesOf(deliveries)).toEqual(['disabled', 'disabled', 'disabled']);
    expect([triesOf(deliveries), other.state]).toEqual([[1, 0, 0], 'pending']);
    expect(calls.made.length).toBe(2);
    worker.reenable(deliveries[1]!);
    await outbox.requeue([deliveries[1]!], () => null);
    await turn();
    expect(calls.made.length).toBe(3);
    await calls.last.answer(204);
    expect(deliveries[1]!.state).toBe('delivered');
    await send();
    expect(calls.made.length).toBe(4);
  });

  it('is forgotten when too many others are gone', async () => {
    const { add, send } = await opened();
    const most = shareAlone(shares.disabled_hooks);
    const gone = async (...runs: readonly number[]) => {
      await add(...runs.map((run) => ({ ...CONTENT, run_id: String(run) })));
      await turn();
      while (calls.open.length > 0) await Promise.all(calls.open.map((call) => call.answer(410)));
    };
    await gone(...Array.from({ length: most }, (_, i) => i + 1));
    expect((await send({ run_id: '1' })).state).toBe('disabled');
    await gone(most + 1);
    expect((await send({ run_id: '2' })).state).toBe('disabled');
    expect((await send({ run_id: '1' })).state).toBe('pending');
  });
});

describe('a receiver that refuses connections', () => {
  const most_ms = limits.hook_parked_s * 1000;

  it.each([
    [most_ms - 1, 'pending'],
    [most_ms, 'dead'],
  ])('for %d ms leaves its delivery %s', async (refused_ms, state) => {
    const { wall, send } = await opened({ profile: { ...PROFILE, at_ms: [0] } });
    const delivery = await send();
    await calls.last.refuse();
    expect(wall.next_ms).toBe(500);
    wall.advance(refused_ms);
    await turn();
    await calls.last.refuse();
    expect([delivery.state, delivery.attempts.length]).toEqual([state, 2]);
  });

  it('is waited for again by the deliveries after those given up', async () => {
    const { wall, send } = await opened({ profile: { ...PROFILE, at_ms: [0] } });
    const first = await send();
    await calls.last.refuse();
    wall.advance(most_ms);
    await turn();
    await calls.last.refuse();
    const second = await send();
    await calls.last.refuse();
    expect([first.state, second.state, wall.next_ms]).toEqual(['dead', 'pending', 500]);
  });

  it('is listed with the first and the latest attempts, of which twenty are kept', async () => {
    const { send, step } = await opened();
    const delivery = await send();
    const times = [];
    for (let attempt = 1; attempt <= limits.hook_attempts + 5; attempt++) {
      await calls.last.refuse();
      times.push(delivery.attempts.at(-1)!.at);
      await step();
    }
    const half = limits.hook_attempts / 2;
    expect(delivery.attempts.map(({ at }) => at)).toEqual([
      ...times.slice(0, half),
      ...times.slice(-half),
    ]);
  });
});

describe('the order of calls', () => {
  it('within a lane is that of its deliveries, one at a time', async () => {
    const { send } = await opened();
    for (const body of ['a', 'b']) await send({ body });
    await calls.last.answer(204);
    expect(runs(calls.open)).toEqual(['b']);
    await send({ body: 'c' });
    expect(runs(calls.open)).toEqual(['b']);
    await calls.last.answer(204);
    expect(runs(calls.open)).toEqual(['c']);
    await calls.last.answer(204);
    expect(runs(calls.made)).toEqual(['a', 'b', 'c']);
  });

  it('to one host has four at a time; each end lets the next begin', async () => {
    const { send } = await opened();
    const names = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    for (const run_id of names) await send({ run_id, body: run_id });
    for (let ended = 0; ended < names.length; ended++) {
      expect(runs(calls.open)).toEqual(names.slice(ended, ended + 4));
      await calls.open[0]!.answer(204);
    }
    expect(runs(calls.made)).toEqual(names);
    for (const run_id of names) await send({ run_id });
    expect(calls.open.length).toBe(4);
  });

  it('to one host does not delay another host', async () => {
    const { send } = await opened();
    for (const run_id of ['1', '2', '3', '4', '5']) await send({ run_id });
    await send({ url: host(2), body: 'other' });
    expect(calls.open.length).toBe(5);
    expect(calls.last.body).toBe('other');
  });

  it('has a bounded number in all, and takes hosts in turn', async () => {
    const { send } = await opened();
    const most = shareAlone(shares.hook_in_flight);
    for (let i = 0; i < most; i++) await send({ run_id: String(i), url: host(i >> 2) });
    for (const body of ['a1', 'a2', 'b1', 'b2']) {
      await send({ run_id: body, body, url: host(body.startsWith('a') ? 101 : 102) });
    }
    const order = () => runs(calls.made.slice(most));
    expect([calls.open.length, order()]).toEqual([most, []]);
    for (let ended = 0; ended < 4; ended++) {
      await calls.made[4 * ended]!.answer(204);
      expect(calls.open.length).toBe(most);
    }
    expect(order()).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('is made for an owner whatever another has waiting, to the same host too', async () => {
    const { send } = await opened();
    for (let i = 0; i < 100; i++) {
      await send({ owner_id: 2, run_id: String(i), url: host(i >> 2) });
    }
    const most = shareAlone(shares.hook_in_flight);
    expect(calls.open.length).toBe(most);
    for (let i = 0; i < 4; i++) await send({ run_id: `mine ${i}`, body: `mine ${i}` });
    expect(calls.open.length).toBe(most + 4);
    expect(runs(calls.made.slice(most))).toEqual(['mine 0', 'mine 1', 'mine 2', 'mine 3']);
  });

  it('of safety events keeps them behind nothing: neither their run, nor their host, nor each other', async () => {
    const { wall, send } = await opened();
    const most = shareAlone(shares.hook_in_flight);
    for (let i = 0; i < most; i++) await send({ run_id: String(i), url: host(i >> 2) });
    const safety = { run_id: '0', url: host(0), hook_type: 'SafetyStateChangeHook' } as const;
    for (const body of ['waits', 'stop', 'ok']) {
      await send(body === 'waits' ? { run_id: '0', url: host(0), body } : { ...safety, body });
    }
    expect(runs(calls.made.slice(most))).toEqual(['stop', 'ok']);
    await calls.made[most]!.answer(500);
    wall.advance(10_000);
    await turn();
    expect(runs(calls.made).filter((body) => body === 'stop')).toHaveLength(2);
  });

  it('of safety events has a bounded number, of which an owner has a share', async () => {
    const { send } = await opened();
    const most = shareAlone(shares.safety_hooks_in_flight);
    const hook_type = 'SafetyStateChangeHook';
    for (let i = 0; i < 2 * most; i++) await send({ owner_id: 2, hook_type, url: host(i >> 2) });
    expect(calls.open.length).toBe(most);
    await send({ hook_type, body: 'mine' });
    expect([calls.open.length, calls.last.body]).toEqual([most + 1, 'mine']);
    await calls.last.answer(204);
    await calls.made[0]!.answer(204);
    expect(calls.open.length).toBe(most);
  });

  it('with unreadable addresses fails without a call', async () => {
    const { send } = await opened();
    const delivery = await send({ url: 'nowhere' });
    expect(delivery.attempts).toMatchObject([{ status: null, error: 'not an absolute address' }]);
    expect(calls.made).toEqual([]);
  });
});

it('goes on behind a body that was refused for good once that is on disk', async () => {
  const unsaved: unknown[] = [];
  const { send, step, store } = await opened({ onUnsaved: (error) => unsaved.push(error) });
  const refused = await send({ body: 'a', sequence: 1 });
  await send({ body: 'b', sequence: 2 });
  store.beforeCommit = () => {
    throw new Error('the disk is full');
  };
  await calls.last.answer(400);
  await turn();
  // After a crash now, the refused one would be sent behind the other.
  expect([runs(calls.made), unsaved.length]).toEqual([['a'], 1]);
  await step();
  expect([runs(calls.made), unsaved.length]).toEqual([['a'], 2]);
  store.beforeCommit = () => {};
  await step();
  expect([runs(calls.made), refused.state]).toEqual([['a', 'b'], 'dead']);
  await calls.last.answer(204);
});

describe('after clear', () => {
  it('a call in flight has no effect, and the rest of its lane is not sent', async () => {
    const { wall, outbox, worker, send } = await opened();
    const old = [await send({ body: 'old' }), await send({ body: 'old' })];
    worker.clear();
    await outbox.clear();
    const fresh = await send({ body: 'new' });
    expect(runs(calls.open)).toEqual(['old', 'new']);
    await calls.open[0]!.answer(204);
    expect(statesOf([...old, fresh])).toEqual(['pending', 'pending', 'pending']);
    await calls.open[0]!.answer(204);
    expect(fresh.state).toBe('delivered');
    expect([calls.made.length, wall.next_ms]).toEqual([2, null]);
  });

  it('no lane is sent that waited for its host, and the end of a call begins another', async () => {
    const { outbox, worker, send } = await opened();
    for (const run_id of ['1', '2', '3', '4', '5']) await send({ run_id, body: 'old' });
    worker.clear();
    await outbox.clear();
    await send({ body: 'new' });
    expect(runs(calls.open)).toEqual(['old', 'old', 'old', 'old']);
    await calls.open[0]!.answer(204);
    expect(runs(calls.open)).toEqual(['old', 'old', 'old', 'new']);
  });

  it('no host is called that waited for any call to end', async () => {
    const { outbox, worker, send } = await opened();
    const most = shareAlone(shares.hook_in_flight);
    for (let i = 0; i < most; i++) await send({ run_id: String(i), url: host(i >> 2) });
    await send({ url: host(101), body: 'old' });
    worker.clear();
    await outbox.clear();
    await calls.open[0]!.answer(204);
    expect(calls.open.length).toBe(most - 1);
    await send({ url: host(102), body: 'new' });
    expect(runs(calls.made.slice(most))).toEqual(['new']);
  });

  it('no retry is waited for, and a receiver that was gone is called again', async () => {
    const { wall, outbox, worker, send } = await opened();
    await send();
    await calls.last.answer(410);
    await send({ run_id: '2' });
    await calls.last.answer(500);
    expect(wall.next_ms).toBe(10_000);
    worker.clear();
    await outbox.clear();
    expect(wall.next_ms).toBeNull();
    await send();
    expect(calls.made.length).toBe(3);
  });
});

describe('after close', () => {
  it('nothing is sent, and no retry is waited for', async () => {
    const { wall, worker, send } = await opened();
    const retried = await send();
    await calls.last.answer(500);
    worker.close();
    expect(wall.next_ms).toBeNull();
    const late = await send({ run_id: '2' });
    expect(statesOf([retried, late])).toEqual(['pending', 'pending']);
    expect(calls.made.length).toBe(1);
  });

  it('a call in flight leaves its delivery pending, to be sent after the next start', async () => {
    const { outbox, worker, send } = await opened();
    const deliveries = [await send(), await send()];
    worker.close();
    await calls.last.answer(204);
    expect(statesOf(deliveries)).toEqual(['pending', 'pending']);
    expect([outbox.figures().pending, calls.made.length]).toEqual([2, 1]);
  });

  it('only timers that still wait are cancelled', async () => {
    const cancelled: string[] = [];
    const wall = new SimulatedWall();
    const { afterUnreferenced } = wall;
    wall.afterUnreferenced = (delay_ms, callback) => {
      let state = 'waiting';
      const cancel = afterUnreferenced(delay_ms, () => {
        state = 'fired';
        callback();
      });
      return () => {
        cancelled.push(state);
        state = 'cancelled';
        cancel();
      };
    };
    const { outbox, worker, send } = await opened({ wall });
    await send();
    await calls.last.answer(500);
    wall.advance(10_000);
    await turn();
    await calls.last.answer(500);
    await send({ run_id: '2' });
    await calls.last.answer(500);
    cancelled.length = 0;
    worker.clear();
    await outbox.clear();
    await send();
    await calls.last.answer(500);
    worker.close();
    expect(cancelled).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
  });
});
