/** What the calls about deliveries, test calls and signing secrets answer. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { HookTypeName } from '../../contract/types.generated.ts';
import type { Answer } from '../service/http/reply.ts';
import { SimulatedWall } from '../service/http/simulated-network.cases.ts';
import type { Draft } from '../store/draft.ts';
import { ALWAYS, type Guard } from '../store/guard.ts';
import { openStore } from '../store/open-store.ts';
import type { DeliveryContent } from './delivery-record.ts';
import { webhookHandlers } from './handlers.ts';
import type { RetryProfileName } from './retry-profiles.ts';
import { SimulatedCalls, turn } from './simulated-calls.cases.ts';
import { Webhooks } from './webhooks.ts';

const HOOK = 'http://10.0.0.1:9/hooks';
const NOW = '2020-01-01T00:00:05.000Z';
const TIME = { tick: 1250, now_s: 5, epoch_ms: Date.parse(NOW) };
const CONTENT: DeliveryContent = {
  owner_id: 1,
  run_id: '1',
  sequence: 1,
  hook_type: 'NewPlanHook',
  url: HOOK,
  headers: {},
  body: '{"n":1}',
};
const LATE: Refusal<'not_authenticated'> = refuse('not_authenticated');

let calls: SimulatedCalls;
beforeEach(() => {
  calls = new SimulatedCalls();
});
afterEach(() => calls.restore());

interface Given {
  readonly user_id?: number;
  readonly id?: number;
  readonly query?: object;
  readonly filters?: object;
  readonly body?: object;
  readonly recheck?: Guard;
  readonly record?: (draft: Draft, outcome: object) => void;
}

type HandlerName = keyof ReturnType<typeof webhookHandlers>;

async function opened(profile: RetryProfileName = 'ci', allowPrivate = true) {
  const store = await openStore(':memory:');
  const rules = { allowPrivate, ownPort: () => 8080, ownAddresses: () => [] };
  const onUnsaved = (error: unknown) => expect.unreachable(String(error));
  const wall = new SimulatedWall();
  const webhooks = new Webhooks({ store, profile, rules, wall, onUnsaved });
  const handlers = webhookHandlers(webhooks, TIME);
  const call = async (name: HandlerName, given: Given = {}): Promise<Answer> => {
    const { user_id = 1, id = 1, query = {}, filters = {}, body = {} } = given;
    const { recheck = ALWAYS, record = () => {} } = given;
    const parameters = { delivery_id: id };
    const request = { caller: { user_id }, parameters, query, filters, body, recheck, record };
    const handler = handlers[name] as (call: unknown) => Promise<Answer>;
    const reply = await handler(request);
    await turn();
    return reply;
  };
  const add = async (content: Partial<DeliveryContent> = {}) => {
    const contents = [{ ...CONTENT, ...content }];
    const [made] = await store.change((draft) => webhooks.outbox.add(draft, contents));
    webhooks.outbox.accept([made!]);
    await turn();
    return made!;
  };
  /** A delivery with the final state that a status leads to. */
  const settled = async (status: number, content: Partial<DeliveryContent> = {}) => {
    const delivery = await add(content);
    await calls.last.answer(status);
    return delivery;
  };
  return { store, webhooks, call, add, settled };
}

const problemsOf = (reply: Answer) => ('refused' in reply ? reply.details : reply);

describe('the list of deliveries', () => {
  it('is filtered by run, hook, state and page, and belongs to its caller', async () => {
    const { call, settled } = await opened();
    await settled(204);
    await settled(400, { run_id: '2' });
    await settled(204, { url: 'http://10.0.0.2/' });
    await settled(204, { owner_id: 2 });
    const listed = async (given: Given) => {
      const { reply } = (await call('listDeliveries', given)) as { reply: object };
      const { deliveries, next } = reply as { deliveries: { id: number }[]; next: unknown };
      return [deliveries.map(({ id }) => id), next];
    };
    expect(await listed({})).toEqual([[3, 2, 1], null]);
    expect(await listed({ user_id: 2 })).toEqual([[4], null]);
    expect(await listed({ query: { limit: 2 } })).toEqual([[3, 2], 2]);
    expect(await listed({ query: { limit: 2, before: 2 } })).toEqual([[1], null]);
    expect(await listed({ query: { run_id: 2 } })).toEqual([[2], null]);
    expect(await listed({ filters: { hook: HOOK } })).toEqual([[2, 1], null]);
    expect(await listed({ filters: { state: 'dead' } })).toEqual([[2], null]);
  });
});

describe('a delivery', () => {
  it('is shown to its owner alone', async () => {
    const { call, settled } = await opened();
    const { message_id } = await settled(204);
    expect(await call('getDelivery')).toEqual({
      reply: {
        delivery: {
          ...{ id: 1, message_id, run_id: '1', hook_type: 'NewPlanHook', url: HOOK, sequence: 1 },
          ...{ state: 'delivered', body: '{"n":1}' },
          attempts: [{ at: expect.any(String), status: 204, error: '', duration_ms: 0 }],
        },
      },
    });
    const missing = refuse('not_found', 'You have no delivery 1');
    expect(await call('getDelivery', { user_id: 2 })).toEqual(missing);
    expect(await call('redeliver', { user_id: 2 })).toEqual(missing);
    const other = refuse('not_found', 'You have no delivery 5');
    expect(await call('getDelivery', { id: 5 })).toEqual(other);
  });

  it('is sent again once it is settled, and answered as pending', async () => {
    const { call, settled } = await opened();
    await settled(410);
    const reply = await call('redeliver');
    expect(reply).toMatchObject({ reply: { delivery: { id: 1, state: 'pending' } } });
    expect([calls.open.length, calls.last.body]).toEqual([1, '{"n":1}']);
    const pending = 'The delivery is still pending; wait until it is settled';
    expect(await call('redeliver')).toEqual(refuse('wrong_state', pending));
    expect(calls.made.length).toBe(2);
  });

  it('is not sent again when the session has ended', async () => {
    const { call, settled, add } = await opened();
    await settled(410);
    expect(await call('redeliver', { recheck: () => LATE })).toEqual(LATE);
    await add();
    expect([calls.made.length, await call('getDelivery', { id: 2 })]).toMatchObject([
      1,
      { reply: { delivery: { state: 'disabled' } } },
    ]);
  });
});

describe('a redelivery of many', () => {
  it('counts those of the caller that match', async () => {
    const { call, settled } = await opened();
    await settled(400);
    await settled(400, { run_id: '2' });
    await settled(204, { url: 'http://10.0.0.2/' });
    await settled(400, { owner_id: 2 });
    const redelivered = (body: object) => call('redeliverAll', { body });
    expect(await redelivered({ run_id: 9 })).toEqual({ reply: { redelivered: 0 } });
    expect(await redelivered({ run_id: 2 })).toEqual({ reply: { redelivered: 1 } });
    expect(await redelivered({ hook: 'http://10.0.0.2/' })).toEqual({ reply: { redelivered: 1 } });
    expect(await redelivered({ state: 'dead' })).toEqual({ reply: { redelivered: 1 } });
    expect(calls.open.length).toBe(3);
  });

  it('ends with the part before the session did', async () => {
    const { webhooks, call, add } = await opened();
    for (let i = 0; i < 101; i++) await add();
    for (let i = 0; i < 101; i++) await calls.last.answer(400);
    expect(webhooks.outbox.figures().dead).toBe(101);
    let asked = 0;
    const recheck = () => (++asked > 1 ? LATE : null);
    expect(await call('redeliverAll', { recheck })).toEqual(LATE);
    expect(webhooks.outbox.figures()).toMatchObject({ pending: 100, dead: 1 });
  });

  it('of none asks for nothing', async () => {
    const { call } = await opened();
    const recheck = () => expect.unreachable('there is nothing to change');
    expect(await call('redeliverAll', { recheck })).toEqual({ reply: { redelivered: 0 } });
  });
});

describe('a test call', () => {
  const base = { run_id: 'test', timestamp: NOW };
  const samples: readonly [HookTypeName, object][] = [
    ['RunStateChangeHook', { ...base, state: 'started', message: 'test' }],
    [
      'TaskStateChangeHook',
      {
        ...{ ...base, task_id: 'test', instrument_id: 'test', state: 'started', action: 'test' },
        error: '',
      },
    ],
    ['SafetyStateChangeHook', { ...base, state: 'ok' }],
    [
      'LabwareMovementHook',
      {
        ...{ ...base, labware_id: 'test', state: 'started', source_instrument_id: 'test' },
        ...{ destination_instrument_id: 'test', source_slot: 1, destination_slot: 1 },
      },
    ],
    ['NewPlanHook', { ...base, remaining_worktime: 0 }],
  ];

  it.each(samples)('of a %s sends %j', async (hook_type, body) => {
    const { call } = await opened();
    const reply = await call('testHook', { body: { url: HOOK, hook_type } });
    const delivery = { id: 1, run_id: null, hook_type, url: HOOK, sequence: 1, state: 'pending' };
    expect(reply).toMatchObject({ reply: { delivery } });
    expect(calls.last.body).toBe(JSON.stringify(body));
    expect(calls.last.header('X-Hook-Type')).toBe(hook_type);
  });

  it('is of a run by default, with its headers in lower case', async () => {
    const { webhooks, call } = await opened();
    await call('testHook', { body: { url: HOOK, headers: { 'X-Own': 'Mine' } } });
    expect(webhooks.outbox.pending).toMatchObject([
      { hook_type: 'RunStateChangeHook', headers: { 'x-own': 'Mine' } },
    ]);
    expect(calls.last.header('x-own')).toBe('Mine');
  });

  it('records its reply in the transaction of its delivery', async () => {
    const { store, call } = await opened();
    const outcomes: object[] = [];
    const record = (draft: Draft, outcome: object) => {
      outcomes.push(outcome);
      expect(draft.get(store.table('deliveries'), 1)).toMatchObject({ state: 'pending' });
    };
    const { reply } = (await call('testHook', { body: { url: HOOK }, record })) as {
      readonly reply: { readonly delivery: object };
    };
    const delivery = { ...reply.delivery, attempts: [] };
    expect(outcomes).toEqual([{ reply: { delivery } }]);
  });

  const relative = { path: '/url', problem: 'must be an absolute http or https address' };

  it.each(['nowhere', 'ftp://a.test/', 'xhttp://a.test/', 'httpx://a.test/'])(
    'is refused to the address %s',
    async (url) => {
      const { webhooks, call } = await opened();
      const reply = await call('testHook', { body: { url } });
      expect(reply).toMatchObject({ refused: 'invalid_arguments' });
      expect(problemsOf(reply)).toEqual([relative]);
      expect(webhooks.outbox.figures().pending).toBe(0);
    },
  );

  it('is refused with every problem of its address and its headers', async () => {
    const { call } = await opened('ci', false);
    const headers = { 'X/Own': 'mine', 'Webhook-Id': 'mine', 'X-Good': 'x' };
    const reply = await call('testHook', { body: { url: HOOK, headers } });
    expect(problemsOf(reply)).toEqual([
      { path: '/url', problem: '10.0.0.1 is loopback or private, which is denied' },
      {
        path: '/headers/X~1Own',
        problem: 'must be a valid header name with a printable text value',
      },
      { path: '/headers/Webhook-Id', problem: 'is set by the sender; remove it' },
    ]);
    const many = Array.from({ length: limits.hook_headers + 1 }, (_, i) => [`X-${i}`, 'x']);
    const tooMany = { url: 'nowhere', headers: Object.fromEntries(many) as object };
    expect(problemsOf(await call('testHook', { body: tooMany }))).toEqual([
      relative,
      { path: '/headers/X-64', problem: 'is one of more than 64 headers' },
    ]);
  });
});

describe('while deliveries are off', () => {
  const off = refuse(
    'not_supported',
    'Webhook deliveries are off; start the twin with --webhooks ci or standard',
  );

  it('nothing is sent, and what would send is refused', async () => {
    const { call, add } = await opened('off');
    await add();
    expect(await call('testHook', { body: { url: HOOK } })).toEqual(off);
    expect(await call('redeliver')).toEqual(off);
    expect(await call('redeliverAll')).toEqual(off);
    expect(await call('getDelivery')).toMatchObject({ reply: { delivery: { state: 'pending' } } });
    expect(calls.made).toEqual([]);
  });
});

describe('the signing secret', () => {
  it('is shown and renewed', async () => {
    const { call } = await opened();
    const secretOf = (reply: Answer) =>
      (reply as Answer & { reply: { signing: { secret: string } } }).reply.signing;
    const first = secretOf(await call('getSecret'));
    expect(first).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previous_valid_until: null,
    });
    expect(secretOf(await call('getSecret'))).toEqual(first);
    expect(secretOf(await call('getSecret', { user_id: 2 })).secret).not.toBe(first.secret);
    const renewed = secretOf(await call('rotateSecret'));
    expect(renewed.secret).not.toBe(first.secret);
    expect(secretOf(await call('getSecret'))).toEqual(renewed);
  });

  it('is neither shown nor renewed when the session has ended', async () => {
    const { call } = await opened();
    const recheck = () => LATE;
    expect(await call('getSecret', { recheck })).toEqual(LATE);
    expect(await call('rotateSecret', { recheck })).toEqual(LATE);
  });
});
