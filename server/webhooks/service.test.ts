/** The webhook service: what becomes of events, of an earlier start, of a reset and of a close. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRefusal, refuse } from '../../contract/refusal.ts';
import type { Hook, RunEvent, SigningSecret } from '../../contract/types.generated.ts';
import { SimulatedWall } from '../service/http/simulated-network.cases.ts';
import { ALWAYS } from '../store/guard.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { Outbox } from './outbox.ts';
import type { RetryProfileName } from './retry-profiles.ts';
import { SimulatedCalls, turn } from './simulated-calls.cases.ts';
import { type HookOwner, Webhooks } from './webhooks.ts';

const ADDRESS = 'http://10.0.0.1:9/hooks';
const PLANNED: RunEvent = {
  sequence: 3,
  hook_type: 'NewPlanHook',
  body: { run_id: '7', timestamp: '2020-01-01T00:00:00.000Z', remaining_worktime: 9 },
};
const TEXT = JSON.stringify(PLANNED.body);
const HOOK: Hook = { type: 'NewPlanHook', parameters: { url: ADDRESS } };

let calls: SimulatedCalls;
beforeEach(() => {
  calls = new SimulatedCalls();
});
afterEach(() => calls.restore());

async function opened(profile: RetryProfileName = 'ci', given?: Store) {
  const store = given ?? (await openStore(':memory:'));
  const wall = new SimulatedWall();
  const rules = { allowPrivate: true, ownPort: () => 0 };
  const onUnsaved = (error: unknown) => expect.unreachable(String(error));
  const webhooks = new Webhooks({ store, profile, rules, wall, onUnsaved });
  const happen = async (owner: HookOwner, ...events: RunEvent[]) => {
    const send = await store.change((draft) => webhooks.addDeliveries(draft, owner, events));
    send();
    await turn();
  };
  const secretOf = async (user_id: number) =>
    ((await webhooks.showSecret(user_id, ALWAYS)) as SigningSecret).secret;
  return { store, wall, webhooks, happen, secretOf };
}

describe('an event', () => {
  it('is sent to every hook that matches, with the headers of the hook', async () => {
    const { webhooks, happen } = await opened();
    const headers = { 'X-Own': 'Mine', 'x-other': 'Yours' };
    const hooks: Hook[] = [
      { type: 'NewPlanHook', parameters: { url: ADDRESS, headers } },
      { type: 'RunStateChangeHook', parameters: { url: ADDRESS } },
      { type: 'NewPlanHook', parameters: { url: 'http://10.0.0.2/' } },
    ];
    await happen({ owner_id: 4, hooks }, PLANNED);
    const common = { owner_id: 4, run_id: '7', sequence: 3, hook_type: 'NewPlanHook', body: TEXT };
    expect(webhooks.outbox.pending).toMatchObject([
      { ...common, url: ADDRESS, headers: { 'x-own': 'Mine', 'x-other': 'Yours' } },
      { ...common, url: 'http://10.0.0.2/', headers: {} },
    ]);
    expect(calls.made.map(({ body }) => body)).toEqual([TEXT, TEXT]);
    expect(calls.made[0]!.header('x-own')).toBe('Mine');
  });

  it('without a hook that matches is not sent', async () => {
    const { webhooks, happen } = await opened();
    const hooks: Hook[] = [{ type: 'RunStateChangeHook', parameters: { url: ADDRESS } }];
    await happen({ owner_id: 1, hooks }, PLANNED);
    expect(await webhooks.outbox.ids(1, {})).toEqual([]);
    expect(webhooks.outbox.figures().pending).toBe(0);
    expect(calls.made.length).toBe(0);
  });
});

it('the tables of a data folder keep their names', async () => {
  const { store, happen, secretOf } = await opened();
  await happen({ owner_id: 1, hooks: [HOOK] }, PLANNED);
  const secret = await secretOf(1);
  const row = { owner_id: 1, run_id: '7', url: ADDRESS, state: 'pending' };
  expect(store.table('deliveries').get(1)).toEqual(row);
  expect(store.table('webhook_secrets').get(1)).toEqual({ secret, former: [] });
});

describe('deliveries of an earlier start', () => {
  const left = async () => {
    const store = await openStore(':memory:');
    const content = { owner_id: 1, run_id: '7', sequence: 3, hook_type: 'NewPlanHook' } as const;
    const contents = [{ ...content, url: ADDRESS, headers: {}, body: TEXT }];
    await store.change((draft) => new Outbox(store).add(draft, contents));
    return store;
  };

  it('are sent', async () => {
    await opened('ci', await left());
    await turn();
    expect(calls.made.map(({ body }) => body)).toEqual([TEXT]);
  });

  it('wait in the store while deliveries are off', async () => {
    const { webhooks } = await opened('off', await left());
    await turn();
    expect([webhooks.outbox.pending, webhooks.outbox.figures().pending]).toEqual([[], 1]);
    expect(calls.made.length).toBe(0);
  });
});

describe('while deliveries are off', () => {
  it('events are not stored, and every call of the service works', async () => {
    const { webhooks, happen } = await opened('off');
    await happen({ owner_id: 1, hooks: [HOOK] }, PLANNED);
    expect([webhooks.isOn, await webhooks.outbox.ids(1, {})]).toEqual([false, []]);
    const made = await webhooks.test(
      1,
      { url: ADDRESS, headers: {} },
      { event: PLANNED, onCreated: () => {} },
    );
    if (isRefusal(made)) throw new Error('refused');
    made.state = 'dead';
    await webhooks.outbox.settle(made);
    expect(await webhooks.redeliver([made], ALWAYS)).toBeNull();
    expect(made.state).toBe('pending');
    await webhooks.reset();
    webhooks.close();
    expect(await webhooks.outbox.ids(1, {})).toEqual([]);
    expect(webhooks.outbox.figures().pending).toBe(0);
    expect(calls.made.length).toBe(0);
  });
});

describe('a reset', () => {
  it('drops the deliveries, and brings back the signing secrets of the start', async () => {
    const { store, secretOf: before } = await opened();
    const secret = await before(1);
    const { webhooks, happen, secretOf } = await opened('ci', store);
    await webhooks.rotateSecret(1, ALWAYS);
    const later = await secretOf(2);
    for (let event = 0; event < 2; event++) await happen({ owner_id: 1, hooks: [HOOK] }, PLANNED);
    await webhooks.reset();
    await calls.last.answer(204);
    expect(calls.made.length).toBe(1);
    expect(await webhooks.outbox.ids(1, {})).toEqual([]);
    expect(await secretOf(1)).toBe(secret);
    expect(await secretOf(2)).not.toBe(later);
  });
});

describe('a test call during a reset', () => {
  const target = { url: ADDRESS, headers: {} };

  it.each([
    ['before', false],
    ['while', true],
  ])('leaves nothing where the reset begins %s it is stored', async (_when, isLate) => {
    const { webhooks } = await opened();
    let reset = Promise.resolve();
    const onCreated = () => {
      if (isLate) reset = webhooks.reset();
    };
    const tested = webhooks.test(1, target, { event: PLANNED, onCreated });
    if (!isLate) reset = webhooks.reset();
    await Promise.all([tested, reset]);
    await reset;
    await turn();
    expect(calls.made.length).toBe(0);
    expect(webhooks.outbox.figures()).toMatchObject({ pending: 0, delivered: 0 });
    const next = await webhooks.test(1, target, { event: PLANNED, onCreated: () => {} });
    await turn();
    expect(next).toMatchObject({ id: 1 });
    await calls.last.answer(204);
    expect(webhooks.outbox.figures()).toMatchObject({ pending: 0, delivered: 1 });
  });
});

it('a user whose secret was removed gets a new one', async () => {
  const { webhooks, secretOf } = await opened();
  const [mine, others] = [await secretOf(1), await secretOf(2)];
  await webhooks.removeSecret(1);
  expect(await secretOf(1)).not.toBe(mine);
  expect(await secretOf(2)).toBe(others);
});

it('nothing is sent after close', async () => {
  const { webhooks, happen } = await opened();
  webhooks.close();
  await happen({ owner_id: 1, hooks: [HOOK] }, PLANNED);
  expect([calls.made.length, webhooks.outbox.figures().pending]).toEqual([0, 1]);
});

it('a refused redelivery does not allow calls to a receiver that is gone', async () => {
  const { webhooks, happen } = await opened();
  const owner = { owner_id: 1, hooks: [HOOK] };
  await happen(owner, PLANNED);
  const [gone] = webhooks.outbox.pending;
  await calls.last.answer(410);
  const refusal = refuse('not_authenticated');
  expect(await webhooks.redeliver([gone!], () => refusal)).toBe(refusal);
  await happen(owner, PLANNED);
  expect(webhooks.outbox.figures()).toMatchObject({ pending: 0, disabled: 2 });
});
