/** Lifetime of sessions in twin time, with their streams and the lock (§3.3; D11). */

import { describe, expect, it } from 'vitest';
import {
  eventually,
  PASSWORD,
  sharedApiFixture,
  type TestUser,
} from '../http/api-fixture.cases.ts';

const fixture = sharedApiFixture();

const MINUTE_S = 60;
const HOUR_S = 3600;

async function enter(token: string): Promise<string> {
  const got = await fixture.send('POST', '/api/v1/auth', { body: { token } });
  return (got.body as { token: string }).token;
}

async function logIn(email: string): Promise<string> {
  const body = { email, password: PASSWORD };
  return ((await fixture.send('POST', '/api/v1/auth/login', { body })).body as { token: string })
    .token;
}

const works = async (session: string) =>
  (await fixture.send('GET', '/api/v1/controls/lock', { as: session })).status === 200;
const renew = async (session: string) =>
  (await fixture.send('POST', '/api/v1/auth/renew', { as: session })).status;
const admin = async (method: string, path: string, body?: unknown) =>
  fixture.send(method, path, { as: await enter(fixture.admin.token), body });

let guests = 0;
async function newGuest(): Promise<TestUser & { readonly token_id: number }> {
  const email = `guest-${++guests}@example.org`;
  const made = await admin('POST', '/api/v1/users', { email, password: PASSWORD });
  const { id } = (made.body as { user: { id: number } }).user;
  const got = await admin('POST', `/api/v1/users/${id}/tokens`, { name: 'guest' });
  const { token, id: token_id } = got.body as { token: string; id: number };
  return { id, email, token, token_id, session: await enter(token) };
}

describe('a session', () => {
  it('lasts 30 minutes', async () => {
    const session = await enter(fixture.ada.token);
    await fixture.twin.advance(30 * MINUTE_S - 1);
    expect(await works(session)).toBe(true);
    await fixture.twin.advance(1);
    expect(await works(session)).toBe(false);
  });

  it('lasts another 30 minutes from each renewal; an expired one cannot be renewed', async () => {
    const session = await enter(fixture.ada.token);
    for (let round = 0; round < 3; round++) {
      await fixture.twin.advance(29 * MINUTE_S);
      expect(await renew(session)).toBe(204);
    }
    await fixture.twin.advance(30 * MINUTE_S - 1);
    expect(await works(session)).toBe(true);
    await fixture.twin.advance(1);
    expect(await works(session)).toBe(false);
    expect(await renew(session)).toBe(401);
  });

  it('lasts at most 48 hours, even if renewed', async () => {
    const session = await enter(fixture.ada.token);
    for (let round = 0; round < 143; round++) {
      await fixture.twin.advance(20 * MINUTE_S);
      expect(await renew(session)).toBe(204);
    }
    await fixture.twin.advance(48 * HOUR_S - 143 * 20 * MINUTE_S - 1);
    expect(await works(session)).toBe(true);
    await fixture.twin.advance(1);
    expect(await works(session)).toBe(false);
  });

  it('is independent of other sessions of its token', async () => {
    const [one, other] = [await enter(fixture.ada.token), await enter(fixture.ada.token)];
    await fixture.send('DELETE', '/api/v1/auth', { as: one });
    expect([await works(one), await works(other)]).toEqual([false, true]);
  });
});

type End = (guest: TestUser & { readonly token_id: number }) => Promise<unknown>;

const ENDS: readonly (readonly [string, End])[] = [
  ['log-out', (guest) => fixture.send('DELETE', '/api/v1/auth', { as: guest })],
  ['30 minutes and a second', () => fixture.twin.advance(30 * MINUTE_S + 1)],
  ['the end of its user', (guest) => admin('DELETE', `/api/v1/users/${guest.id}`)],
  [
    'the end of its token',
    (guest) => admin('DELETE', `/api/v1/users/${guest.id}/tokens/${guest.token_id}`),
  ],
  ['a power cycle', () => admin('POST', '/sim/v1/power_cycle')],
];

describe.each(ENDS)('%s', (_name, end) => {
  it('ends the session, and closes its stream with 4401 within a second', async () => {
    const guest = await newGuest();
    const listener = await fixture.listen(guest);
    expect(await works(guest.session)).toBe(true);
    await end(guest);
    expect(await works(guest.session)).toBe(false);
    expect(await eventually(() => listener.closed() !== null, 1000)).toBe(true);
    expect(listener.closed()).toBe(4401);
  });
});

describe('the lock', () => {
  const owner = async () => {
    const got = await fixture.send('GET', '/api/v1/controls/lock', {
      as: await enter(fixture.admin.token),
    });
    return (got.body as { owner: string }).owner;
  };
  const take = (session: string) => fixture.send('POST', '/api/v1/controls/lock', { as: session });
  const leave = (session: string) => fixture.send('DELETE', '/api/v1/auth', { as: session });

  it('stays with the token when one of its sessions ends', async () => {
    const guest = await newGuest();
    await take(guest.session);
    await leave(guest.session);
    expect(await owner()).toBe('user');
    const again = await enter(guest.token);
    const got = await fixture.send('DELETE', '/api/v1/controls/lock', { as: again });
    expect(got.body).toEqual({ owner: 'none', status: 'unlocked' });
  });

  it('is released with the session of a password', async () => {
    const guest = await newGuest();
    const session = await logIn(guest.email);
    await take(session);
    expect(await owner()).toBe('user');
    await leave(session);
    expect(await owner()).toBe('none');
  });

  it.each([
    ['token', (guest: { id: number; token_id: number }) => `/${guest.id}/tokens/${guest.token_id}`],
    ['user', (guest: { id: number }) => `/${guest.id}`],
  ])('goes with its %s', async (_name, path) => {
    const guest = await newGuest();
    await take(guest.session);
    await admin('DELETE', `/api/v1/users${path(guest)}`);
    expect(await owner()).toBe('none');
  });
});
