/** The run archive stays small and complete over many changes. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import type { RunEvent } from '../../contract/types.ts';
import { addEvents, RunArchive, type RunRecord } from './run-archive.ts';
import { EMPTY_HISTORY } from './run-history.ts';

const TASKS = 40;
const STEPS = 1500;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-runs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const failing = (error: unknown) => {
  throw error;
};

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
    name: 'a long run',
    state: 'started' as const,
    message: '',
    started_at: '2020-01-01T00:00:00Z',
    stopped_at: null,
  };
  return { head, owner_id: 1, hooks: [], events: [], history: EMPTY_HISTORY };
}

it('is compacted, and holds every event once and the latest history', async () => {
  const archive = await RunArchive.open(folder, failing);
  const record = freshRecord();
  archive.add(record);
  let largest_bytes = 0;
  for (let step = 1; step <= STEPS; step++) {
    const event = eventOf(step);
    addEvents(record, [event]);
    record.history = historyAt(step);
    archive.save(record, [event]);
    if (step % 20 !== 0) continue;
    await new Promise(setImmediate);
    largest_bytes = Math.max(largest_bytes, statSync(join(folder, 'runs.jsonl')).size);
  }
  await archive.close();
  const kept_bytes = statSync(join(folder, 'runs.jsonl')).size;
  expect(largest_bytes).toBeGreaterThan(limits.log_compaction_bytes);
  expect(kept_bytes).toBeLessThan(largest_bytes);
  const again = await RunArchive.open(folder, failing);
  expect(again.records.get(1)).toEqual(record);
  await again.close();
});

it('reads the history that an earlier build stored as the course', async () => {
  const archive = await RunArchive.open(folder, failing);
  const record = freshRecord();
  archive.add(record);
  record.history = historyAt(1);
  archive.save(record, []);
  await archive.close();
  const file = join(folder, 'runs.jsonl');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"history":', '"course":'));
  const again = await RunArchive.open(folder, failing);
  expect(again.records.get(1)).toEqual(record);
  await again.close();
});
