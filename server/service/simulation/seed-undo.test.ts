/** What a refused seed takes back of the stored records, and what of other calls it leaves. */

import { describe, expect, it } from 'vitest';
import type { CheckedSeed } from '../../documents/checked-seed.ts';
import type { Records, TokenRecord, ToolpathRecord, UserRecord } from '../../store/records.ts';
import type { Services } from '../http/services.ts';
import { sha256 } from '../sessions/secrets.ts';
import { ownerOf, SeedUndo } from './seed-undo.ts';

const user = (id: number, email: string, role: UserRecord['role'] = 'user'): UserRecord => ({
  ...{ id, email, role },
  password: `password of ${email}`,
});
const token = (id: number, user_id: number, secret: string): TokenRecord => ({
  ...{ id, user_id, name: secret, secret_sha256: sha256(secret) },
  created_at: '',
  last_used_at: null,
});
const row = (id: number, name: string, other: Partial<ToolpathRecord> = {}) =>
  ({
    ...{ id, name, hash: `hash of ${name}`, owner_id: 1 },
    ...other,
  }) as Partial<ToolpathRecord> as ToolpathRecord;
const OF_SEED = { hash: 'of the seed' };

/** Stored records, whose changes of toolpath bodies are noted. */
function stored(records: Partial<Records> = {}) {
  const draft = {
    ...{ name: 'the arm', users: [user(1, 'ada', 'admin')], tokens: [], toolpaths: [] },
    last_ids: { user: 1, token: 0, toolpath: 0 },
    ...records,
  } as Partial<Records> as Records;
  const bodies: string[] = [];
  const ended: number[] = [];
  const users = {
    list: () => draft.users,
    named: (email: string) => draft.users.find((one) => one.email === email) ?? null,
    tokenOf: (secret: string) =>
      draft.tokens.find(({ secret_sha256 }) => secret_sha256 === sha256(secret)) ?? null,
  };
  const text = new TextDecoder();
  const database = {
    get name() {
      return draft.name;
    },
    change: async (edit: (records: Records, transaction: object) => void) => edit(draft, {}),
    removeBody: (_transaction: object, { hash }: ToolpathRecord) => void bodies.push(`- ${hash}`),
    putBody: (_transaction: object, { hash }: ToolpathRecord, body: Uint8Array) =>
      void bodies.push(`+ ${hash} ${text.decode(body)}`),
  };
  const sessions = {
    endWhere: (isMeant: (session: { readonly user_id: number }) => boolean) =>
      void ended.push(...[1, 2, 3, 4].filter((user_id) => isMeant({ user_id }))),
  };
  const services = { users, database, sessions } as object as Services;
  /** The undo of a seed, as of now. */
  const undoOf = (seed: object, shared: readonly ToolpathRecord[] = []) => {
    const rows = structuredClone(draft.toolpaths);
    const known = shared.map(({ id, name }) => [id, new TextEncoder().encode(name)] as const);
    const library = { rows, bodies: known, last_id: draft.last_ids.toolpath };
    return new SeedUndo(services, seed as CheckedSeed, library);
  };
  return { draft, services, bodies, ended, undoOf };
}

describe('the owner of a toolpath of a seed', () => {
  it('is the named user, else the first admin', () => {
    const { services, draft } = stored();
    draft.users = [user(1, 'ada'), user(2, 'ben', 'admin'), user(3, 'eve', 'admin')];
    expect([ownerOf(services, 'eve'), ownerOf(services, undefined)]).toEqual([3, 2]);
    expect(ownerOf(services, 'zoe')).toBe(null);
    draft.users = [user(1, 'ada')];
    expect(ownerOf(services, undefined)).toBe(null);
  });
});

describe('a seed that is taken back', () => {
  it('changes nothing where it has changed nothing', async () => {
    const { draft, undoOf, bodies, ended } = stored({ toolpaths: [row(1, 'one')] });
    draft.last_ids.toolpath = 1;
    const undo = undoOf({});
    draft.name = 'renamed meanwhile';
    const before = structuredClone(draft);
    await undo.run();
    expect([draft, bodies, ended]).toEqual([before, [], []]);
  });

  it('has the former name again', async () => {
    const { draft, undoOf } = stored();
    const undo = undoOf({ name: 'of the seed' });
    draft.name = 'of the seed';
    await undo.run();
    expect(draft.name).toBe('the arm');
  });

  it('removes its users with their tokens and sessions, and no others', async () => {
    const { draft, undoOf, ended } = stored();
    const undo = undoOf({
      users: [{ email: 'ben', tokens: [{ token: 'new' }] }, { email: 'zoe' }],
    });
    draft.users = [...draft.users, user(2, 'ben'), user(3, 'eve')];
    draft.tokens = [token(1, 2, 'new'), token(2, 3, 'of eve')];
    undo.noteUser(2);
    await undo.run();
    expect(draft.users.map(({ email }) => email)).toEqual(['ada', 'eve']);
    expect(draft.tokens.map(({ name }) => name)).toEqual(['of eve']);
    expect(ended).toEqual([2]);
  });

  it('removes its new tokens of users that were there, and keeps those they had', async () => {
    const { draft, undoOf, ended } = stored({ tokens: [token(1, 1, 'had')] });
    const undo = undoOf({
      users: [{ email: 'ada', tokens: [{ token: 'had' }, { token: 'new' }] }],
    });
    draft.tokens = [...draft.tokens, token(2, 1, 'new'), token(3, 1, 'of another call')];
    undo.noteToken(2);
    await undo.run();
    expect(draft.tokens.map(({ name }) => name)).toEqual(['had', 'of another call']);
    expect(ended).toEqual([]);
  });

  it('keeps the name of another call, and users that another call has made', async () => {
    const { draft, undoOf, ended } = stored();
    const undo = undoOf({ name: 'of the seed', users: [{ email: 'ben' }] });
    draft.users = [...draft.users, user(2, 'ben')];
    draft.name = 'of another call';
    undo.noteChange(user(2, 'ben'), user(2, 'ben', 'admin'));
    await undo.run();
    expect([draft.name, draft.users[1], ended]).toEqual(['of another call', user(2, 'ben'), []]);
  });

  it('gives users their former role and password, but for what changed since', async () => {
    const { draft, undoOf } = stored({ users: [user(1, 'ada', 'admin'), user(2, 'ben')] });
    const change = (values: Partial<UserRecord>) => {
      draft.users = draft.users.map((one) => (one.id === 2 ? { ...one, ...values } : one));
      return draft.users[1]!;
    };
    const former = user(2, 'ben');
    const undo = undoOf({ users: [{ email: 'ben', role: 'admin' }] });
    undo.noteChange(former, change({ role: 'admin', password: 'of the seed' }));
    change({ email: 'ben@example.org' });
    await undo.run();
    expect(draft.users[1]).toEqual({ ...former, email: 'ben@example.org' });
    const again = undoOf({ users: [{ email: 'ben@example.org', role: 'admin' }] });
    again.noteChange(draft.users[1]!, change({ role: 'admin', password: 'of the seed' }));
    change({ role: 'user', password: 'of another call' });
    await again.run();
    expect(draft.users[1]).toMatchObject({ role: 'user', password: 'of another call' });
  });

  it('leaves a role that another call gives after the seed has written a password', async () => {
    const { draft, undoOf } = stored({ users: [user(1, 'ada', 'admin'), user(2, 'ben')] });
    const undo = undoOf({ users: [{ email: 'ben' }] });
    const after = { ...user(2, 'ben'), password: 'of the seed' };
    undo.noteChange(user(2, 'ben'), after);
    draft.users = [draft.users[0]!, { ...after, role: 'admin' }];
    await undo.run();
    expect(draft.users[1]).toEqual(user(2, 'ben', 'admin'));
  });

  it('gives a user whom it has changed twice what there was before the first time', async () => {
    const { draft, undoOf } = stored({ users: [user(1, 'ada', 'admin'), user(2, 'ben')] });
    const undo = undoOf({ users: [{ email: 'ben' }, { email: 'ben' }] });
    const steps = ['first', 'second'].map((password) => ({ ...user(2, 'ben'), password }));
    undo.noteChange(user(2, 'ben'), steps[0]!);
    undo.noteChange(steps[0]!, steps[1]!);
    draft.users = [draft.users[0]!, steps[1]!];
    await undo.run();
    expect(draft.users[1]).toEqual(user(2, 'ben'));
  });

  it('leaves a user whom it has not written yet', async () => {
    const { draft, undoOf } = stored({ users: [user(1, 'ada', 'admin'), user(2, 'ben')] });
    const undo = undoOf({ users: [{ email: 'ada' }, { email: 'ben' }] });
    const changed = { ...user(2, 'ben'), role: 'admin' as const };
    draft.users = [draft.users[0]!, changed];
    await undo.run();
    expect(draft.users[1]).toEqual(changed);
  });
});

describe('the toolpaths of a seed that is taken back', () => {
  const SEED = { toolpaths: [{ name: 'known' }, { name: 'new' }, { name: 'same' }] };

  it('are removed or as before, and their numbers are free again', async () => {
    const [known, same] = [row(1, 'known'), row(2, 'same')];
    const ofBen = row(3, 'known', { hash: 'of ben', owner_id: 2 });
    const toolpaths = [ofBen, known, same];
    const { draft, undoOf, bodies } = stored({ toolpaths });
    draft.last_ids.toolpath = 3;
    const undo = undoOf(SEED, [same, known]);
    draft.toolpaths = [ofBen, row(1, 'known', OF_SEED), same, row(4, 'new')];
    for (const at of [1, 3]) undo.noteToolpath(draft.toolpaths[at]!);
    draft.last_ids.toolpath = 4;
    await undo.run();
    expect(draft.toolpaths).toEqual([ofBen, same, known]);
    expect(bodies).toEqual(['- of the seed', '+ hash of known known', '- hash of new']);
    expect(draft.last_ids.toolpath).toBe(3);
  });

  it('keep their numbers where a later one was given', async () => {
    const { draft, undoOf } = stored();
    const undo = undoOf(SEED);
    draft.toolpaths = [row(1, 'known'), row(2, 'new'), row(3, 'of another call')];
    for (const at of [0, 1]) undo.noteToolpath(draft.toolpaths[at]!);
    draft.last_ids.toolpath = 3;
    await undo.run();
    expect(draft.toolpaths.map(({ name }) => name)).toEqual(['of another call']);
    expect(draft.last_ids.toolpath).toBe(3);
  });

  it('free all their numbers, but none of a toolpath that was removed meanwhile', async () => {
    for (const [last, freed] of [
      [2, 0],
      [3, 3],
    ] as const) {
      const { draft, undoOf } = stored();
      const undo = undoOf(SEED);
      draft.toolpaths = [row(1, 'known'), row(2, 'new')];
      for (const saved of draft.toolpaths) undo.noteToolpath(saved);
      draft.last_ids.toolpath = last;
      await undo.run();
      expect([draft.toolpaths, draft.last_ids.toolpath]).toEqual([[], freed]);
    }
  });

  it('leave the number of one that another call has saved in place of the former', async () => {
    const { draft, undoOf } = stored({ toolpaths: [row(1, 'known')] });
    draft.last_ids.toolpath = 1;
    const undo = undoOf(SEED, [row(1, 'known')]);
    draft.toolpaths = [row(2, 'known', OF_SEED)];
    undo.noteToolpath(draft.toolpaths[0]!);
    draft.last_ids.toolpath = 2;
    await undo.run();
    expect(draft.toolpaths).toEqual([row(1, 'known')]);
    expect(draft.last_ids.toolpath).toBe(2);
  });

  it('that were removed meanwhile are not removed again', async () => {
    const { draft, undoOf, bodies } = stored({ toolpaths: [row(1, 'known')] });
    draft.last_ids.toolpath = 1;
    const undo = undoOf(SEED, [row(1, 'known')]);
    draft.toolpaths = [];
    await undo.run();
    expect([draft.toolpaths, bodies, draft.last_ids.toolpath]).toEqual([[], [], 1]);
  });

  it('are gone where their former text is', async () => {
    const { draft, undoOf, bodies } = stored({ toolpaths: [row(1, 'known')] });
    const undo = undoOf(SEED);
    draft.toolpaths = [row(1, 'known', OF_SEED)];
    undo.noteToolpath(draft.toolpaths[0]!);
    await undo.run();
    expect([draft.toolpaths, bodies]).toEqual([[], ['- of the seed']]);
  });

  it('stay as another call has saved them, before or after the seed', async () => {
    const { draft, undoOf, bodies } = stored({ toolpaths: [row(1, 'known')] });
    const undo = undoOf(SEED, [row(1, 'known')]);
    const later = [row(1, 'known', { hash: 'of another call' }), row(2, 'new')];
    draft.toolpaths = later;
    undo.noteToolpath(row(1, 'known', OF_SEED));
    await undo.run();
    expect([draft.toolpaths, bodies]).toEqual([later, []]);
  });
});
