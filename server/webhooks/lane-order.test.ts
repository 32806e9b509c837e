/** A lane of deliveries when one has ended or fails: what is sent next, and when, also on a full disk. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { SimulatedWall } from '../service/http/simulated-network.cases.ts';
import type { DeliveryRecord } from './delivery-record.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { Outbox } from './outbox.ts';
import { openOutbox } from './receiver.cases.ts';
import { SimulatedCalls, turn } from './simulated-calls.cases.ts';

const CONTENT = {
  owner_id: 1,
  run_id: '1',
  sequence: 1,
  hook_type: 'NewPlanHook',
  url: 'http://10.0.0.1:9/hooks',
  headers: {},
} as const;

const PROFILE = { timeout_ms: 5000, at_ms: [0, 10_000, 30_000], jitter: 0, parked_ms: 60_000 };

/** A wall clock that a process misses while it stands: its timers fire late. */
class StandingWall extends SimulatedWall {
  private lost_ms = 0;

  override now_ms = (): number => this.epoch_ms() - 1_577_836_800_000 + this.lost_ms;

  /** Lets time pass without a timer. */
  stand(duration_ms: number): void {
    this.lost_ms += duration_ms;
  }
}

let calls: SimulatedCalls;
beforeEach(() => {
  calls = new SimulatedCalls();
});
afterEach(() => calls.restore());

async function opened(profile = PROFILE) {
  const wall = new StandingWall();
  const unsaved: unknown[] = [];
  const { outbox, store, add } = await openOutbox();
  const worker = new DeliveryWorker({
    ...{ outbox, wall, profile, secretsOf: async () => ['whsec_AAAA'] },
    rules: { allowPrivate: true, ownPort: () => 0 },
    onUnsaved: (error) => unsaved.push(error),
  });
  outbox.onReady = (delivery) => worker.enqueue(delivery);
  /** Queues one delivery behind the others of its lane. */
  const send = async (body: string): Promise<DeliveryRecord> => {
    const [delivery] = await add({ ...CONTENT, body });
    await turn();
    return delivery!;
  };
  /** The disk is full; `meanwhile` happens at each write. */
  const fillDisk = (meanwhile = () => {}) => {
    store.beforeCommit = () => {
      meanwhile();
      throw new Error('the disk is full');
    };
  };
  /** Lets time pass, and all that follows from it happen. */
  const pass = async (duration_ms: number) => {
    wall.advance(duration_ms);
    for (let i = 0; i < 5; i++) await turn();
  };
  /** Lets the latest call fail, at the times of its attempts, until it has had so many. */
  const fail = async (attempts: number) => {
    for (let failed = 1; failed < attempts; failed++) {
      await calls.last.answer(500);
      await pass(wall.next_ms!);
    }
    await calls.last.answer(500);
  };
  return { wall, store, outbox, worker, unsaved, send, fillDisk, pass, fail };
}

const made = () => calls.made.map(({ body }) => body);

it('goes on at once behind a delivery that was received, although the disk is full', async () => {
  const { wall, unsaved, send, fillDisk } = await opened();
  const [first] = [await send('a'), await send('b')];
  fillDisk();
  await calls.last.answer(204);
  expect([first.state, made(), wall.next_ms]).toEqual(['delivered', ['a', 'b'], 5000]);
  expect(unsaved).toEqual([new Error('the disk is full')]);
});

it('counts the times of the attempts of each delivery from its own first one', async () => {
  const { wall, send } = await opened();
  for (const body of ['a', 'b']) await send(body);
  await calls.last.answer(500);
  wall.advance(10_000);
  await turn();
  await calls.last.answer(204);
  expect(made()).toEqual(['a', 'a', 'b']);
  await calls.last.answer(500);
  expect(wall.next_ms).toBe(10_000);
});

it('moves later attempts by the time that the process stood during one', async () => {
  const { wall, send } = await opened();
  await send('a');
  wall.stand(PROFILE.timeout_ms + 7000);
  await calls.last.answer(500);
  // The attempt may take its timeout: so much of the wait for the next one has passed.
  expect(wall.next_ms).toBe(5000);
});

describe('a delivery that was refused for good', () => {
  it('lets no other of its lane be sent when all are dropped while that is stored', async () => {
    const { wall, store, worker, send } = await opened();
    for (const body of ['a', 'b']) await send(body);
    store.beforeCommit = () => worker.clear();
    await calls.last.answer(400);
    await turn();
    expect([made(), wall.next_ms]).toEqual([['a'], null]);
  });

  it.each(['clear', 'close'] as const)('is not stored again after %s', async (end) => {
    const { wall, worker, unsaved, send, fillDisk } = await opened();
    await send('a');
    fillDisk(() => worker[end]());
    await calls.last.answer(400);
    await turn();
    expect([unsaved.length, wall.next_ms]).toEqual([1, null]);
  });
});

describe('a delivery that fails for longer than it may keep back others', () => {
  const LONG = { ...PROFILE, at_ms: [0, 5000, 300_000, 600_000] };
  const ordered_ms = limits.hook_ordered_s * 1000;

  it('waits aside, and the later ones of its run go on with their numbers', async () => {
    const { send, pass, fail } = await opened(LONG);
    for (const body of ['a', 'b', 'c']) await send(body);
    await fail(2);
    await pass(ordered_ms - 5000 - 1);
    expect(made()).toEqual(['a', 'a']);
    await pass(1);
    expect(made()).toEqual(['a', 'a', 'b']);
    for (const body of ['b', 'c']) {
      expect(calls.last.body).toBe(body);
      await calls.last.answer(204);
    }
    await send('d');
    expect(made()).toEqual(['a', 'a', 'b', 'c', 'd']);
  });

  it('has its further attempts at their times, listed and numbered on', async () => {
    const { wall, outbox, send, pass, fail } = await opened(LONG);
    const { id, message_id } = await send('a');
    await fail(2);
    await pass(ordered_ms - 5000);
    expect(wall.next_ms).toBe(300_000 - ordered_ms);
    await pass(300_000 - ordered_ms);
    await calls.last.answer(500);
    await pass(0);
    expect(wall.next_ms).toBe(300_000);
    await pass(300_000);
    expect(made()).toEqual(['a', 'a', 'a', 'a']);
    const named = calls.made.map((call) => [
      call.header('webhook-id'),
      call.header('X-Hook-Attempt'),
    ]);
    expect(named).toEqual(['1', '2', '3', '4'].map((attempt) => [message_id, attempt]));
    await calls.last.answer(204);
    const shown = await outbox.find(1, id);
    expect([shown!.state, shown!.attempts.length, wall.next_ms]).toEqual(['delivered', 4, null]);
  });

  it('is dead after its last attempt', async () => {
    const { outbox, send, pass, fail } = await opened(LONG);
    const { id } = await send('a');
    await fail(2);
    for (const duration_ms of [ordered_ms - 5000, 300_000 - ordered_ms]) await pass(duration_ms);
    await calls.last.answer(500);
    await pass(0);
    await pass(300_000);
    await calls.last.answer(500);
    await pass(0);
    expect((await outbox.find(1, id))!.state).toBe('dead');
    expect([outbox.figures().dead, outbox.figures().pending]).toEqual([1, 0]);
  });

  it('holds up those behind it no longer than 30 s for a Retry-After', async () => {
    const { send, pass } = await opened(LONG);
    for (const body of ['a', 'b']) await send(body);
    await calls.last.answer(429, { 'retry-after': '3600' });
    await pass(ordered_ms - 1);
    expect(made()).toEqual(['a']);
    await pass(1);
    expect(made()).toEqual(['a', 'b']);
    await calls.last.answer(204);
    await pass(3600_000 - ordered_ms);
    expect(made()).toEqual(['a', 'b', 'a']);
  });

  it('ends all deliveries to the address with a 410', async () => {
    const { outbox, send, pass, fail } = await opened(LONG);
    const { id } = await send('a');
    await fail(2);
    await pass(ordered_ms - 5000);
    await pass(300_000 - ordered_ms);
    await calls.last.answer(410);
    const later = await send('b');
    await pass(0);
    expect([(await outbox.find(1, id))!.state, later.state]).toEqual(['disabled', 'disabled']);
    expect(calls.made.length).toBe(3);
  });

  it('keeps back the others of its run until that is on disk', async () => {
    const { store, unsaved, send, pass, fail, fillDisk } = await opened(LONG);
    for (const body of ['a', 'b']) await send(body);
    await fail(2);
    fillDisk();
    await pass(ordered_ms - 5000);
    expect([made(), unsaved.length]).toEqual([['a', 'a'], 1]);
    store.beforeCommit = () => {};
    await pass(1000);
    expect(made()).toEqual(['a', 'a', 'b']);
  });

  it('keeps back no other after a restart', async () => {
    const { store, worker, send, pass, fail } = await opened(LONG);
    for (const body of ['a', 'b']) await send(body);
    await fail(2);
    await pass(ordered_ms - 5000);
    worker.close();
    const again = new Outbox(store);
    const lanes: string[] = [];
    again.onReady = ({ body, isAlone, attempts }) => {
      lanes.push(`${body} ${isAlone ? 'alone' : 'in order'} ${attempts.length}`);
    };
    again.resume();
    await pass(0);
    expect(lanes.sort()).toEqual(['a alone 2', 'b in order 0']);
  });

  it('is not sent when all are dropped', async () => {
    const { wall, outbox, worker, send, pass, fail } = await opened(LONG);
    await send('a');
    await fail(2);
    await pass(ordered_ms - 5000);
    worker.clear();
    await outbox.clear();
    expect(wall.next_ms).toBeNull();
  });

  it('is sent in the order of its lane when it is queued again', async () => {
    const { outbox, send, pass, fail } = await opened({ ...LONG, at_ms: [0, 5000, 300_000] });
    const { id } = await send('a');
    await fail(2);
    await pass(ordered_ms - 5000);
    await pass(300_000 - ordered_ms);
    await calls.last.answer(500);
    await pass(0);
    await send('b');
    const [dead] = await outbox.settledAmong(1, [id]);
    await outbox.requeue([dead!], () => null);
    await pass(0);
    expect(made()).toEqual(['a', 'a', 'a', 'b']);
    await calls.last.answer(204);
    expect(made().at(-1)).toBe('a');
    expect(calls.last.header('X-Hook-Attempt')).toBe('1');
  });
});
