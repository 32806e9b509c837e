/** The twelve events of §6.1: trigger, content and audience. */

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RobotEvent } from '../../../contract/types.generated.ts';
import { validate } from '../../../contract/validator.ts';
import {
  eventually,
  type StreamListener,
  sharedApiFixture,
  smallToolpath,
  startApiFixture,
  type TestUser,
} from '../http/api-fixture.cases.ts';
import { EVERYONE } from './audience.ts';
import type { Hub } from './hub.ts';

type Name = 'admin' | 'ada' | 'bob';
const NAMES: readonly Name[] = ['admin', 'ada', 'bob'];

const fixture = sharedApiFixture();
let listeners: Record<Name, StreamListener>;

beforeAll(async () => {});
beforeEach(async () => {
  const [admin, ada, bob] = await Promise.all(NAMES.map((name) => fixture.listen(fixture[name])));
  listeners = { admin: admin!, ada: ada!, bob: bob! };
});
afterEach(() => {
  for (const listener of Object.values(listeners)) listener.close();
});

const send = (who: TestUser, call: string, body?: unknown) => {
  const [method = '', path = ''] = call.split(' ');
  return fixture.send(method, path, { as: who, body });
};

/** The users that received an event of this type. */
async function heardBy(type: RobotEvent['type']): Promise<Name[]> {
  await fixture.twin.advance(0.1);
  const has = (name: Name) => listeners[name].received.some((event) => event.type === type);
  expect(await eventually(() => NAMES.some(has))).toBe(true);
  // Events for other users are sent in the next turn of the event loop.
  await send(fixture.ada, 'GET /api/v1/users');
  await eventually(() => false, 20);
  return NAMES.filter(has);
}

function eventOf<Type extends RobotEvent['type']>(name: Name, type: Type) {
  const event = listeners[name].received.find((entry) => entry.type === type);
  expect(validate('RobotEvent', event, { dialect: 'documented' })).toMatchObject({ ok: true });
  return event as Extract<RobotEvent, { type: Type }>;
}

const body = () => ({ name: 'heard', toolpath: smallToolpath() });
const ALL_USERS = NAMES;

async function savedId(): Promise<number> {
  const got = await send(fixture.ada, 'POST /api/v1/toolpaths', body());
  return (got.body as { toolpath: { id: number } }).toolpath.id;
}

let guests = 0;
async function guestId(): Promise<number> {
  const guest = { email: `heard-${++guests}@example.org`, password: 'long enough' };
  const got = await send(fixture.admin, 'POST /api/v1/users', guest);
  return (got.body as { user: { id: number } }).user.id;
}

async function withLock(who: TestUser, work: () => Promise<unknown>): Promise<void> {
  await send(who, 'POST /api/v1/controls/lock');
  await work();
  await send(who, 'DELETE /api/v1/controls/lock');
}

interface Row {
  readonly type: RobotEvent['type'];
  readonly audience: readonly Name[];
  readonly trigger: () => Promise<unknown>;
}

const ROWS: readonly Row[] = [
  { type: 'user_created', audience: ALL_USERS, trigger: guestId },
  {
    type: 'user_updated',
    audience: ALL_USERS,
    trigger: async () =>
      send(fixture.admin, `PUT /api/v1/users/${await guestId()}`, { role: 'admin' }),
  },
  {
    type: 'user_deleted',
    audience: ALL_USERS,
    trigger: async () => send(fixture.admin, `DELETE /api/v1/users/${await guestId()}`),
  },
  { type: 'toolpath_created', audience: ['ada'], trigger: savedId },
  {
    type: 'toolpath_updated',
    audience: ['ada'],
    trigger: async () => send(fixture.ada, `PUT /api/v1/toolpaths/${await savedId()}`, body()),
  },
  {
    type: 'toolpath_deleted',
    audience: ['ada'],
    trigger: async () => send(fixture.ada, `DELETE /api/v1/toolpaths/${await savedId()}`),
  },
  {
    type: 'toolpath_shared',
    audience: ['bob'],
    trigger: () =>
      send(fixture.ada, 'POST /api/v1/toolpath/share', { ...body(), user_id: fixture.bob.id }),
  },
  {
    type: 'lock_status',
    audience: ALL_USERS,
    trigger: () => withLock(fixture.ada, async () => {}),
  },
  {
    type: 'backdriving',
    audience: ['ada'],
    trigger: () =>
      withLock(fixture.ada, async () => {
        const hold = (backdriving: boolean) =>
          send(fixture.admin, 'PUT /sim/v1/buttons', { backdriving });
        await hold(true);
        await fixture.twin.advance(0.1);
        await send(fixture.admin, 'POST /sim/v1/buttons/waypoint');
        await fixture.twin.advance(0.1);
        await hold(false);
        await fixture.twin.advance(0.1);
      }),
  },
  {
    type: 'state_change',
    audience: ALL_USERS,
    trigger: () =>
      withLock(fixture.ada, () =>
        send(fixture.ada, 'POST /api/v1/data/globals', {
          changes: [{ key: 'outputs.d0', value: true }],
        }),
      ),
  },
  {
    type: 'config_change',
    audience: ALL_USERS,
    trigger: () =>
      send(fixture.admin, 'POST /sim/v1/config_change', { kind: 'time', message: 'New time' }),
  },
];

describe('each event', () => {
  it.each(ROWS.map((row) => [row.type, row] as const))(
    '%s reaches its audience only',
    async (type, { audience, trigger }) => {
      await trigger();
      expect(await heardBy(type)).toEqual(audience);
      eventOf(audience[0]!, type);
    },
  );

  it('update_in_progress reaches everyone before the update ends all sessions', async () => {
    const other = await startApiFixture();
    const streams = await Promise.all(NAMES.map((name) => other.listen(other[name])));
    await other.send('POST', '/api/v1/controls/lock', { as: other.admin });
    const listed = await other.send('PUT', '/api/v1/config/update/check', { as: other.admin });
    const { updates } = listed.body as { updates: { version: string }[] };
    const version = updates[0]!.version;
    await other.send('POST', '/api/v1/config/update/apply', { as: other.admin, body: { version } });
    const isNotified = (listener: StreamListener) =>
      listener.received.some((event) => event.type === 'update_in_progress');
    expect(await eventually(() => streams.every(isNotified))).toBe(true);
    await other.twin.advance(31);
    expect(await eventually(() => streams.every((listener) => listener.closed() === 4401))).toBe(
      true,
    );
    await other.close();
  });
});

describe('the content', () => {
  it('of lock_status is you for the owner’s token only', async () => {
    const again = await fixture.send('POST', '/api/v1/auth', {
      body: { token: fixture.ada.token },
    });
    const session = (again.body as { token: string }).token;
    const twice = await fixture.listen({ ...fixture.ada, session });
    const whole = await fixture.send('POST', '/api/v1/auth/login', {
      body: { email: fixture.ada.email, password: 'long enough for anyone' },
    });
    const hidden = (whole.body as { token: string }).token;
    const byPassword = await fixture.listen({ ...fixture.ada, session: hidden });
    await withLock(fixture.ada, async () => {});
    expect(
      await eventually(() => byPassword.received.length > 0 && twice.received.length > 0),
    ).toBe(true);
    const ownerIn = (listener: StreamListener) => {
      const event = listener.received.find(({ type }) => type === 'lock_status');
      return event?.type === 'lock_status' ? event.lock.owner : null;
    };
    expect(ownerIn(listeners.ada)).toBe('you');
    expect(ownerIn(twice)).toBe('you');
    expect(ownerIn(byPassword)).toBe('user');
    expect(ownerIn(listeners.bob)).toBe('user');
    twice.close();
    byPassword.close();
  });

  it('of lock_status is admin when an admin holds the lock', async () => {
    await withLock(fixture.admin, async () => {});
    expect(await heardBy('lock_status')).toEqual(NAMES);
    expect(eventOf('bob', 'lock_status').lock).toEqual({ owner: 'admin', status: 'locked' });
  });

  it('of toolpath_shared names the sharer and the id −1', async () => {
    const shared = { ...body(), user_id: fixture.bob.id };
    await send(fixture.ada, 'POST /api/v1/toolpath/share', shared);
    await heardBy('toolpath_shared');
    const { toolpath } = eventOf('bob', 'toolpath_shared');
    expect(toolpath).toMatchObject({ id: -1, name: 'heard', sharer: fixture.ada.id });
  });

  it('of state_change holds only the changes', async () => {
    await withLock(fixture.ada, () =>
      send(fixture.ada, 'POST /api/v1/data/globals', {
        changes: [{ key: 'outputs.d3', value: true }],
      }),
    );
    await heardBy('state_change');
    const changes = listeners.bob.received.flatMap((event) =>
      event.type === 'state_change' && event.changes['global.outputs']
        ? [event.changes['global.outputs']]
        : [],
    );
    expect(changes).toEqual([{ d3: true }]);
  });

  it('starts with the first change: nothing is sent on connect', async () => {
    await eventually(() => false, 30);
    expect(listeners.ada.received).toEqual([]);
  });
});

it('an event for another audience than its own does not compile', () => {
  const publish = (hub: Hub) => {
    const toolpath = { id: 1, name: 'a', hash: 'b' };
    hub.publish({ type: 'toolpath_created', toolpath }, { kind: 'user', user_id: 1 });
    // @ts-expect-error: only the requesting user receives it.
    hub.publish({ type: 'toolpath_created', toolpath }, EVERYONE);
    // @ts-expect-error: everyone receives it.
    hub.publish({ type: 'update_in_progress', message: 'x' }, { kind: 'user', user_id: 1 });
  };
  expect(publish).toBeTypeOf('function');
});
