/** Idempotency keys alone: what a key is of, which keys are kept, and calls with one at a time. */

import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import type { ResetScope } from '../../../contract/types.generated.ts';
import type { ReadBody } from '../../documents/body-task.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { hasKey, IdempotencyKeys, type KeyedCall, keyedCallOf } from './idempotency.ts';
import type { Answer } from './reply.ts';

type Row = Pick<KeyedCall, 'user_id' | 'digest' | 'password'> & {
  readonly at_ms: number;
  readonly scope: KeyedCall['scope'];
};

const callOf = (user_id: number, key: string, digest = 'a'): KeyedCall => {
  return { user_id, scope: null, id: `${user_id} ${key}`, digest, password: null };
};

const keysIn = (store: Store, wall = { now_ms: () => 0, epoch_ms: () => 0 }) =>
  new IdempotencyKeys({ store, wall, passwords: { hash: async (text) => `hash of ${text}` } });

/** A store with these rows of keys, from before a start. */
async function storeWith(rows: Readonly<Record<string, Partial<Row>>>): Promise<Store> {
  const store = await openStore(':memory:');
  const table = store.table<Row>('idempotency_keys');
  const common = { user_id: 1, digest: 'a', password: null, at_ms: 0, scope: null };
  await store.change((draft) => {
    for (const [id, row] of Object.entries(rows)) {
      draft.put(table, id, { row: { ...common, ...row }, body: '{"reply":{}}' });
    }
  });
  return store;
}
const MOST = limits.idempotency_keys_per_user;
const rowsOf = (count: number): Record<string, Partial<Row>> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`1 ${i}`, { at_ms: 10 + i }]));
const idsIn = (store: Store) => [...store.table('idempotency_keys').rows()].map(([id]) => id);

describe('the key of a request', () => {
  const keyed = (parts: { url?: string; key?: string | string[]; read?: Partial<ReadBody> }) => {
    const { url = '/api/v1/users', key = 'k', read } = parts;
    const request = { method: 'POST', url, headers: { 'idempotency-key': key } };
    const body = { body: {}, sha256: 'whole', ignored: [], ...read };
    return keyedCallOf(request, 1, body) as KeyedCall;
  };

  it.each([
    ['/api/v1/toolpaths', 'toolpaths'],
    ['/api/v1/users/7/tokens', 'users'],
    ['/workflow/v1/webhooks/test', 'workflows'],
    ['/sim/v1/states', null],
  ])('at %s is of %s', (url, scope) => {
    expect(keyed({ url }).scope).toBe(scope);
  });

  it('is in its header, also where it is malformed', () => {
    const has = (headers: object) => hasKey({ headers } as IncomingMessage);
    expect([{}, { 'idempotency-key': 'k' }, { 'idempotency-key': '' }].map(has)).toEqual([
      ...[false, true, true],
    ]);
  });

  const longer = 'x'.repeat(limits.idempotency_key_characters + 1);
  it.each(['', ' k', 'k ', 'a\tb', '€', longer, ['a', 'b']].map((key) => ({ key })))(
    'is short printable ASCII in one header, not $key',
    ({ key }) => {
      const path = 'Idempotency-Key';
      expect(keyed({ key })).toMatchObject({ refused: 'invalid_arguments', details: [{ path }] });
    },
  );

  it('may be as long as the limit', () => {
    const key = 'x'.repeat(limits.idempotency_key_characters);
    expect(keyed({ key }).id).toMatch(/^1 [0-9a-f]{64}$/);
  });

  it('has a digest of the whole body, but of no password', () => {
    const bodies = [{ password: 'one' }, { password: 'two' }];
    const [one, two] = bodies.map((body, i) => keyed({ read: { body, sha256: `of ${i}` } }));
    expect([one!.password, two!.password]).toEqual(['one', 'two']);
    expect(one!.digest).toBe(two!.digest);
    const other = { password: 'one', email: 'ada@example.org' };
    expect(keyed({ read: { body: other } }).digest).not.toBe(one!.digest);
    for (const body of [{ name: 'a' }, { password: 7 }, undefined]) {
      const [first, second] = ['of 1', 'of 2'].map((sha256) => keyed({ read: { body, sha256 } }));
      expect([first!.password, second!.password]).toEqual([null, null]);
      expect(first!.digest).not.toBe(second!.digest);
      expect(keyed({ read: { body, sha256: 'of 1' } })).toEqual(first);
    }
  });
});

describe('calls with one key', () => {
  /** Calls that the test ends, and what has begun. */
  async function calls() {
    const keys = keysIn(await openStore(':memory:'));
    const begun: number[] = [];
    const ends: ((answer: Answer | Error) => void)[] = [];
    const make = (call: number) =>
      keys.once(callOf(1, 'k'), () => {
        begun.push(call);
        return new Promise((resolve, reject) => {
          ends[call] = (end) => (end instanceof Error ? reject(end) : resolve(end));
        });
      });
    return { begun, ends, make };
  }
  const REFUSED: Answer = { refused: 'lock_not_held', details: null, count: 0 };

  it('run one after another, also those that come after the first has ended', async () => {
    const { begun, ends, make } = await calls();
    const [first, second] = [make(0), make(1)];
    await expect.poll(() => begun).toEqual([0]);
    ends[0]!(REFUSED);
    expect(await first).toBe(REFUSED);
    await expect.poll(() => begun).toEqual([0, 1]);
    const third = make(2);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    ends[1]!(REFUSED);
    await second;
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    ends[2]!({ reply: { id: 7 } });
    expect(await third).toEqual({ reply: { id: 7 } });
  });

  it('go on after one that failed', async () => {
    const { begun, ends, make } = await calls();
    const [failed, second] = [make(0), make(1)];
    await expect.poll(() => begun).toEqual([0]);
    ends[0]!(new Error('full'));
    await expect(failed).rejects.toThrow('full');
    await expect.poll(() => begun).toEqual([0, 1]);
    ends[1]!({ reply: { id: 7 } });
    expect(await second).toEqual({ reply: { id: 7 } });
  });
});

describe('keys of before a start', () => {
  const add = (keys: IdempotencyKeys, { store, user_id }: { store: Store; user_id: number }) =>
    keys.once(callOf(user_id, 'new'), (record) =>
      store.change((draft) => {
        record(draft, { reply: {} });
        return { reply: {} };
      }),
    );

  it('count for the limit of their user, the oldest first', async () => {
    const store = await storeWith({
      ...rowsOf(MOST - 1),
      ...{ '1 oldest': { at_ms: 5 }, '2 other': { user_id: 2, at_ms: 1 } },
    });
    await add(keysIn(store), { store, user_id: 1 });
    const left = idsIn(store);
    expect(left).toHaveLength(MOST + 1);
    expect(left).not.toContain('1 oldest');
    expect(left).toEqual(expect.arrayContaining(['1 0', '1 new', '2 other']));
  });

  it('are removed with the next one once they have expired', async () => {
    const store = await storeWith({ '1 a': {}, '1 b': { at_ms: 1 }, '2 c': { user_id: 2 } });
    const now_ms = () => limits.idempotency_key_s * 1000 + 1;
    await add(keysIn(store, { now_ms, epoch_ms: now_ms }), { store, user_id: 1 });
    expect(idsIn(store)).toEqual(['1 b', '2 c', '1 new']);
  });

  it('with a password are used for a call without it', async () => {
    const store = await storeWith({ '1 new': { password: 'hash of one' } });
    const got = await add(keysIn(store), { store, user_id: 1 });
    expect(got).toMatchObject({ refused: 'idempotency_key_used' });
    const same = await storeWith({ '1 new': {} });
    expect(await add(keysIn(same), { store: same, user_id: 1 })).toMatchObject({
      isRepeated: true,
    });
  });

  const ROWS: Readonly<Record<string, Partial<Row>>> = {
    t: { scope: 'toolpaths' },
    u: { scope: 'users' },
    w: { scope: 'workflows' },
    unknown: { scope: null },
    'of 2': { user_id: 2, scope: 'users' },
  };
  it.each([
    [['toolpaths'], ['u', 'w', 'of 2']],
    [
      ['users', 'clock'],
      ['t', 'w'],
    ],
    [['workflows'], ['t', 'u', 'of 2']],
    [['clock'], ['t', 'u', 'w', 'unknown', 'of 2']],
  ] as [ResetScope[], string[]][])('are forgotten with what %j resets', async (scopes, left) => {
    const store = await storeWith(ROWS);
    const keys = keysIn(store);
    await store.change((draft) => keys.forget(draft, { scopes: new Set(scopes) }));
    expect(idsIn(store)).toEqual(left);
    const users = new Set([1]);
    await store.change((draft) => keys.forget(draft, { scopes: new Set(), users }));
    expect(idsIn(store)).toEqual(left.filter((id) => id !== 'of 2'));
  });

  it('of workflows are forgotten together', async () => {
    const store = await storeWith(ROWS);
    await keysIn(store).forgetWorkflows();
    expect(idsIn(store)).toEqual(['t', 'u', 'of 2']);
  });
});

describe('keys', () => {
  /** `jump_ms` is what the system's date has been changed by. */
  async function keysWith(passed: { ms: number; jump_ms?: number }, rows = {}) {
    const store = await storeWith(rows);
    const wall = { now_ms: () => passed.ms, epoch_ms: () => passed.ms + (passed.jump_ms ?? 0) };
    const keys = keysIn(store, wall);
    const made = store.table<string>('made');
    const create = (call: KeyedCall) =>
      keys.once(call, (record) =>
        store.change((draft) => {
          const id = draft.nextNumber('made');
          draft.put(made, id, { row: call.id });
          record(draft, { reply: { id } });
          return { reply: { id } };
        }),
      );
    return { store, keys, made, create, table: store.table('idempotency_keys') };
  }

  it('are those of one user, and are forgotten with the user', async () => {
    const { create, made, keys, table } = await keysWith({ ms: 0 });
    await create(callOf(1, 'k'));
    await create(callOf(2, 'k'));
    await create(callOf(2, 'k'));
    expect([made.size, table.size]).toEqual([2, 2]);
    await keys.remove(2);
    expect([...table.rows()].map(([id]) => id)).toEqual(['1 k']);
  });

  it('are kept for a day', async () => {
    const passed = { ms: 0 };
    const { create, made, table } = await keysWith(passed);
    await create(callOf(1, 'k'));
    passed.ms = limits.idempotency_key_s * 1000;
    await create(callOf(1, 'k'));
    expect(made.size).toBe(1);
    passed.ms += 1;
    await create(callOf(1, 'k', 'another body'));
    expect([made.size, table.size]).toEqual([2, 1]);
  });

  it.each([49, -49])('are kept for a day when the date jumps by %d hours', async (hours) => {
    const passed = { ms: 0, jump_ms: 0 };
    const { create, made } = await keysWith(passed);
    await create(callOf(1, 'k'));
    passed.jump_ms = hours * 3_600_000;
    await create(callOf(1, 'k'));
    expect(made.size).toBe(1);
    passed.ms = limits.idempotency_key_s * 1000 + 1;
    await create(callOf(1, 'k'));
    expect(made.size).toBe(2);
  });

  it('are limited for each user: the oldest is dropped', async () => {
    const { create, made, table } = await keysWith({ ms: 0 }, rowsOf(MOST - 1));
    for (const key of ['one', 'two']) await create(callOf(1, key));
    await create(callOf(2, 'other'));
    expect([made.size, table.size]).toEqual([3, 1 + MOST]);
    for (const key of ['1', 'one', 'two']) await create(callOf(1, key));
    expect(made.size).toBe(3);
    await create(callOf(1, '0'));
    expect(made.size).toBe(4);
  });

  it('are stored with the object or not at all', async () => {
    const { store, create, made, table } = await keysWith({ ms: 0 });
    store.beforeCommit = () => {
      throw new Error('full');
    };
    await expect(create(callOf(1, 'k'))).rejects.toThrow('full');
    expect([made.size, table.size]).toEqual([0, 0]);
    store.beforeCommit = () => {};
    await create(callOf(1, 'k'));
    expect([made.size, table.size]).toEqual([1, 1]);
  });
});
