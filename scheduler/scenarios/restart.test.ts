/**
 * A run that a process end interrupted: shown as it was, and stopped.
 * @module-tag ci
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunDetails, RunEvent } from '../../contract/types.generated.ts';
import { withTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { oneMove, runEventText, startedRun } from './assay.cases.ts';

const token = 'a token for several processes';

async function inFolders<Value>(use: (data: string, copy: string) => Promise<Value>) {
  const root = mkdtempSync(join(tmpdir(), 'restart-'));
  try {
    return await use(join(root, 'data'), join(root, 'copy'));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Opens a data folder again; returns the run and its events. */
function afterwards(data: string, run: { readonly run_id: number }) {
  return withTwinClient({ data, token, webhooks: 'off' }, async ({ arm }) => {
    const { events } = await arm.listRunEvents(run);
    return { shown: (await arm.getRun(run)).run, last: runEventText(events.at(-1)!), events };
  });
}

/** The failures that close what the given events have begun, as text. */
function openOf(events: readonly RunEvent[]): string[] {
  const texts = events.map(runEventText);
  const begun = texts.filter((text) => / started$/.test(text) && !text.startsWith('Run'));
  const open = begun.filter((text) => {
    const subject = text.replace(/ started$/, '');
    const last = texts.findLast((other) => other.startsWith(`${subject} `));
    return last === text;
  });
  return [...new Set(open)]
    .map((text) => text.replace(/ started$/, ' failed'))
    .map((text) => (text.startsWith('Task') ? `${text} (the process was restarted)` : text))
    .sort();
}

function expectCutOff(shown: RunDetails, before: RunDetails): void {
  const message = 'the process was restarted';
  expect(shown).toEqual({
    ...before,
    ...{ state: 'stopped', message, stopped_at: shown.stopped_at, waiting: [], schedule: null },
    now_s: shown.now_s,
    tasks: before.tasks.map((task) =>
      task.state === 'running' ? { ...task, state: 'failed', error: message } : task,
    ),
  });
}

it('pauses a run whose pause was acknowledged and not begun, before it stops it', () =>
  inFolders(async (data, copy) => {
    const run = await withTwinClient({ data, token, webhooks: 'off' }, async ({ arm, twin }) => {
      const begun = await startedRun(arm, oneMove());
      await twin.advance(2);
      await arm.pauseRun(begun, { immediate: true });
      cpSync(data, copy, { recursive: true });
      return begun;
    });
    const { events } = await afterwards(copy, run);
    expect(events.map(runEventText).slice(-2)).toEqual([
      'Run paused',
      'Run stopped (the process was restarted)',
    ]);
  }));

it(
  'shows tasks, labware, moves and plan as they were when the process ended',
  () =>
    inFolders(async (data, copy) => {
      const { run, before, count } = await withTwinClient(
        { data, token, webhooks: 'off' },
        async (stage) => {
          const { arm, twin } = stage;
          const run = await startedRun(arm, washAndRead({ plates: 3 }));
          await twin.advance(42);
          const before = (await arm.getRun(run)).run;
          const count = (await arm.listRunEvents(run)).events.length;
          cpSync(data, copy, { recursive: true });
          return { run, before, count };
        },
      );
      expect(before.tasks.map(({ state }) => state)).toContain('running');
      expect(before.moves.length).toBeGreaterThan(2);
      for (const folder of [data, copy]) {
        const { shown, last, events } = await afterwards(folder, run);
        expectCutOff(shown, before);
        expect(last).toBe('Run stopped (the process was restarted)');
        const added = events.slice(count).map(runEventText);
        expect(added.slice(0, -1).sort()).toEqual(openOf(events.slice(0, count)));
        expect(events.at(-1)!.sequence).toBe(events.length);
        const times = events.map(({ body }) => body.timestamp);
        expect(times).toEqual([...times].sort());
        // A second restart changes nothing.
        expect((await afterwards(folder, run)).shown).toEqual({ ...shown, schedule: null });
      }
    }),
  60_000,
);

it(
  'does not change once it has stopped, and has no waiting tasks',
  () =>
    withTwinClient({ webhooks: 'off' }, async ({ arm, twin }) => {
      const run = await startedRun(arm, washAndRead());
      await twin.advance(10);
      await arm.stopRun(run);
      const { run: first } = await arm.getRun(run);
      await twin.advance(100);
      expect((await arm.getRun(run)).run).toEqual(first);
      expect(first).toMatchObject({ state: 'stopped', now_s: 10, waiting: [] });
      expect(first.tasks.map(({ state }) => state)).toEqual(['failed', 'waiting']);
      expect(first.plan!.makespan).toBe(60);
    }),
  60_000,
);
