/** Reports, slack and live events of runs over HTTP with a stepped clock. */

import { afterEach, describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import type { RunEvent } from '../../contract/types.generated.ts';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { RunEventFeed } from '../reports/run-event-feed.ts';
import { clearRuns, startedRun } from './assay.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });

afterEach(() => clearRuns(stage.arm));

type RunPath = { readonly run_id: number };

/** The server-sent events of a run, as a standard reader of the format splits them. */
class Reader {
  readonly ids: number[] = [];
  readonly events: RunEvent[] = [];
  status = 0;
  type = '';
  private readonly abort = new AbortController();
  ended: Promise<void> = Promise.resolve();

  async open(run: RunPath, { query = '', headers = {} } = {}): Promise<this> {
    const { twin, arm } = stage;
    const url = `${twin.url}/workflow/v1/runs/${run.run_id}/events/stream${query}`;
    const authorization = { Authorization: `Bearer ${await arm.session()}` };
    const { signal } = this.abort;
    const reply = await fetch(url, { headers: { ...authorization, ...headers }, signal });
    this.status = reply.status;
    this.type = reply.headers.get('content-type') ?? '';
    if (reply.body) this.ended = this.read(reply.body).catch(() => {});
    return this;
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of body) {
      text += decoder.decode(part, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) this.take(block);
    }
  }

  private take(block: string): void {
    const fields = block.split('\n').map((line) => line.split(/: (.*)/s));
    const value = (name: string) => fields.find(([field]) => field === name)?.[1];
    const [id, data] = [value('id'), value('data')];
    if (id === undefined || data === undefined) return;
    this.ids.push(Number(id));
    this.events.push(JSON.parse(data) as RunEvent);
  }

  async has(count: number): Promise<void> {
    await expect.poll(() => this.ids.length, { timeout: 5000 }).toBeGreaterThanOrEqual(count);
  }

  close(): void {
    this.abort.abort();
  }
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

describe('the live events of a run', () => {
  it('are those of the log, as they happen, and end with the run', async () => {
    const { twin, arm } = stage;
    const run = await startedRun(arm, washAndRead());
    const reader = await new Reader().open(run);
    expect([reader.status, reader.type]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await reader.has(3);
    await twin.advance(10);
    await reader.has(5);
    await twin.advance(100);
    await reader.ended;
    const { events } = await arm.listRunEvents(run);
    expect(reader.events).toEqual(events);
    expect(reader.ids).toEqual(upTo(events.length));
  });

  it('go on after the cursor without gaps and doubles, however often one reconnects', async () => {
    const { twin, arm } = stage;
    const run = await startedRun(arm, washAndRead());
    const seen: number[] = [];
    let reader = await new Reader().open(run, { query: '?after=0' });
    for (let step = 0; step < 12; step++) {
      await twin.advance(step % 3 === 0 ? 5 : 7);
      const { events } = await arm.listRunEvents(run);
      await reader.has(events.length - seen.length);
      seen.push(...reader.ids);
      reader.close();
      reader = await new Reader().open(run, { headers: { 'Last-Event-ID': String(seen.at(-1)) } });
      if (reader.status === 204) break;
    }
    expect(reader.status).toBe(204);
    const { events } = await arm.listRunEvents(run);
    expect(seen).toEqual(upTo(events.length));
  });

  it('end with the session, and are hidden from other users', async () => {
    const { twin, arm } = stage;
    const run = await startedRun(arm, washAndRead());
    const reader = await new Reader().open(run);
    await arm.endSession();
    await twin.advance(10);
    await reader.ended;
    expect(reader.ids.length).toBeLessThan(5);
    await arm.stopRun(run);
    const none = await new Reader().open({ run_id: run.run_id + 1000 });
    expect(none.status).toBe(404);
  });
});

describe('a client that does not read the live events', () => {
  /** A feed whose client reads nothing; `beat` lets the time of a ping pass. */
  function unreadFeed(count: number) {
    const state = { refusal: null as unknown, texts: [] as string[], ended: '' };
    const beats: (() => void)[] = [];
    const events = Array.from({ length: count }, (_, i) => ({ sequence: i + 1 }));
    const parts = {
      runs: { onSaved: () => () => {} },
      record: { events, head: { state: 'started' } },
      after: 0,
      wall: {
        afterUnreferenced(_ms: number, beat: () => void) {
          beats.push(beat);
          return () => {};
        },
      },
      recheck: () => state.refusal,
    };
    const feed = new RunEventFeed(parts as never);
    feed.open({
      write: (text) => {
        state.texts.push(text);
        return false;
      },
      end: () => {
        state.ended = 'end';
      },
      abort: () => {
        state.ended = 'abort';
      },
    });
    return { state, feed, parts, beat: () => beats.pop()?.() };
  }

  it('is cut off after as many pings as one of a stream', () => {
    const { state, feed, beat } = unreadFeed(3);
    for (let missed = 1; missed < limits.stream_missed_pings; missed++) beat();
    expect([state.texts.length, state.ended]).toEqual([1, '']);
    feed.onDrain();
    for (let missed = 1; missed < limits.stream_missed_pings; missed++) beat();
    expect([state.texts.length, state.ended]).toEqual([2, '']);
    beat();
    expect([state.texts.length, state.ended]).toEqual([2, 'abort']);
  });

  it('is cut off at the next ping after the end of its session', () => {
    const { state, beat } = unreadFeed(3);
    state.refusal = {};
    beat();
    expect(state.ended).toBe('abort');
  });

  it('gets the rest after the end of the run when it reads on', () => {
    const { state, feed, parts } = unreadFeed(2);
    parts.record.head.state = 'stopped';
    feed.onDrain();
    expect([state.texts.length, state.ended]).toEqual([2, '']);
    feed.onDrain();
    expect(state.ended).toBe('end');
  });
});

describe('the report of a run', () => {
  it('has each task and move as planned and as it happened', async () => {
    const { twin, arm } = stage;
    const slow = { task: { mock_behaviour: { execution_time: 32 } } };
    const run = await startedRun(arm, washAndRead(slow));
    await twin.advance(200);
    const { operations, run: head } = await arm.getRunReport(run);
    const rows = operations.map(
      ({ kind, task_id, labware_id, planned_start_s, planned_end_s, started_at_s, ended_at_s }) =>
        [
          kind,
          task_id ?? labware_id,
          planned_start_s,
          planned_end_s,
          started_at_s,
          ended_at_s,
        ].join(' '),
    );
    expect(rows).toEqual([
      'move plate_1 0 5 0 5',
      'task wash_plate_1 5 25 5 37',
      'move plate_1 25 30 37 42',
      'task read_plate_1 30 60 42 74',
    ]);
    const start_ms = Date.parse(head.started_at);
    expect(Date.parse(operations[3]!.ended_at!) - start_ms).toBe(74_000);
    const csv = (await arm.getRunReportCsv(run)).split('\r\n');
    expect(csv[0]).toMatch(/^kind,task_id,labware_id,/);
    expect(csv[2]).toMatch(/^task,wash_plate_1,,,,washer,,succeeded,5,25,5,37,20/);
    expect(csv).toHaveLength(6);
    expect(csv.at(-1)).toBe('');
  });

  it('quotes what CSV gives a meaning', async () => {
    const { twin, arm } = stage;
    const definition = washAndRead();
    const { tasks } = definition.workflow as { tasks: Record<string, object> };
    const [wash, read] = Object.values(tasks);
    const id = 'a "b", c;\n' + 'é'.repeat(50);
    const plate = { type: 'labware_source', labware_id: 'plate_1', source_task: id };
    Object.assign(definition.workflow, {
      tasks: {
        [id]: { ...wash, id },
        next: { ...read, id: 'next', labware_sources: { plate_1: plate } },
      },
    });
    const run = await startedRun(arm, definition);
    await twin.advance(100);
    const csv = await arm.getRunReportCsv(run);
    expect(csv).toContain(`task,"${id.replaceAll('"', '""')}",`);
  });
});

describe('the plan of a run', () => {
  it('has the slack of each operation and names the bottleneck', async () => {
    const { twin, arm } = stage;
    const run = await startedRun(arm, washAndRead({ plates: 3 }));
    const { plan, analysis } = await arm.getRunPlan(run);
    expect(plan.makespan).toBe(plan.lower_bound);
    const critical = analysis.operations.filter(({ is_critical }) => is_critical);
    expect(critical.map(({ name }) => name)).toEqual(expect.arrayContaining(plan.critical_path));
    // The reader has room for each plate: reading the first may end later.
    const read = analysis.operations.find(({ name }) => name === 'read_plate_1')!;
    expect(read.slack_s).toBe(plan.makespan - read.end_s);
    expect(analysis.bottleneck).toMatch(/^washer is the bottleneck: busy \d+ % of \d+ s, and 60 s/);
    expect(analysis.bottleneck).toContain('No other order is shorter.');
    // Bring, wash and take away.
    expect(plan.cycle).toMatchObject({ equal_groups: 3, period_s: 30, instrument_id: 'washer' });
    expect(analysis.bottleneck).toContain(
      'one of 3 equal pieces ends every 30 s: as fast as washer',
    );
    await twin.advance(300);
    await expect(arm.getRunPlan(run)).rejects.toThrow('The run is stopped');
  });
});
