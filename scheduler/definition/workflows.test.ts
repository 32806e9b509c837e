/** The stored definitions and runs, over a store in memory. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { WorkflowHead } from '../../contract/types.generated.ts';
import { systemClock } from '../../server/clock/wall-clock.ts';
import { DocumentReader } from '../../server/documents/document-reader.ts';
import { Database } from '../../server/store/database.ts';
import { StorageError } from '../../server/store/storage-error.ts';
import { Store } from '../../server/store/store.ts';
import { Workcells } from '../workcell/workcells.ts';
import type { CheckStored } from './definition-task.ts';
import { expandTemplates } from './templates.ts';
import { washAndRead } from './workflow.cases.ts';
import type { WorkflowDocument } from './workflow-document.ts';
import { headOf, type StoredDefinition, storedOf, Workflows } from './workflows.ts';

const encoder = new TextEncoder();
const LATE = refuse('timed_out');

let store: Store;
let workcells: Workcells;
let workflows: Workflows;

beforeEach(async () => {
  store = await Store.open(null);
  await addUsers(1, 2);
  open();
});

function open(): Workflows {
  const documents = new DocumentReader({ wall: systemClock, keepsTime: () => false });
  const checkStored: CheckStored = (task) => documents.workflow(task);
  workcells = new Workcells(store);
  workflows = new Workflows({ database: Database.over(store), checkStored, workcells });
  return workflows;
}

async function addUsers(...ids: number[]): Promise<void> {
  const { users } = Database.over(store);
  await store.change((draft) => {
    for (const id of ids) {
      draft.put(users, id, { row: { id, email: `${id}@a.test`, role: 'user', password: null } });
    }
  });
}

function removeUser(id: number): Promise<void> {
  return store.change((draft) => draft.remove(Database.over(store).users, id));
}

function documentOf(body: object, rest: Partial<WorkflowDocument> = {}): WorkflowDocument {
  const json = encoder.encode(JSON.stringify(body));
  return { json, name: 'assay', workcell: null, errors: [], warnings: [], ...rest };
}

/** A definition that names the workcell `bench` in place of its own instruments. */
function namingBench() {
  return { ...washAndRead(), workcell: { workcell_id: 'bench' } };
}

async function addBench(rest: object = {}): Promise<void> {
  const { instruments } = washAndRead().workcell;
  await workcells.create(1, { name: 'bench', instruments, ...rest }, {});
}

function put(id: number, row: StoredDefinition): Promise<void> {
  return store.change((draft) => draft.put(store.table('workflows'), id, { row }));
}

async function saved(document: WorkflowDocument, owner_id = 1): Promise<WorkflowHead> {
  return (await workflows.create(owner_id, document)) as WorkflowHead;
}

function storedAt(id: number, owner_id = 1): StoredDefinition {
  return workflows.find(owner_id, id)!;
}

const refusedOf = (answer: object | null) => (answer as Refusal | null)?.refused;

describe('a new definition', () => {
  it('gets the next id, and its head is the reply and that of its transaction', async () => {
    const warnings = ['first', 'second'];
    const made: [number, WorkflowHead][] = [];
    const head = await workflows.create(1, documentOf({}, { name: 'wash', warnings }), {
      onCreated: (draft, one) => made.push([draft.operations.length, one]),
    });
    expect(head).toEqual({ id: 1, name: 'wash', warnings });
    expect(made).toEqual([[2, head]]);
    expect((await saved(documentOf({}))).id).toBe(2);
    const row = { owner_id: 1, name: 'wash', warnings, workcell: null };
    expect(store.table('workflows').get(1)).toEqual(row);
    expect(storedAt(1)).toEqual(row);
  });

  it('is not saved against the guard, nor for a deleted owner; the guard comes first', async () => {
    const guard = vi.fn(() => LATE);
    expect(await workflows.create(1, documentOf({}), { guard })).toBe(LATE);
    await removeUser(1);
    expect(await workflows.create(1, documentOf({}), { guard })).toBe(LATE);
    expect(guard).toHaveBeenCalledTimes(2);
    expect(refusedOf(await workflows.create(1, documentOf({})))).toBe('not_authenticated');
    expect(store.table('workflows').size).toBe(0);
  });

  it('is refused above the limit of its owner alone', async () => {
    const row = { owner_id: 1, name: 'one', warnings: [], workcell: null };
    const table = store.table<StoredDefinition>('workflows');
    await store.change((draft) => {
      for (let n = 1; n < limits.workflows_per_user; n++) draft.put(table, n + 5000, { row });
      for (let n = 1; n < 9; n++) draft.put(table, n + 9000, { row: { ...row, owner_id: 2 } });
    });
    expect(await workflows.create(1, documentOf({}))).toMatchObject({ name: 'assay' });
    expect(refusedOf(await workflows.create(1, documentOf({})))).toBe('invalid_arguments');
    expect(await workflows.create(2, documentOf({}))).toMatchObject({ name: 'assay' });
    expect(workflows.list(1)).toHaveLength(limits.workflows_per_user);
  });
});

describe('the definitions of a user', () => {
  it('are listed by id, and those of others are not visible', async () => {
    for (const name of ['a', 'b', 'c']) await saved(documentOf({}, { name }));
    await saved(documentOf({}, { name: 'of another' }), 2);
    // A row that is written again is the last of its table.
    await workflows.replace({ owner_id: 1, id: 2 }, documentOf({}, { name: 'b2' }), () => null);
    await workflows.replace({ owner_id: 1, id: 1 }, documentOf({}, { name: 'a2' }), () => null);
    expect(workflows.list(1).map(({ id, name }) => [id, name])).toEqual([
      [1, 'a2'],
      [2, 'b2'],
      [3, 'c'],
    ]);
    expect(workflows.list(2)).toEqual([{ id: 4, name: 'of another', warnings: [] }]);
    expect(workflows.list(3)).toEqual([]);
    expect([workflows.find(1, 4), workflows.find(2, 1), workflows.find(1, 9)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(storedOf(workflows, 2, 4)).toMatchObject({ name: 'of another' });
    expect(storedOf(workflows, 1, 4)).toMatchObject({ refused: 'not_found' });
  });

  it('have a head with warnings of its own', () => {
    const stored = { owner_id: 1, name: 'one', warnings: ['a'], workcell: null };
    const head = headOf(7, stored);
    expect(head).toEqual({ id: 7, name: 'one', warnings: ['a'] });
    expect(head.warnings).not.toBe(stored.warnings);
  });

  it('are replaced by their owner, unless the guard refuses', async () => {
    await saved(documentOf({ version: 1 }));
    const next = documentOf({ version: 2 }, { name: 'next', warnings: ['w'], workcell: 'bench' });
    const replace = (owner_id: number, id: number, guard: () => typeof LATE | null = () => null) =>
      workflows.replace({ owner_id, id }, next, guard);
    expect(refusedOf(await replace(2, 1))).toBe('not_found');
    expect(refusedOf(await replace(1, 2))).toBe('not_found');
    expect(await replace(1, 1, () => LATE)).toBe(LATE);
    expect(await replace(2, 1, () => LATE)).toBe(LATE);
    expect(storedAt(1)).toMatchObject({ name: 'assay', workcell: null });
    expect(await replace(1, 1)).toEqual({ id: 1, name: 'next', warnings: ['w'] });
    expect(storedAt(1)).toMatchObject({ name: 'next', workcell: 'bench', owner_id: 1 });
    expect(JSON.parse(`${await workflows.textOf(1)}`)).toEqual({ version: 2 });
    await removeUser(1);
    expect(refusedOf(await replace(1, 1))).toBe('not_authenticated');
  });

  it('are removed one by one, unless the guard refuses, or all of one owner', async () => {
    for (let n = 0; n < 3; n++) await saved(documentOf({}));
    await saved(documentOf({}), 2);
    expect(await workflows.remove(1, () => LATE)).toBe(LATE);
    expect(workflows.list(1).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(await workflows.remove(1)).toBeNull();
    expect(workflows.list(1).map(({ id }) => id)).toEqual([2, 3]);
    await workflows.removeAllOf(1);
    expect(workflows.list(1)).toEqual([]);
    expect(workflows.list(2)).toHaveLength(1);
  });

  it('are those of process start after a reset, with their ids', async () => {
    await saved(documentOf({ version: 1 }, { name: 'first' }));
    const later = open();
    await workflows.replace({ owner_id: 1, id: 1 }, documentOf({ version: 2 }), () => null);
    await saved(documentOf({}));
    await later.reset();
    expect(later.list(1)).toEqual([{ id: 1, name: 'first', warnings: [] }]);
    expect(JSON.parse(`${await later.textOf(1)}`)).toEqual({ version: 1 });
    expect((await saved(documentOf({}))).id).toBe(2);
  });
});

describe('the text of a definition', () => {
  it('is its body', async () => {
    await saved(documentOf({ a: [1, 'ä'] }));
    expect(`${await workflows.textOf(1)}`).toBe('{"a":[1,"ä"]}');
  });

  it('is missing with an error of the disk', async () => {
    await put(7, { owner_id: 1, name: 'lost', warnings: [], workcell: null });
    await expect(workflows.textOf(7)).rejects.toBeInstanceOf(StorageError);
  });

  it('is shared by replies while it is the same', async () => {
    await saved(documentOf({ version: 1 }));
    const first = await workflows.sharedTextOf(1, storedAt(1));
    expect(`${first}`).toBe('{"version":1}');
    expect(await workflows.sharedTextOf(1, storedAt(1))).toBe(first);
    await workflows.replace({ owner_id: 1, id: 1 }, documentOf({ version: 2 }), () => null);
    expect(`${await workflows.sharedTextOf(1, storedAt(1))}`).toBe('{"version":2}');
  });
});

describe('the check of a definition', () => {
  it('makes the model of one with its own instruments', async () => {
    await saved(documentOf(washAndRead()));
    const { model, errors, definition } = await workflows.modelOf(1, storedAt(1));
    expect(errors).toEqual([]);
    expect(model!.instruments.map(({ id }) => id)).toEqual(['hotel', 'washer', 'reader']);
    expect(definition).toMatchObject({ name: 'wash and read' });
  });

  it('uses the workcell that it names, with its move times', async () => {
    await saved(documentOf(namingBench(), { workcell: 'bench' }));
    await put(8, { owner_id: 2, name: 'foreign', warnings: [], workcell: 'bench' });
    await addBench({ transport_matrix: { default: 7 } });
    const { model, errors } = await workflows.modelOf(1, storedAt(1));
    expect([errors, model!.default_move_s, model!.instruments.length]).toEqual([[], 7, 3]);
    const foreign = { ...storedAt(1), owner_id: 2 };
    const unknown = await workflows.modelOf(1, foreign);
    expect(unknown).toMatchObject({ warnings: [], model: null, definition: null });
    expect(unknown.errors.map(({ path }) => path)).toEqual(['/workcell/workcell_id']);
  });

  it('takes a workcell without move times as it is', async () => {
    await addBench();
    await saved(documentOf(namingBench(), { workcell: 'bench' }));
    const { model, definition } = await workflows.modelOf(1, storedAt(1));
    expect(model!.default_move_s).toBe(0);
    expect(definition!.workcell.transport_matrix).toBeUndefined();
  });

  it('places the pieces where a run starts', async () => {
    await saved(documentOf(washAndRead()));
    await addBench();
    await saved(documentOf(namingBench(), { workcell: 'bench' }));
    const at = { instrument: 'hotel', slot: 9 };
    for (const id of [1, 2]) {
      const check = await workflows.checks(id, storedAt(id));
      const labware = [{ id: 'plate_1', starting_location: at }];
      const { model } = await check({ labware, held: null });
      expect(model!.labware[0]!.location).toEqual({ instrument: 0, slot: 9 });
      expect((await check()).model!.labware[0]!.location).toEqual({ instrument: 0, slot: 1 });
    }
  });

  it('leaves a document as it was read that has its own instruments', async () => {
    const document = documentOf(washAndRead());
    expect(await workflows.checked(1, document)).toBe(document);
  });

  it('completes a document that names its workcell', async () => {
    await addBench();
    const document = documentOf(namingBench(), { name: null, workcell: 'bench' });
    const checked = await workflows.checked(1, document);
    expect(checked).toMatchObject({ name: 'wash and read', errors: [], workcell: 'bench' });
    expect(checked.json).toBe(document.json);
    expect(checked.warnings).toHaveLength(1);
    expect((await workflows.modelOfDocument(1, document))!.instruments).toHaveLength(3);
  });

  it('names an error with the workcell at the step of the template that makes its task', async () => {
    await addBench();
    const { workflow, ...rest } = namingBench();
    const step = { id: 'dry', instrument: { type: 'dryer' }, action: 'dry', time_estimate: 5 };
    const templates = [{ for_each: ['plate_1'], steps: [step] }];
    const sent = { ...rest, workflow: { ...workflow, tasks: {}, templates } };
    const { document, origins } = expandTemplates(sent);
    const named = documentOf(document as object, { name: null, workcell: 'bench', origins });
    const message = 'there is no instrument of type dryer that fits (for plate_1)';
    const { errors } = await workflows.checked(1, named);
    expect(errors).toEqual([{ path: '/workflow/templates/0/steps/0/instrument', message }]);
  });

  it('gives no name to a document with errors, which all count', async () => {
    const errors = [{ path: '/hooks/0', message: 'is bad' }];
    const named = documentOf(namingBench(), { name: null, workcell: 'bench' });
    const unknown = await workflows.checked(1, named);
    expect([unknown.name, unknown.errors.map(({ path }) => path)]).toEqual([
      null,
      ['/workcell/workcell_id'],
    ]);
    expect(await workflows.modelOfDocument(1, named)).toBeNull();
    const both = await workflows.checked(1, { ...named, errors });
    expect(both.errors.map(({ path }) => path)).toEqual(['/workcell/workcell_id', '/hooks/0']);
    await addBench();
    const found = await workflows.checked(1, { ...named, errors });
    expect([found.name, found.errors]).toEqual([null, errors]);
  });
});
