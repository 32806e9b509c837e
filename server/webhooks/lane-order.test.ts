/** A lane of deliveries when one has ended: what is sent next, and when, also on a full disk. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedWall } from '../service/http/simulated-network.cases.ts';
import type { DeliveryRecord } from './delivery-record.ts';
import { DeliveryWorker } from './delivery-worker.ts';
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

async function opened() {
  const wall = new StandingWall();
  const unsaved: unknown[] = [];
  const { outbox, store, add } = await openOutbox();
  const worker = new DeliveryWorker({
    ...{ outbox, wall, profile: PROFILE, secretsOf: async () => ['whsec_AAAA'] },
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
  return { wall, store, worker, unsaved, send, fillDisk };
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
