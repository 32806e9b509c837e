import { expect, it, vi } from 'vitest';
import { withIdempotencyKeys } from './idempotency-keys.ts';

/** A server that creates an object for each new key, and what its replies are. */
function server() {
  const keys: string[] = [];
  let outcome: number | 'lost' = 200;
  const inner = async (_input: unknown, init: RequestInit | undefined): Promise<Response> => {
    keys.push(new Headers(init?.headers).get('Idempotency-Key') ?? 'none');
    if (outcome === 'lost') throw new TypeError('network');
    return new Response('{}', { status: outcome });
  };
  const fetch = withIdempotencyKeys(inner as typeof globalThis.fetch);
  const headers = { Authorization: 'token' };
  return {
    keys,
    /** Sends a call and returns whether it has the key of the call before. */
    async send(body: string | null, next: number | 'lost' = 200, path = '/toolpaths') {
      outcome = next;
      await fetch(path, { method: 'POST', headers, body }).catch(() => undefined);
      return keys.length > 1 && keys.at(-1) === keys.at(-2);
    },
  };
}

it('gives a call the key of an equal one whose outcome is not known', async () => {
  const { send, keys } = server();
  await send('{"name":"a"}', 'lost');
  expect(await send('{"name":"a"}', 502)).toBe(true);
  expect(await send('{"name":"a"}')).toBe(true);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
});

it('gives another call a key of its own, and so the same call after a reply', async () => {
  const { send } = server();
  await send('{"name":"a"}', 'lost');
  expect(await send('{"name":"b"}')).toBe(false);
  expect(await send('{"name":"b"}', 409)).toBe(false);
  expect(await send('{"name":"b"}')).toBe(false);
  expect(await send('{"name":"b"}', 200, '/workflows')).toBe(false);
});

it('sends no key without a body', async () => {
  const { send, keys } = server();
  await send(null, 'lost');
  expect(keys).toEqual(['none']);
});

it('forgets the oldest of many calls without an outcome', async () => {
  const { send, keys } = server();
  for (let count = 0; count < 100; count++) await send(`{"count":${count}}`, 'lost');
  const [first, last] = [keys[0], keys.at(-1)];
  await send('{"count":99}', 'lost');
  expect(keys.at(-1)).toBe(last);
  await send('{"count":0}');
  expect(keys.at(-1)).not.toBe(first);
});

it('takes an equal call a minute later for a new one', async () => {
  vi.useFakeTimers();
  const { send } = server();
  await send('{}', 'lost');
  vi.advanceTimersByTime(59_000);
  expect(await send('{}', 'lost')).toBe(true);
  vi.advanceTimersByTime(61_000);
  expect(await send('{}')).toBe(false);
  vi.useRealTimers();
});
