/** What is kept of runs stays small and whole while a process goes on and on. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import type { RunEvent } from '../../contract/types.ts';
import { addEvents, RunArchive, type RunRecord } from './run-archive.ts';
import { NO_COURSE } from './run-course.ts';

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

function courseAt(step: number): RunRecord['course'] {
  const tasks = Array.from({ length: TASKS }, (_, i) => ({
    id: `task ${i} ${'of a long name'.repeat(4)}`,
    state: 'running' as const,
    instrument_id: 'reader',
    started_at_s: step - (step % TASKS === i ? 0 : 1),
    ended_at_s: null,
    error: '',
  }));
  return { ...NO_COURSE, now_s: step, tasks };
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
  return { head, owner_id: 1, hooks: [], events: [], course: NO_COURSE };
}

it('is written anew on the way, with every event once and the latest course', async () => {
  const archive = await RunArchive.open(folder, failing);
  const record = freshRecord();
  archive.add(record);
  let largest_bytes = 0;
  for (let step = 1; step <= STEPS; step++) {
    const event = eventOf(step);
    addEvents(record, [event]);
    record.course = courseAt(step);
    archive.keep(record, [event]);
    if (step % 20 !== 0) continue;
    await new Promise(setImmediate);
    largest_bytes = Math.max(largest_bytes, statSync(join(folder, 'runs.jsonl')).size);
  }
  await archive.close();
  const kept_bytes = statSync(join(folder, 'runs.jsonl')).size;
  expect(largest_bytes).toBeGreaterThan(limits.log_bytes);
  expect(kept_bytes).toBeLessThan(largest_bytes);
  const again = await RunArchive.open(folder, failing);
  expect(again.records.get(1)).toEqual(record);
  await again.close();
});
