/** The parts of a snapshot of a twin: the toolpaths that it takes, and what a restore changes. */

import { deflateRawSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ResetScope } from '../../../contract/types.generated.ts';
import type { Services } from '../http/services.ts';
import { type KeptSnapshot, keptSnapshot, plannedSnapshot } from './kept-snapshot.ts';
import { SMALL_TEXT, smallTwin } from './small-twin.cases.ts';
import { restoreTwinSnapshot } from './snapshot-restore.ts';
import { takeTwinSnapshot } from './snapshot-taking.ts';
import { readToolpaths, takeToolpaths } from './toolpaths-snapshot.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';
import { takeUsers } from './users-snapshot.ts';

const textOf = (body: Uint8Array | undefined) =>
  body && new TextDecoder().decode(Uint8Array.from(body));

/** Services with saved toolpaths of these names; each has its name as body. */
function library(...names: string[]) {
  const toolpaths = names.map((name, i) => ({ id: i + 1, hash: `hash of ${name}`, name }));
  const records = { toolpaths, last_ids: { toolpath: toolpaths.length } };
  const reads: string[] = [];
  /** Called before a body is read; false: there is none any more. */
  const state = { exists: (_name: string): boolean => true };
  const database = {
    records,
    readBody: async ({ name }: { readonly name: string }) => {
      reads.push(name);
      return state.exists(name) ? new TextEncoder().encode(`body of ${name}`) : null;
    },
  };
  let now_ms = 0;
  const wall = {
    // A slice is over at each look at the time: no two readings share a turn.
    now_ms: () => (now_ms += 10),
    soon: (callback: () => void) => void setImmediate(callback),
  };
  return { services: { database, wall } as object as Services, records, reads, state };
}

describe('the saved toolpaths of a snapshot', () => {
  it('have a row and a body each', async () => {
    const { services, records } = library('a', 'b');
    const { rows, bodies, last_id } = await takeToolpaths(services);
    expect([rows, last_id]).toEqual([records.toolpaths, 2]);
    expect(bodies.map(([id, body]) => [id, textOf(body)])).toEqual([
      [1, 'body of a'],
      [2, 'body of b'],
    ]);
  });

  it('are not read again while they are the same; then only what is new', async () => {
    const { services, records, reads } = library('a', 'b');
    const first = await takeToolpaths(services);
    expect(await takeToolpaths(services)).toBe(first);
    records.toolpaths = [records.toolpaths[0]!, { id: 2, hash: 'other', name: 'b' }];
    const second = await takeToolpaths(services);
    expect(second.bodies.map(([id]) => id)).toEqual([1, 2]);
    expect(second.bodies[0]![1]).toBe(first.bodies[0]![1]);
    expect(reads).toEqual(['a', 'b', 'b']);
  });

  it('are read one in a turn of the event loop; those that are known take none', async () => {
    const { services } = library('a', 'b', 'c');
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const { rows, bodies } = await readToolpaths(services, {});
    expect(turns).toBeGreaterThanOrEqual(rows.length - 1);
    turns = 0;
    await readToolpaths(services, { shared: { rows, bodies } });
    expect(turns).toBe(0);
    clearImmediate(next);
  });

  it('are those of the names where there are some, with all rows', async () => {
    const { services } = library('a', 'b', 'c');
    const { rows, bodies } = await readToolpaths(services, { names: new Set(['b']) });
    expect(rows).toHaveLength(3);
    expect(bodies.map(([id, body]) => [id, textOf(body)])).toEqual([[2, 'body of b']]);
  });

  it('are read again where one is removed meanwhile', async () => {
    const { services, records, state, reads } = library('a', 'b', 'c');
    state.exists = (name) => {
      if (name !== 'b' || records.toolpaths.length === 2) return true;
      records.toolpaths = records.toolpaths.filter((row) => row.name !== 'b');
      return false;
    };
    const { rows, bodies } = await readToolpaths(services, {});
    expect(rows.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(bodies.map(([, body]) => textOf(body))).toEqual(['body of a', 'body of c']);
    expect(reads).toEqual(['a', 'b', 'a', 'c']);
  });

  it('are without a body that stays away, after some readings', async () => {
    const { services, state, reads } = library('a', 'b', 'c');
    state.exists = (name) => name !== 'b';
    const { rows, bodies } = await readToolpaths(services, {});
    expect(rows).toHaveLength(3);
    expect(bodies.map(([id]) => id)).toEqual([1, 3]);
    expect(reads.filter((name) => name === 'b')).toHaveLength(5);
  });
});

const PROGRAM = { steps: [] };
const SOURCE = {
  toolpath_deflated: new Uint8Array(deflateRawSync('{"a":1}')),
  program_sha256: 'aa',
  timing: null,
  range: null,
};
const LOADED = { name: 'Small', hash: 'h', metadata: {}, program: PROGRAM, source: SOURCE };

/** A snapshot of a robot that has this loaded. */
const snapshotWith = (loaded: object | null) =>
  ({ tick: 7, robot: { memory: { state: 'ready', loaded } } }) as object as TwinSnapshot;

/** What becomes of a kept snapshot where the robot has this loaded; the plans are counted. */
async function planned(kept: KeptSnapshot, present: object | null, plan: object = {}) {
  const asked: { readonly name: string; readonly toolpath: { readonly json: Uint8Array } }[] = [];
  const robot = { memory: { loaded: present } };
  const planner = {
    load: async (request: (typeof asked)[0]) => {
      asked.push(request);
      return plan;
    },
  };
  const result = await plannedSnapshot(kept, { robot, planner } as object as Services);
  return { result, asked };
}

describe('the loaded toolpath of a snapshot', () => {
  const kept = keptSnapshot(snapshotWith(LOADED));

  it('is kept without its program', () => {
    expect(kept.robot.memory).toEqual({ state: 'ready', loaded: null });
    expect(kept.loaded).toMatchObject({ name: 'Small', source: SOURCE });
    expect(kept.loaded).not.toHaveProperty('program');
    expect(keptSnapshot(snapshotWith(null)).loaded).toBe(null);
  });

  it('has the program of the robot where that has the same', async () => {
    const { result, asked } = await planned(kept, LOADED);
    expect(result).toEqual(snapshotWith(LOADED));
    expect(asked).toEqual([]);
  });

  it.each([
    ['nothing', null],
    ['another toolpath', { ...LOADED, hash: 'other' }],
    ['another plan of it', { ...LOADED, source: { ...SOURCE, program_sha256: 'bb' } }],
  ])('is planned again where the robot has %s', async (_what, present) => {
    const loaded = { ...LOADED, program: { steps: [1] } };
    const { result, asked } = await planned(kept, present, { kind: 'built', loaded });
    expect(result).toEqual(snapshotWith(loaded));
    expect(asked).toHaveLength(1);
    expect(asked[0]!.name).toBe('Small');
    expect(new TextDecoder().decode(asked[0]!.toolpath.json)).toBe('{"a":1}');
  });

  it('is a reason to refuse the snapshot where there is no plan', async () => {
    const { result } = await planned(kept, null, { kind: 'hard', error: 'no motion' });
    const problem = expect.stringContaining('(no motion)');
    expect(result).toMatchObject({
      refused: 'invalid_arguments',
      details: [{ path: '/name', problem }],
    });
  });
});

describe('a restore', () => {
  const EVE = 'eve@example.org';
  let twin: Awaited<ReturnType<typeof smallTwin>>;
  let eve: { readonly user_id: number; readonly token_id: number };
  let snapshot: TwinSnapshot;
  let users: ReturnType<typeof takeUsers>;
  const restore = (scopes: readonly ResetScope[], preserved: typeof eve | null = twin.session) =>
    restoreTwinSnapshot(twin.simulation, { snapshot, users, scopes: new Set(scopes), preserved });
  const take = async () => {
    snapshot = await takeTwinSnapshot(twin.simulation);
    users = takeUsers(twin.database.records);
  };

  /** A user with a token, where the twin has none of this e-mail. */
  async function createEve() {
    const made = await twin.services.users.create(EVE, null);
    if ('refused' in made) throw new Error(made.refused);
    const token = await twin.services.users.createToken(made.id, 'of eve');
    if ('refused' in token) throw new Error(token.refused);
    return { user_id: made.id, token_id: token.id };
  }

  beforeEach(async () => {
    twin = await smallTwin();
  });

  it('of the users has a caller who became an admin once, with the token of then', async () => {
    eve = await createEve();
    await take();
    await twin.services.users.update(eve.user_id, { role: 'admin' });
    await twin.services.users.create('later@example.org', null);
    await twin.database.change((draft) => {
      for (const token of draft.tokens) token.last_used_at = '2020-01-01T00:00:00Z';
      draft.users[0]!.email = 'changed@example.org';
    });
    await restore(['users'], eve);
    const { users: now, tokens } = twin.database.records;
    const became = { ...users.users[1], role: 'admin' };
    expect(now).toEqual([users.users[0], became]);
    expect(tokens).toEqual(users.tokens);
  });

  it('of the users without a caller restores them all', async () => {
    await take();
    await createEve();
    await restore(['users'], null);
    const { users: now, tokens } = twin.database.records;
    expect({ users: now, tokens }).toMatchObject({ users: users.users, tokens: users.tokens });
    expect([now.length, tokens.length]).toEqual([1, 1]);
  });

  it('of users and workflows gives the number of the caller to no other', async () => {
    await take();
    eve = await createEve();
    await restore(['users', 'workflows'], eve);
    expect(twin.services.users.list()).toMatchObject([{ id: 1 }, { id: eve.user_id }]);
    const next = await twin.services.users.create('next@example.org', null);
    expect(next).toMatchObject({ id: eve.user_id + 1 });
  });

  it('of the toolpaths gives those of a user who is gone to the caller', async () => {
    eve = await createEve();
    const { library, users: all } = twin.services;
    await library.create({ owner_id: eve.user_id, name: 'one', toolpath: SMALL_TEXT });
    await take();
    await all.remove(eve.user_id);
    await restore(['toolpaths']);
    const [row] = snapshot.library.rows;
    expect(twin.database.records.toolpaths).toEqual([{ ...row, owner_id: 1 }]);
    expect(library.named(1, 'one')).toMatchObject({ hash: SMALL_TEXT.hash });
  });

  it('of the state alone has the name and the version of then', async () => {
    const { name, software_version } = twin.database;
    await take();
    await twin.database.change((draft) => {
      Object.assign(draft, { name: 'later', software_version: '9.9.9' });
    });
    await restore(['state']);
    expect(twin.database).toMatchObject({ name, software_version });
  });

  it('of the faults alone has those of then', async () => {
    const fault = { kind: 'stuck_input', input: 'd1' } as const;
    twin.simulation.faults.add(fault);
    await take();
    twin.simulation.faults.clearAll();
    await restore(['faults']);
    expect(twin.simulation.faults.list()).toMatchObject([{ id: 1, fault }]);
  });

  it('of obstacles numbers the next one after those of then', async () => {
    const place = { position: { x: 1, y: 0, z: 0 }, half: { x: 0.1, y: 0.1, z: 0.1 } };
    for (const name of ['one', 'two']) twin.simulation.obstacles.add({ name, ...place });
    await take();
    await restore(['state', 'obstacles']);
    expect(twin.simulation.obstacles.add({ name: 'next', ...place })).toMatchObject({ id: 3 });
  });
});
