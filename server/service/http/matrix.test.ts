/**
 * The permission matrix: every endpoint for every role, and for owners and non-owners where a path
 * names an object of a user (§2.1, §5; D9). The table is written from the specification,
 * independent of the server's route table.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { exampleOf } from '../../../contract/api-docs/schema-example.ts';
import { ROUTES, type RouteId, type RouteRow, routeOf } from '../../../contract/routes.ts';
import { type SchemaId, schemaOf } from '../../../contract/schemas.ts';
import {
  expectError,
  sharedApiFixture,
  smallToolpath,
  type TestUser,
} from './api-fixture.cases.ts';

/** in: past every check of identity, role and ownership; else the status of the refusal. */
type Verdict = 'in' | 401 | 403 | 404;
/** Verdicts for an anonymous caller, a user and an admin. */
type ByRole = readonly [anonymous: Verdict, user: Verdict, admin: Verdict];
/** Verdicts for an anonymous caller, another user, the owner, and an admin who is not the owner. */
type ByOwner = readonly [anonymous: Verdict, stranger: Verdict, owner: Verdict, admin: Verdict];

const ANYONE: ByRole = ['in', 'in', 'in'];
const USERS: ByRole = [401, 'in', 'in'];
const ADMINS: ByRole = [401, 403, 'in'];

const BY_ROLE: { readonly [id: string]: ByRole } = {
  createSession: ANYONE,
  logIn: ANYONE,
  getVersions: ANYONE,
  getName: ANYONE,
  endSession: USERS,
  renewSession: USERS,
  listUsers: USERS,
  createUser: ADMINS,
  getUsage: ADMINS,
  listToolpaths: USERS,
  createToolpath: USERS,
  shareToolpath: USERS,
  getSharedToolpath: USERS,
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
/** The arm's own API; workflows are a second system with the same sessions. */
const isArm = (row: RouteRow) => row.path.startsWith('/api/');

const fixture = sharedApiFixture();
beforeAll(async () => {
  const [ada, admin] = [fixture.ada, fixture.admin];
  for (const [from, to] of [
    [ada, admin],
    [admin, ada],
  ] as const) {
    const body = { name: 'shared', user_id: to.id, toolpath: smallToolpath() };
    await fixture.send('POST', '/api/v1/toolpath/share', { as: from, body });
  }
});

function handshake(path: string, who: TestUser | null): Promise<number> {
  const protocols = who ? [`SessionToken_${who.session}`, 'object'] : ['object'];
  const socket = new WebSocket(fixture.twin.url.replace('http', 'ws') + path, protocols);
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, reply) => resolve(reply.statusCode ?? 0));
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
  });
}

/** Checks the status against the verdict. */
async function judge(row: RouteRow, path: string, who: TestUser | null): Promise<Verdict> {
  if (row.carries === 'stream') {
    const status = await handshake(path, who);
    return status === 101 ? 'in' : (status as Verdict);
  }
  // An invalid body gets past the checks of identity and role, and changes nothing.
  const bodiless = row.method === 'GET' || row.path.includes('{') || row.id === 'endSession';
  const example = row.body === undefined ? undefined : exampleOf(schemaOf(row.body as SchemaId));
  const content = row.path.includes('{') ? { body: example } : bodiless ? {} : { body: { zz: 1 } };
  const packet = { raw: '', headers: { 'Content-Type': 'application/octet-stream' } };
  const sent = row.carries === 'package' ? packet : content;
  const got = await fixture.send(row.method, path, { as: who, ...sent });
  expect(got.status).toBeLessThan(500);
  if (got.status < 400) return 'in';
  const { error_code } = expectError(got);
  if (got.status === 401) expect(error_code).toBe(row.auth === 'none' ? 8 : 5);
  if (got.status === 403 && error_code === 3) return 'in';
  if (got.status === 403) expect(error_code).toBe(4);
  return got.status === 400 ? 'in' : (got.status as Verdict);
}

/** A new session for a call, since some calls end it. */
async function fresh(person: TestUser): Promise<TestUser> {
  const got = await fixture.send('POST', '/api/v1/auth', { body: { token: person.token } });
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

describe.each(Object.entries(BY_ROLE))('%s', (id, [anonymous, user, admin]) => {
  const row = routeOf(id as RouteId);

  it(`is ${anonymous} for anonymous callers, ${user} for users, ${admin} for admins`, async () => {
    expect(await judge(row, row.path, null)).toBe(anonymous);
    expect(await judge(row, row.path, await fresh(fixture.ada))).toBe(user);
    expect(await judge(row, row.path, await fresh(fixture.admin))).toBe(admin);
  });
});

let guests = 0;

/** A user with a toolpath and a token. */
async function newOwner(): Promise<TestUser & { readonly path: (row: RouteRow) => string }> {
  const body = { email: `owner-${++guests}@example.org`, password: 'long enough' };
  const made = await fixture.send('POST', '/api/v1/users', { as: fixture.admin, body });
  const { id } = (made.body as { user: { id: number } }).user;
  const tokens = `/api/v1/users/${id}/tokens`;
  const spare = await fixture.send('POST', tokens, { as: fixture.admin, body: { name: 'spare' } });
  const own = await fixture.send('POST', tokens, { as: fixture.admin, body: { name: 'own' } });
  const { token } = own.body as { token: string };
  const person = await fresh({ id, email: body.email, token, session: '' });
  const toolpath = { name: 'own', toolpath: smallToolpath() };
  const saved = await fixture.send('POST', '/api/v1/toolpaths', { as: person, body: toolpath });
  const values: { readonly [name: string]: number } = {
    user_id: id,
    token_id: (spare.body as { id: number }).id,
    toolpath_id: (saved.body as { toolpath: { id: number } }).toolpath.id,
  };
  const path = (row: RouteRow) =>
    row.path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  return { ...person, path };
}

describe.each(Object.entries(BY_OWNER))('%s', (id, [anonymous, stranger, owner, admin]) => {
  const row = routeOf(id as RouteId);
  // Only admins may change the role; owners may change the rest.
  const given =
    id === 'updateUser' ? { email: 'new@example.org', current_password: 'long enough' } : undefined;

  const title = `is ${anonymous}, ${stranger} for others, ${owner} for owners, ${admin} for admins`;
  it(title, async () => {
    const theirs = await newOwner();
    expect(await judge(row, theirs.path(row), null)).toBe(anonymous);
    expect(await judge(row, theirs.path(row), fixture.bob)).toBe(stranger);
    expect(await judge(row, theirs.path(row), fixture.admin)).toBe(admin);
    const again = await newOwner();
    if (given === undefined) expect(await judge(row, again.path(row), again)).toBe(owner);
    else {
      const got = await fixture.send(row.method, again.path(row), { as: again, body: given });
      expect(got.status).toBe(200);
    }
  });
});

describe('ownership', () => {
  it('treats another user’s toolpath as one that does not exist', async () => {
    const theirs = await newOwner();
    const other = theirs.path(routeOf('getToolpath'));
    const none = '/api/v1/toolpaths/999999';
    const [seen, wanted] = await Promise.all(
      [other, none].map((path) => fixture.send('GET', path, { as: fixture.bob })),
    );
    const normal = (text: string, path: string) => text.replaceAll(path.split('/').at(-1)!, 'N');
    expect(seen!.status).toBe(404);
    expect(normal(seen!.text, other)).toBe(normal(wanted!.text, none));
  });

  it('lets only admins change roles, though users may change their other data', async () => {
    const path = `/api/v1/users/${fixture.ada.id}`;
    const got = await fixture.send('PUT', path, { as: fixture.ada, body: { role: 'admin' } });
    expect([got.status, expectError(got).error_code]).toEqual([403, 4]);
  });

  it('finds a user’s token under that user only', async () => {
    const theirs = await newOwner();
    const [, token_id] = /tokens\/(\d+)$/.exec(theirs.path(routeOf('deleteToken')))!;
    const path = `/api/v1/users/${fixture.ada.id}/tokens/${token_id}`;
    expect((await fixture.send('DELETE', path, { as: fixture.ada })).status).toBe(404);
    expect((await fixture.send('DELETE', path, { as: fixture.admin })).status).toBe(404);
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

describe('the simulation control API', () => {
  /** Why the robot is as it is, and what it has done, which every user may ask. */
  const open = ['getStatus', 'listContacts', 'listRobotRuns'];
  const isOpen = ({ id }: RouteRow) => open.includes(id);
  const simulation = rows.filter(isSim);

  it.each(simulation.filter(isOpen).map((row) => [row.id, row] as const))(
    '%s is for every user',
    async (_id, row) => {
      expect(await judge(row, row.path, null)).toBe(401);
      expect(await judge(row, row.path, fixture.ada)).toBe('in');
    },
  );

  it('replayRobotRun is for every user as the run was, and for admins with a change', async () => {
    const send = (body: object) =>
      fixture.send('POST', '/sim/v1/robot_runs/1/replay', { as: fixture.ada, body });
    // The twin keeps no run yet.
    expect((await send({})).status).toBe(404);
    const fault = { kind: 'driver', joint: 0, fault: 'overheated' };
    expect((await send({ fault })).status).toBe(403);
  });

  it.each(simulation.filter((row) => !isOpen(row)).map((row) => [row.id, row] as const))(
    '%s is for admins',
    async (_id, row) => {
      const path = row.path.replace(/\{\w+\}/g, '1');
      expect(await judge(row, path, null)).toBe(401);
      expect(await judge(row, path, fixture.ada)).toBe(403);
    },
  );
});
