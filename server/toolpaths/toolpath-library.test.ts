/** The library of toolpaths: owners, limits, late changes, and toolpaths that users share. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { DocumentReader } from '../documents/document-reader.ts';
import { toolpathText } from '../documents/toolpath-text.ts';
import { Database } from '../store/database.ts';
import { openStore } from '../store/open-store.ts';
import { smallToolpath } from './small-toolpath.cases.ts';
import { type OfferedToolpath, ToolpathLibrary } from './toolpath-library.ts';

const TIME = '2020-01-02T03:04:05Z';
const OTHER_TIME = '2021-01-02T03:04:05Z';
const REFUSAL = refuse('not_authenticated');
const guard = () => REFUSAL;

let folder = '';
let database: Database;
let library: ToolpathLibrary;
let now = TIME;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-library-'));
  const store = await openStore(join(folder, 'data'));
  database = await Database.open(store, { name: 'library', software_version: '4.9.0' });
  await database.change((draft) => {
    for (const id of [1, 2]) draft.users.push({ id, email: '', role: 'user', password: null });
  });
  const documents = new DocumentReader({ wall: systemClock, keepsTime: () => false });
  now = TIME;
  library = new ToolpathLibrary(database, documents, () => now);
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The row of a toolpath without a body. */
const row = (id: number) => ({
  ...{ id, owner_id: 1, name: '', hash: `${id}`.repeat(64) },
  ...{ modified_at: TIME, bytes: 2 },
});

/** A toolpath whose content depends on the payload. */
function ofPayload(payload: number) {
  const toolpath = smallToolpath();
  toolpath.metadata.payload = payload;
  return toolpathText(toolpath);
}

async function created(owner_id: number, name: string, payload = 0) {
  const head = await library.create({ owner_id, name, toolpath: ofPayload(payload) });
  if ('refused' in head) throw new Error(head.refused);
  return head;
}

describe('a saved toolpath', () => {
  it('is visible to its owner alone, in the order of ids', async () => {
    const [a, , c] = [await created(1, 'a'), await created(2, 'b'), await created(1, 'c')];
    const heads = [a, c].map(({ id, name, hash }) => ({ id, name, hash }));
    expect(library.list(1).slice()).toEqual(heads);
    expect([1, 2, 3].map((owner) => library.find(owner, a.id))).toEqual([heads[0], null, null]);
    expect(library.find(1, 99)).toBeNull();
    const bytes = ofPayload(0).json.length;
    expect(library.saved(1).slice()).toEqual(
      heads.map((head) => ({ ...head, modified_at: TIME, bytes })),
    );
  });

  it('is listed by its id, whenever it was saved', async () => {
    await database.change((draft) => {
      for (const id of [5, 9, 2]) {
        draft.toolpaths.push(row(id));
      }
    });
    expect(
      library
        .list(1)
        .slice()
        .map(({ id }) => id),
    ).toEqual([2, 5, 9]);
  });

  it('is listed as it is after each change, and named by the first with its name', async () => {
    const [a, b] = [await created(1, 'a'), await created(1, 'b')];
    const names = () =>
      library
        .list(1)
        .slice()
        .map(({ name }) => name);
    expect([names(), library.named(1, 'b')]).toEqual([['a', 'b'], b]);
    await library.update({ id: a.id, name: 'b', toolpath: ofPayload(0) });
    expect([names(), library.named(1, 'b')?.id]).toEqual([['b', 'b'], a.id]);
    await library.remove(a.id);
    expect([names(), library.list(1).length, library.named(1, 'a')]).toEqual([['b'], 1, null]);
    expect([library.list(2).length, library.named(2, 'b')]).toEqual([0, null]);
  });

  it('is in the part of a list that holds it, and in no other', async () => {
    for (const name of ['a', 'b', 'c']) await created(1, name);
    const [heads, entries] = [library.list(1), library.saved(1)];
    const namesOf = (part: readonly { readonly name: string }[]) => part.map(({ name }) => name);
    expect([heads.length, entries.length]).toEqual([3, 3]);
    expect(namesOf(heads.slice(1, 2))).toEqual(['b']);
    expect(namesOf(entries.slice(0, 2))).toEqual(['a', 'b']);
    expect(namesOf(entries.slice(2))).toEqual(['c']);
  });

  it('is replaced with its body, name, time and size', async () => {
    const before = await created(1, 'before');
    now = OTHER_TIME;
    const toolpath = ofPayload(0.5);
    const after = { id: before.id, name: 'after', hash: toolpath.hash };
    expect(await library.update({ id: before.id, name: 'after', toolpath })).toEqual(after);
    const saved = { modified_at: OTHER_TIME, bytes: toolpath.json.length };
    expect(library.saved(1).slice()).toEqual([{ ...after, ...saved }]);
    expect((await library.open(before.id)).hash).toBe(toolpath.hash);
    expect(await database.readBody(before)).toBeNull();
  });

  it('keeps its body when only the name changes', async () => {
    const { id, hash } = await created(1, 'before');
    await library.update({ id, name: 'after', toolpath: ofPayload(0) });
    expect(library.list(1).slice()).toEqual([{ id, name: 'after', hash }]);
    expect((await library.open(id)).hash).toBe(hash);
  });

  it('is removed with its body, and then neither changes nor opens', async () => {
    const head = await created(1, 'a');
    expect(await library.remove(head.id)).toBeNull();
    expect(library.list(1).slice()).toEqual([]);
    expect(await database.readBody(head)).toBeNull();
    expect(await library.remove(head.id, guard)).toBeNull();
    const { id } = head;
    expect(await library.update({ id, name: 'b', toolpath: ofPayload(0) }, guard)).toBeNull();
    await expect(library.open(id)).rejects.toThrow(`toolpath ${id} is missing or damaged`);
  });

  it('opens as a change left it that happens while it is read', async () => {
    const { id } = await created(1, 'a');
    const read = database.readBody.bind(database);
    database.readBody = async (row) => {
      database.readBody = read;
      await library.update({ id, name: 'a', toolpath: ofPayload(0.7) });
      return read(row);
    };
    expect((await library.open(id)).hash).toBe(ofPayload(0.7).hash);
  });
});

it('a toolpath that is removed while it is read is refused with its number', async () => {
  const { id } = await created(1, 'a');
  database.readBody = async () => {
    await library.remove(id);
    return null;
  };
  await expect(library.open(id)).rejects.toThrow(`toolpath ${id} is missing or damaged`);
});

it('a toolpath is refused with its number when a record names a body that is lost', async () => {
  const head = await created(1, 'a');
  await database.store.change((draft) => database.removeBody(draft, head));
  await expect(library.open(head.id)).rejects.toThrow(`toolpath ${head.id} is missing or damaged`);
});

describe('a late refusal', () => {
  it('leaves everything as it was', async () => {
    const { id } = await created(1, 'a');
    const saved = library.saved(1).slice();
    const toolpath = ofPayload(0.5);
    expect(await library.create({ owner_id: 1, name: 'b', toolpath }, { guard })).toBe(REFUSAL);
    expect(await library.update({ id, name: 'b', toolpath }, guard)).toBe(REFUSAL);
    expect(await library.remove(id, guard)).toBe(REFUSAL);
    expect(library.saved(1).slice()).toEqual(saved);
  });

  it('meets a user who is deleted, and one with as many toolpaths as allowed', async () => {
    await database.change((draft) => {
      const most = limits.toolpaths_per_user - 1;
      for (let id = 1; id <= most; id++) draft.toolpaths.push(row(id));
      draft.last_ids.toolpath = most;
    });
    const give = (owner_id: number) =>
      library.create({ owner_id, name: 'a', toolpath: ofPayload(0) });
    expect(await give(1)).not.toHaveProperty('refused');
    expect(await give(1)).toHaveProperty('refused', 'invalid_arguments');
    expect(await give(2)).not.toHaveProperty('refused');
    expect(await give(3)).toHaveProperty('refused', 'not_authenticated');
  });
});

describe('a shared toolpath', () => {
  const offer = (name: string): OfferedToolpath => {
    const toolpath = ofPayload(0);
    return { head: { id: -1, name, hash: toolpath.hash, sharer: 1 }, toolpath };
  };

  it('is the last one for its receiver, until it is forgotten', () => {
    expect(library.sharedWith(1)).toBeNull();
    for (const name of ['first', 'last']) library.keepShared(1, offer(name));
    library.keepShared(2, offer('other'));
    expect(library.sharedWith(1)?.head.name).toBe('last');
    library.forgetShared(1);
    expect([1, 2].map((id) => library.sharedWith(id)?.head.name)).toEqual([undefined, 'other']);
    library.forgetShared();
    expect(library.sharedWith(2)).toBeNull();
  });

  it('is dropped when as many as allowed were shared later', () => {
    const most = limits.shared_toolpaths;
    for (let id = 1; id <= most; id++) library.keepShared(id, offer('a'));
    library.keepShared(1, offer('again'));
    expect(library.sharedWith(2)).not.toBeNull();
    library.keepShared(most + 1, offer('b'));
    const kept = [1, 2, 3, most + 1].map((id) => library.sharedWith(id)?.head.name);
    expect(kept).toEqual(['again', undefined, 'a', 'b']);
  });

  it('is not pushed out by a user who shares more than others', () => {
    const offerOf = (sharer: number) => ({ ...offer('a'), head: { ...offer('a').head, sharer } });
    library.keepShared(1, offerOf(1));
    for (let id = 2; id <= 2 * limits.shared_toolpaths; id++) library.keepShared(id, offerOf(7));
    expect(library.sharedWith(1)).not.toBeNull();
  });
});
