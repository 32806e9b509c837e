/**
 * The stored runs: complete over many changes, bounded, and one transaction per step.
 * @module-tag ci
 */

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { shareAlone, shares } from '../../contract/shares.ts';
import type { RunEvent } from '../../contract/types.generated.ts';
import { JOURNAL_FOLDER } from '../../server/store/data-folder.ts';
import { openStore } from '../../server/store/open-store.ts';
import { Workcells } from '../workcell/workcells.ts';
import { RunArchive } from './run-archive.ts';
import { EMPTY_HISTORY } from './run-history.ts';
import { addEvents, type RunRecord } from './run-record.ts';

const TASKS = 40;
const STEPS = 1500;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-runs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function eventOf(sequence: number): RunEvent {
  const body = { run_id: '1', timestamp: '2020-01-01T00:00:00Z', remaining_worktime: sequence };
  return { sequence, hook_type: 'NewPlanHook', body };
}

function historyAt(step: number): RunRecord['history'] {
  const tasks = Array.from({ length: TASKS }, (_, i) => ({
    id: `task ${i} ${'of a long name'.repeat(4)}`,
    state: 'running' as const,
    instrument_id: 'reader',
    started_at_s: step - (step % TASKS === i ? 0 : 1),
    ended_at_s: null,
    error: '',
  }));
  return { ...EMPTY_HISTORY, now_s: step, tasks };
}

function freshRecord(): RunRecord {
  const head = {
    id: 1,
    workflow_id: 1,
    workcell_id: null,
    name: 'a long run',
    state: 'started' as const,
    message: '',
    started_at: '2020-01-01T00:00:00Z',
    stopped_at: null,
  };
  return { head, owner_id: 1, hooks: [], events: [], history: EMPTY_HISTORY, pausing: false };
}

async function opened() {
  const store = await openStore(folder);
  return { store, archive: new RunArchive(store) };
}

it('holds every event once and the latest history, and stays small', async () => {
  const { store, archive } = await opened();
  const record = await archive.create((id) => {
    expect(id).toBe(1);
    return freshRecord();
  });
  for (let step = 1; step <= STEPS; step++) {
    const event = eventOf(step);
    record.history = historyAt(step);
    const saving = archive.save(record, [event], () => {});
    addEvents(record, [event]);
    if (step % 20 === 0) await saving;
  }
  await archive.save(record, [], () => {});
  await store.close();
  const journal = join(folder, JOURNAL_FOLDER);
  const sizes = readdirSync(journal).map((name) => statSync(join(journal, name)).size);
  expect(sizes.reduce((a, b) => a + b)).toBeLessThan(20 * limits.log_compaction_bytes);
  const again = await opened();
  expect(again.archive.records.get(1)).toEqual(record);
  await again.store.close();
});

it('removes the oldest stopped runs, and gives no id twice', async () => {
  const { store, archive } = await opened();
  const head = { ...freshRecord().head, state: 'stopped' as const };
  for (let n = 1; n <= shareAlone(shares.stored_runs) + 2; n++) {
    const record = await archive.create((id) => ({ ...freshRecord(), head: { ...head, id } }));
    await archive.save(record, [eventOf(1)], () => {});
  }
  await store.close();
  const again = await opened();
  const ids = [...again.archive.records.keys()];
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([
    shareAlone(shares.stored_runs),
    3,
    shareAlone(shares.stored_runs) + 2,
  ]);
  expect(store.table('run-1-events').size).toBe(0);
  await again.store.close();
});

it('removes no run of another owner, and refuses one who has nothing that could go', async () => {
  const { store, archive } = await opened();
  const fresh = freshRecord();
  const made = (owner_id: number, state: 'started' | 'stopped') =>
    archive.create((id) => ({ ...fresh, owner_id, head: { ...fresh.head, id, state } }));
  await made(1, 'stopped');
  const most = shareAlone(shares.stored_runs);
  for (let n = 0; n < most + 3; n++) await made(2, 'stopped');
  const owners = [...archive.records.values()].map(({ owner_id }) => owner_id);
  expect([owners[0], owners.length]).toEqual([1, most]);
  expect([archive.refusal(1), archive.refusal(2), archive.refusal(3)]).toEqual([null, null, null]);
  for (let n = 0; n < most / 2; n++) await made(3, 'started');
  expect(archive.refusal(3)).toMatchObject({ refused: 'share_used_up' });
  await store.close();
});

it('stores what belongs to the events in their transaction, or nothing', async () => {
  const { store, archive } = await opened();
  const record = await archive.create(() => freshRecord());
  const failing = archive.save(record, [eventOf(1)], () => {
    throw new Error('no space');
  });
  await expect(failing).rejects.toThrow('no space');
  const table = store.table<string>('other');
  await archive.save(record, [eventOf(1)], (draft) => draft.put(table, 1, { row: 'with it' }));
  await store.close();
  const again = await opened();
  expect(again.archive.records.get(1)!.events).toEqual([eventOf(1)]);
  expect(again.store.table('other').get(1)).toBe('with it');
  await again.store.close();
});

it('is restored without a run that was being stored', async () => {
  const { store, archive } = await opened();
  const workcells = new Workcells(store);
  const making = archive.create((id) => ({
    ...freshRecord(),
    head: { ...freshRecord().head, id },
  }));
  const building = workcells.create(1, { name: 'bench', instruments: [] }, {});
  await Promise.all([making, archive.restore([]), building, workcells.reset()]);
  expect([...archive.records.keys()]).toEqual([]);
  expect(workcells.list(1)).toEqual([]);
  await store.close();
  const { store: later, archive: reopened } = await opened();
  expect([...reopened.records.keys()]).toEqual([]);
  expect(new Workcells(later).list(1)).toEqual([]);
  await later.close();
});
