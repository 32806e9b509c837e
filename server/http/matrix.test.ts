/**
 * Who may call what: every endpoint for every role, and for owners and strangers where a path names
 * somebody's object (spec §2.1, §5; decision D9). The table is written by hand from the spec, not
 * from the rows that the server is made of.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { exampleOf } from '../../contract/docs-schemas.ts';
import { ROUTES, type RouteId, type RouteRow, routeOf } from '../../contract/routes.ts';
import { type SchemaId, schemaOf } from '../../contract/schemas.ts';
import {
  errorOf,
  type Household,
  openHousehold,
  type Person,
  smallToolpath,
} from './household.cases.ts';

/** in: past every check of identity, role and ownership; else the status of the refusal. */
type Verdict = 'in' | 401 | 403 | 404;
/** For nobody, a user and an admin. */
type ByRole = readonly [nobody: Verdict, user: Verdict, admin: Verdict];
/** For nobody, a user who is not the owner, the owner, and an admin who is not the owner. */
type ByOwner = readonly [nobody: Verdict, stranger: Verdict, owner: Verdict, admin: Verdict];

const ANYBODY: ByRole = ['in', 'in', 'in'];
const USERS: ByRole = [401, 'in', 'in'];
const ADMINS: ByRole = [401, 403, 'in'];

const BY_ROLE: { readonly [id: string]: ByRole } = {
  createSession: ANYBODY,
  logIn: ANYBODY,
  getVersions: ANYBODY,
  getName: ANYBODY,
  endSession: USERS,
  renewSession: USERS,
  listUsers: USERS,
  createUser: ADMINS,
  listToolpaths: USERS,
  createToolpath: USERS,
  shareToolpath: USERS,
  calcToolpath: USERS,
  useUnsavedToolpath: USERS,
  migrateToolpath: USERS,
  getLock: USERS,
  takeLock: USERS,
  renewLock: USERS,
  releaseLock: USERS,
  run: USERS,
  home: USERS,
  pause: USERS,
  resume: USERS,
  cancel: USERS,
  stopLoop: USERS,
  resetErrors: USERS,
  acknowledgeCollision: USERS,
  goTo: USERS,
  setScheduler: USERS,
  setCollisionDetection: ADMINS,
  getSnapshot: USERS,
  changeGlobals: USERS,
  openStream: USERS,
  checkPose: USERS,
  forwardKinematics: USERS,
  inverseKinematics: USERS,
  nudge: USERS,
  rotate: USERS,
  checkUpdates: ADMINS,
  applyUpdate: ADMINS,
  uploadUpdate: ADMINS,
};

const BY_OWNER: { readonly [id: string]: ByOwner } = {
  getToolpath: [401, 404, 'in', 404],
  buildToolpath: [401, 404, 'in', 404],
  updateToolpath: [401, 404, 'in', 404],
  deleteToolpath: [401, 404, 'in', 404],
  useToolpath: [401, 404, 'in', 404],
  updateUser: [401, 403, 'in', 'in'],
  deleteUser: [401, 403, 403, 'in'],
  listTokens: [401, 403, 'in', 'in'],
  createToken: [401, 403, 'in', 'in'],
  deleteToken: [401, 403, 'in', 'in'],
};

const rows: readonly RouteRow[] = ROUTES;
const isSim = (row: RouteRow) => row.path.startsWith('/sim/');
/** The arm's own interface; workflows are a second system behind the same sessions. */
const isArm = (row: RouteRow) => row.path.startsWith('/api/');

let house: Household;
beforeAll(async () => {
  house = await openHousehold();
});
afterAll(() => house.close());

function handshake(path: string, who: Person | null): Promise<number> {
  const protocols = who ? [`SessionToken_${who.session}`, 'object'] : ['object'];
  const socket = new WebSocket(house.twin.url.replace('http', 'ws') + path, protocols);
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, reply) => resolve(reply.statusCode ?? 0));
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
  });
}

/** Refused as the verdict says, or past the checks that the table is about. */
async function judge(row: RouteRow, path: string, who: Person | null): Promise<Verdict> {
  if (row.carries === 'stream') {
    const status = await handshake(path, who);
    return status === 101 ? 'in' : (status as Verdict);
  }
  // A body that no schema takes is past identity and role, and changes nothing.
  const bodiless = row.method === 'GET' || row.path.includes('{') || row.id === 'endSession';
  const example = row.body === undefined ? undefined : exampleOf(schemaOf(row.body as SchemaId));
  const content = row.path.includes('{') ? { body: example } : bodiless ? {} : { body: { zz: 1 } };
  const packet = { raw: '', headers: { 'Content-Type': 'application/octet-stream' } };
  const sent = row.carries === 'package' ? packet : content;
  const got = await house.send(row.method, path, { as: who, ...sent });
  expect(got.status).toBeLessThan(500);
  if (got.status < 400) return 'in';
  const { error_code } = errorOf(got);
  if (got.status === 401) expect(error_code).toBe(row.auth === 'none' ? 8 : 5);
  if (got.status === 403 && error_code === 3) return 'in';
  if (got.status === 403) expect(error_code).toBe(4);
  return got.status === 400 ? 'in' : (got.status as Verdict);
}

/** A session of its own for a call, since some calls end it. */
async function fresh(person: Person): Promise<Person> {
  const got = await house.send('POST', '/api/v1/auth', { body: { token: person.token } });
  return { ...person, session: (got.body as { token: string }).token };
}

describe('the table', () => {
  it('names every endpoint of the arm once', () => {
    const named = [...Object.keys(BY_ROLE), ...Object.keys(BY_OWNER)].sort();
    const all = rows.filter(isArm).map((row) => row.id);
    expect(named).toEqual(all.sort());
  });

  it('has owners for every path that names an object', () => {
    const named = rows.filter((row) => isArm(row) && row.path.includes('{'));
    expect(Object.keys(BY_OWNER).sort()).toEqual(named.map((row) => row.id).sort());
  });
});

describe.each(Object.entries(BY_ROLE))('%s', (id, [nobody, user, admin]) => {
  const row = routeOf(id as RouteId);

  it(`is ${nobody} for nobody, ${user} for users, ${admin} for admins`, async () => {
    expect(await judge(row, row.path, null)).toBe(nobody);
    expect(await judge(row, row.path, await fresh(house.ada))).toBe(user);
    expect(await judge(row, row.path, await fresh(house.admin))).toBe(admin);
  });
});

let guests = 0;

/** Somebody with a toolpath and a token to lose. */
async function newOwner(): Promise<Person & { readonly path: (row: RouteRow) => string }> {
  const body = { email: `owner-${++guests}@example.org`, password: 'long enough' };
  const made = await house.send('POST', '/api/v1/users', { as: house.admin, body });
  const { id } = (made.body as { user: { id: number } }).user;
  const tokens = `/api/v1/users/${id}/tokens`;
  const spare = await house.send('POST', tokens, { as: house.admin, body: { name: 'spare' } });
  const own = await house.send('POST', tokens, { as: house.admin, body: { name: 'own' } });
  const { token } = own.body as { token: string };
  const person = await fresh({ id, email: body.email, token, session: '' });
  const toolpath = { name: 'own', toolpath: smallToolpath() };
  const saved = await house.send('POST', '/api/v1/toolpaths', { as: person, body: toolpath });
  const values: { readonly [name: string]: number } = {
    user_id: id,
    token_id: (spare.body as { id: number }).id,
    toolpath_id: (saved.body as { toolpath: { id: number } }).toolpath.id,
  };
  const path = (row: RouteRow) =>
    row.path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  return { ...person, path };
}

describe.each(Object.entries(BY_OWNER))('%s', (id, [nobody, stranger, owner, admin]) => {
  const row = routeOf(id as RouteId);
  // Changing the role is an admin's; what an owner changes is the rest.
  const given = id === 'updateUser' ? { email: 'new@example.org' } : undefined;

  const title = `is ${nobody}, ${stranger} for strangers, ${owner} for owners, ${admin} for admins`;
  it(title, async () => {
    const theirs = await newOwner();
    expect(await judge(row, theirs.path(row), null)).toBe(nobody);
    expect(await judge(row, theirs.path(row), house.bob)).toBe(stranger);
    expect(await judge(row, theirs.path(row), house.admin)).toBe(admin);
    const again = await newOwner();
    if (given === undefined) expect(await judge(row, again.path(row), again)).toBe(owner);
    else {
      const got = await house.send(row.method, again.path(row), { as: again, body: given });
      expect(got.status).toBe(200);
    }
  });
});

describe('ownership', () => {
  it('says the same of somebody else’s toolpath as of one that does not exist', async () => {
    const theirs = await newOwner();
    const other = theirs.path(routeOf('getToolpath'));
    const none = '/api/v1/toolpaths/999999';
    const [seen, wanted] = await Promise.all(
      [other, none].map((path) => house.send('GET', path, { as: house.bob })),
    );
    const normal = (text: string, path: string) => text.replaceAll(path.split('/').at(-1)!, 'N');
    expect(seen!.status).toBe(404);
    expect(normal(seen!.text, other)).toBe(normal(wanted!.text, none));
  });

  it('keeps the role to admins, though users may change the rest of themselves', async () => {
    const path = `/api/v1/users/${house.ada.id}`;
    const got = await house.send('PUT', path, { as: house.ada, body: { role: 'admin' } });
    expect([got.status, errorOf(got).error_code]).toEqual([403, 4]);
  });

  it('finds a user’s token under that user alone', async () => {
    const theirs = await newOwner();
    const [, token_id] = /tokens\/(\d+)$/.exec(theirs.path(routeOf('deleteToken')))!;
    const path = `/api/v1/users/${house.ada.id}/tokens/${token_id}`;
    expect((await house.send('DELETE', path, { as: house.ada })).status).toBe(404);
    expect((await house.send('DELETE', path, { as: house.admin })).status).toBe(404);
  });
});

describe('workflows', () => {
  const workflows = rows.filter((row) => !isArm(row) && !isSim(row));
  it.each(workflows.map((row) => [row.id, row] as const))(
    '%s needs a session',
    async (_id, row) => {
      expect(await judge(row, row.path.replace(/\{\w+\}/g, '1'), null)).toBe(401);
    },
  );
});

describe('the hand on the twin', () => {
  it.each(rows.filter(isSim).map((row) => [row.id, row] as const))(
    '%s is for admins',
    async (_id, row) => {
      const path = row.path.replace(/\{\w+\}/g, '1');
      expect(await judge(row, path, null)).toBe(401);
      expect(await judge(row, path, house.ada)).toBe(403);
    },
  );
});
