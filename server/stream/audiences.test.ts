/** The twelve events of spec §6.1: what triggers each, what it says, and who hears it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RobotEvent } from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';
import {
  type Ear,
  type Household,
  openHousehold,
  type Person,
  smallToolpath,
  soon,
} from '../http/household.cases.ts';

type Name = 'admin' | 'ada' | 'bob';
const NAMES: readonly Name[] = ['admin', 'ada', 'bob'];

let house: Household;
let ears: Record<Name, Ear>;

beforeAll(async () => {
  house = await openHousehold();
});
beforeEach(async () => {
  const [admin, ada, bob] = await Promise.all(NAMES.map((name) => house.listen(house[name])));
  ears = { admin: admin!, ada: ada!, bob: bob! };
});
afterEach(() => {
  for (const ear of Object.values(ears)) ear.close();
});
afterAll(() => house.close());

const send = (who: Person, call: string, body?: unknown) => {
  const [method = '', path = ''] = call.split(' ');
  return house.send(method, path, { as: who, body });
};

/** Who has heard an event of this type, once everybody had the time to. */
async function heardBy(type: RobotEvent['type']): Promise<Name[]> {
  await house.twin.advance(0.1);
  const has = (name: Name) => ears[name].heard.some((event) => event.type === type);
  expect(await soon(() => NAMES.some(has))).toBe(true);
  // What comes to others comes with the next turn of the sockets.
  await send(house.ada, 'GET /api/v1/users');
  await soon(() => false, 20);
  return NAMES.filter(has);
}

function eventOf<Type extends RobotEvent['type']>(name: Name, type: Type) {
  const event = ears[name].heard.find((entry) => entry.type === type);
  expect(validate('RobotEvent', event, { dialect: 'documented' })).toMatchObject({ ok: true });
  return event as Extract<RobotEvent, { type: Type }>;
}

const body = () => ({ name: 'heard', toolpath: smallToolpath() });
const EVERYBODY = NAMES;

async function savedId(): Promise<number> {
  const got = await send(house.ada, 'POST /api/v1/toolpaths', body());
  return (got.body as { toolpath: { id: number } }).toolpath.id;
}

let guests = 0;
async function guestId(): Promise<number> {
  const guest = { email: `heard-${++guests}@example.org`, password: 'long enough' };
  const got = await send(house.admin, 'POST /api/v1/users', guest);
  return (got.body as { user: { id: number } }).user.id;
}

async function withLock(who: Person, work: () => Promise<unknown>): Promise<void> {
  await send(who, 'POST /api/v1/controls/lock');
  await work();
  await send(who, 'DELETE /api/v1/controls/lock');
}

interface Row {
  readonly type: RobotEvent['type'];
  readonly hearers: readonly Name[];
  readonly trigger: () => Promise<unknown>;
}

const ROWS: readonly Row[] = [
  { type: 'user_created', hearers: EVERYBODY, trigger: guestId },
  {
    type: 'user_updated',
    hearers: EVERYBODY,
    trigger: async () =>
      send(house.admin, `PUT /api/v1/users/${await guestId()}`, { role: 'admin' }),
  },
  {
    type: 'user_deleted',
    hearers: EVERYBODY,
    trigger: async () => send(house.admin, `DELETE /api/v1/users/${await guestId()}`),
  },
  { type: 'toolpath_created', hearers: ['ada'], trigger: savedId },
  {
    type: 'toolpath_updated',
    hearers: ['ada'],
    trigger: async () => send(house.ada, `PUT /api/v1/toolpaths/${await savedId()}`, body()),
  },
  {
    type: 'toolpath_deleted',
    hearers: ['ada'],
    trigger: async () => send(house.ada, `DELETE /api/v1/toolpaths/${await savedId()}`),
  },
  {
    type: 'toolpath_shared',
    hearers: ['bob'],
    trigger: () =>
      send(house.ada, 'POST /api/v1/toolpath/share', { ...body(), user_id: house.bob.id }),
  },
  {
    type: 'lock_status',
    hearers: EVERYBODY,
    trigger: () => withLock(house.ada, async () => {}),
  },
  {
    type: 'backdriving',
    hearers: ['ada'],
    trigger: () =>
      withLock(house.ada, async () => {
        const hold = (backdriving: boolean) =>
          send(house.admin, 'PUT /sim/v1/buttons', { backdriving });
        await hold(true);
        await house.twin.advance(0.1);
        await send(house.admin, 'POST /sim/v1/buttons/waypoint');
        await house.twin.advance(0.1);
        await hold(false);
        await house.twin.advance(0.1);
      }),
  },
  {
    type: 'state_change',
    hearers: EVERYBODY,
    trigger: () =>
      withLock(house.ada, () =>
        send(house.ada, 'POST /api/v1/data/globals', {
          changes: [{ key: 'outputs.d0', value: true }],
        }),
      ),
  },
  {
    type: 'config_change',
    hearers: EVERYBODY,
    trigger: () =>
      send(house.admin, 'POST /sim/v1/config_change', { kind: 'time', message: 'New time' }),
  },
];

describe('each event', () => {
  it.each(ROWS.map((row) => [row.type, row] as const))(
    '%s reaches those it is meant for and nobody else',
    async (type, { hearers, trigger }) => {
      await trigger();
      expect(await heardBy(type)).toEqual(hearers);
      eventOf(hearers[0]!, type);
    },
  );

  it('update_in_progress reaches everyone before the update ends all sessions', async () => {
    const other = await openHousehold();
    const streams = await Promise.all(NAMES.map((name) => other.listen(other[name])));
    await other.send('POST', '/api/v1/controls/lock', { as: other.admin });
    const listed = await other.send('PUT', '/api/v1/config/update/check', { as: other.admin });
    const { updates } = listed.body as { updates: { version: string }[] };
    const version = updates[0]!.version;
    await other.send('POST', '/api/v1/config/update/apply', { as: other.admin, body: { version } });
    const told = (ear: Ear) => ear.heard.some((event) => event.type === 'update_in_progress');
    expect(await soon(() => streams.every(told))).toBe(true);
    await other.twin.advance(31);
    expect(await soon(() => streams.every((ear) => ear.closed() === 4401))).toBe(true);
    await other.close();
  });
});

describe('the content', () => {
  it('of lock_status says you to the owner’s token alone', async () => {
    const again = await house.send('POST', '/api/v1/auth', { body: { token: house.ada.token } });
    const session = (again.body as { token: string }).token;
    const twice = await house.listen({ ...house.ada, session });
    const whole = await house.send('POST', '/api/v1/auth/login', {
      body: { email: house.ada.email, password: 'long enough for anyone' },
    });
    const hidden = (whole.body as { token: string }).token;
    const byPassword = await house.listen({ ...house.ada, session: hidden });
    await withLock(house.ada, async () => {});
    expect(await soon(() => byPassword.heard.length > 0 && twice.heard.length > 0)).toBe(true);
    const ownerIn = (ear: Ear) => {
      const event = ear.heard.find(({ type }) => type === 'lock_status');
      return event?.type === 'lock_status' ? event.lock.owner : null;
    };
    expect(ownerIn(ears.ada)).toBe('you');
    expect(ownerIn(twice)).toBe('you');
    expect(ownerIn(byPassword)).toBe('user');
    expect(ownerIn(ears.bob)).toBe('user');
    twice.close();
    byPassword.close();
  });

  it('of lock_status says admin when an admin holds it', async () => {
    await withLock(house.admin, async () => {});
    expect(await heardBy('lock_status')).toEqual(NAMES);
    expect(eventOf('bob', 'lock_status').lock).toEqual({ owner: 'admin', status: 'locked' });
  });

  it('of toolpath_shared names the sharer and the id −1', async () => {
    const shared = { ...body(), user_id: house.bob.id };
    await send(house.ada, 'POST /api/v1/toolpath/share', shared);
    await heardBy('toolpath_shared');
    const { toolpath } = eventOf('bob', 'toolpath_shared');
    expect(toolpath).toMatchObject({ id: -1, name: 'heard', sharer: house.ada.id });
  });

  it('of state_change holds what changed and no more', async () => {
    await withLock(house.ada, () =>
      send(house.ada, 'POST /api/v1/data/globals', {
        changes: [{ key: 'outputs.d3', value: true }],
      }),
    );
    await heardBy('state_change');
    const changes = ears.bob.heard.flatMap((event) =>
      event.type === 'state_change' && event.changes['global.outputs']
        ? [event.changes['global.outputs']]
        : [],
    );
    expect(changes).toEqual([{ d3: true }]);
  });

  it('comes only after the first change: nothing is pushed at the start', async () => {
    await soon(() => false, 30);
    expect(ears.ada.heard).toEqual([]);
  });
});
