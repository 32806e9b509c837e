/** The live events of a run for one client, and the handlers of reports, without a twin. */

import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { shareAlone, shares } from '../../contract/shares.ts';
import { EMPTY_HISTORY } from '../archive/run-history.ts';
import { reportHandlers } from '../handlers/report-handlers.ts';
import { historyOf } from '../run/live-history.ts';
import { modelOf, planOf, ShownParts, WASH_A, WASHER } from '../run/run-parts.cases.ts';
import { RunEventFeed } from './run-event-feed.ts';
import { csvOf, operationsOfRun } from './run-report.ts';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ sequence: from + i }));

/** A feed with a client that can stop reading, and a wall clock whose beats a test makes. */
class Client {
  readonly texts: string[] = [];
  readonly ends: string[] = [];
  readonly beats: { readonly delay_ms: number; readonly beat: () => void }[] = [];
  readonly record = {
    owner_id: 3,
    head: { id: 7, name: 'day', state: 'started', started_at: '2020-01-01T10:00:00.000Z' },
    events: numbered(1, 2),
    history: EMPTY_HISTORY,
  };
  canRead = true;
  refusal: object | null = null;
  /** The listener of the feed; null unless it follows the run. */
  listener: (() => void) | null = null;
  onWrite = () => {};
  readonly feed: RunEventFeed;

  constructor(after = 0) {
    this.feed = new RunEventFeed({ ...this.parts, after } as never);
  }

  get parts() {
    const wall = {
      afterUnreferenced: (delay_ms: number, beat: () => void) => {
        const one = { delay_ms, beat };
        this.beats.push(one);
        return () => {
          if (this.beats.includes(one)) this.beats.splice(this.beats.indexOf(one), 1);
        };
      },
    };
    const runs = {
      onSaved: (record: object, listener: () => void) => {
        expect(record).toBe(this.record);
        this.listener = listener;
        return () => {
          this.listener = null;
        };
      },
    };
    return { runs, record: this.record, wall, recheck: () => this.refusal };
  }

  open(): this {
    this.feed.open({
      write: (text) => {
        this.texts.push(text);
        this.onWrite();
        return this.canRead;
      },
      end: () => this.ends.push('end'),
      abort: () => this.ends.push('abort'),
    });
    return this;
  }

  /** The numbers of the events so far. */
  get ids(): number[] {
    return this.texts.flatMap((text) => {
      const id = /^id: (\d+)\n/.exec(text)?.[1];
      return id === undefined ? [] : [Number(id)];
    });
  }

  add(from: number, to: number): void {
    this.record.events.push(...numbered(from, to));
    this.listener?.();
  }

  beat(): void {
    this.beats.shift()!.beat();
  }
}

describe('the live events of a run', () => {
  it('are those of the record and then the new ones, as server-sent events', () => {
    const client = new Client().open();
    client.add(3, 3);
    expect(client.texts).toEqual(
      [1, 2, 3].map((sequence) => `id: ${sequence}\ndata: {"sequence":${sequence}}\n\n`),
    );
    expect([client.ends, client.feed.isOver]).toEqual([[], false]);
  });

  it('are over with the last one of a stopped run, and not before', () => {
    const isOver = (after: number) => {
      const client = new Client(after);
      client.record.events.push(...numbered(3, 5));
      client.record.head.state = 'stopped';
      return client.feed.isOver;
    };
    expect([0, 1, 2, 3, 4, 5].map(isOver)).toEqual([false, false, false, false, false, true]);
  });

  it('are written no more once the client has left, whatever it still reads', () => {
    const client = new Client().open();
    client.feed.close();
    client.record.events.splice(0, 2, ...numbered(7, 8));
    client.feed.onDrain();
    expect([client.ids, client.texts.length, client.ends]).toEqual([[1, 2], 2, []]);
  });

  it('begin after the last one that the client has seen', () => {
    const client = new Client(1).open();
    client.add(3, 4);
    expect(client.ids).toEqual([2, 3, 4]);
    const ahead = new Client(2).open();
    expect(ahead.texts).toEqual([]);
    ahead.add(3, 3);
    expect(ahead.ids).toEqual([3]);
  });

  it('say which events are no longer there', () => {
    const client = new Client(4);
    client.record.events = numbered(8, 9);
    client.open();
    expect(client.texts[0]).toBe('event: gap\ndata: {"from":5,"to":7}\n\n');
    expect([client.ids, client.texts.length]).toEqual([[8, 9], 3]);
    const next = new Client(7);
    next.record.events = numbered(8, 9);
    next.open();
    expect([next.ids, next.texts.length]).toEqual([[8, 9], 2]);
  });

  it('begin with the first one where there was none', () => {
    const client = new Client();
    client.record.events = [];
    client.open();
    expect([client.texts, client.feed.isOver]).toEqual([[], false]);
    client.add(1, 1);
    expect(client.ids).toEqual([1]);
  });

  it('wait for a client that does not read', () => {
    const client = new Client();
    client.canRead = false;
    client.open();
    client.add(3, 3);
    expect(client.ids).toEqual([1]);
    client.canRead = true;
    client.feed.onDrain();
    expect(client.ids).toEqual([1, 2, 3]);
  });

  it('end with the run, once all are sent', () => {
    const client = new Client().open();
    client.record.head.state = 'stopped';
    expect(client.feed.isOver).toBe(true);
    client.add(3, 4);
    expect([client.ids, client.ends, client.listener]).toEqual([[1, 2, 3, 4], ['end'], null]);
    expect([client.beats, client.feed.isOver]).toEqual([[], true]);
  });

  it('are over only when the last event of a stopped run is known', () => {
    const over = (state: string, after: number, count = 2) => {
      const client = new Client(after);
      Object.assign(client.record.head, { state });
      client.record.events = numbered(1, count);
      return client.feed.isOver;
    };
    expect([over('started', 2), over('stopped', 1), over('stopped', 2)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([over('stopped', 3), over('stopped', 0, 0)]).toEqual([true, true]);
  });

  it('end with the session, before the next event', () => {
    const client = new Client().open();
    client.refusal = {};
    client.add(3, 4);
    expect([client.ids, client.ends, client.listener]).toEqual([[1, 2], ['end'], null]);
    client.refusal = null;
    client.feed.onDrain();
    expect([client.ids, client.ends]).toEqual([[1, 2], ['end']]);
  });

  it('stop when the connection is closed', () => {
    const client = new Client().open();
    client.feed.close();
    expect([client.listener, client.beats]).toEqual([null, []]);
    client.record.events.push(...numbered(3, 3));
    client.record.head.state = 'stopped';
    client.feed.onDrain();
    expect([client.ids, client.ends]).toEqual([[1, 2], []]);
  });

  it('stop when it is closed between two events', () => {
    const client = new Client();
    client.onWrite = () => client.feed.close();
    client.open();
    expect(client.ids).toEqual([1]);
  });
});

describe('the pings of live events', () => {
  const PING_MS = limits.stream_ping_s * 1000;

  it('come at their interval while nothing else does', () => {
    const client = new Client(2).open();
    expect(client.beats.map(({ delay_ms }) => delay_ms)).toEqual([PING_MS]);
    client.beat();
    expect(client.texts).toEqual([expect.stringMatching(/^: .*\n\n$/)]);
    expect(client.beats.map(({ delay_ms }) => delay_ms)).toEqual([PING_MS]);
    client.beat();
    expect([client.texts.length, client.ends]).toEqual([2, []]);
  });

  it('end with the session', () => {
    const client = new Client(2).open();
    client.refusal = {};
    client.beat();
    expect([client.texts, client.ends, client.beats]).toEqual([[], ['end'], []]);
  });

  describe('to a client that does not read', () => {
    let client: Client;
    beforeEach(() => {
      client = new Client();
      client.canRead = false;
      client.open();
    });

    it('are counted, and cut it off at the limit', () => {
      for (let missed = 1; missed < limits.stream_missed_pings; missed++) client.beat();
      expect([client.texts.length, client.ends]).toEqual([1, []]);
      client.beat();
      expect([client.texts.length, client.ends]).toEqual([1, ['abort']]);
      expect([client.beats, client.listener]).toEqual([[], null]);
    });

    it('are counted from the beginning when it has read', () => {
      for (let missed = 1; missed < limits.stream_missed_pings; missed++) client.beat();
      client.feed.onDrain();
      expect(client.ids).toEqual([1, 2]);
      for (let missed = 1; missed < limits.stream_missed_pings; missed++) client.beat();
      expect(client.ends).toEqual([]);
      client.beat();
      expect(client.ends).toEqual(['abort']);
    });

    it('cut it off at once after the end of its session', () => {
      client.refusal = {};
      client.beat();
      expect(client.ends).toEqual(['abort']);
    });

    it('leave the end of the run for when it reads on', () => {
      client.record.head.state = 'stopped';
      client.feed.onDrain();
      expect([client.ids, client.ends]).toEqual([[1, 2], []]);
      client.feed.onDrain();
      expect(client.ends).toEqual(['end']);
    });
  });
});

/** Handlers over the record of a client, which user 3 owns as run 7. */
function handled(live: ShownParts | null, followers: readonly number[] = []) {
  const client = new Client();
  const { runs, wall, recheck } = client.parts;
  const { record } = client;
  const found = {
    ...runs,
    wall,
    followers,
    find: (owner_id: number, id: number) => (owner_id === 3 && id === 7 ? record : null),
    liveOf: (id: number) =>
      live && id === 7 ? { run: live, model: live.model, plan_id: 5 } : null,
  };
  const handlers = reportHandlers(found as never);
  const call = (change = {}) => ({
    caller: { user_id: 3 },
    parameters: { run_id: 7 },
    query: {},
    lastEventId: null,
    recheck,
    ...change,
  });
  const ask = async (name: keyof typeof handlers, change = {}) =>
    (await handlers[name]!(call(change) as never, {} as never)) as object;
  return { client, record, ask };
}

const wash = { task: WASH_A, instrument: WASHER, start_s: 5, end_s: 25 };
const liveRun = () => new ShownParts(modelOf(), planOf({ tasks: [wash] }));

describe('the handlers of reports', () => {
  it.each(['streamRunEvents', 'getRunPlan', 'getRunReport', 'getRunReportCsv'] as const)(
    '%s hides the runs of others',
    async (name) => {
      const { ask } = handled(liveRun());
      const refused = { refused: 'not_found', details: expect.stringMatching(/ 7$/) };
      expect(await ask(name, { caller: { user_id: 4 } })).toMatchObject(refused);
      expect(await ask(name, { parameters: { run_id: 8 } })).toMatchObject({
        refused: 'not_found',
      });
    },
  );

  it('give the report and the files of a live run as it is now', async () => {
    const live = liveRun();
    live.progress.startTask(WASH_A, WASHER, 5);
    const { ask, record } = handled(live);
    const violations = [{ constraint_id: 'soon' }];
    live.limits.violations.push(...(violations as never[]));
    const history = historyOf({ run: live, model: live.model, plan_id: 5 } as never);
    const current = { head: record.head, history } as never;
    const operations = operationsOfRun(current);
    expect(operations).toHaveLength(4);
    const reply = { run: record.head, operations, violations };
    expect(await ask('getRunReport')).toEqual({ reply });
    const file = (name: string, text: string) => ({ reply: {}, file: { name, text } });
    expect(await ask('getRunReportCsv')).toEqual(file('run-7.csv', csvOf(operations)));
  });

  it('give those of a stopped run from its record', async () => {
    const { ask, record } = handled(null);
    const reply = { run: record.head, operations: [], violations: [] };
    expect(await ask('getRunReport')).toEqual({ reply });
  });

  it('give the plan of a live run only, with its analysis', async () => {
    const found = await handled(liveRun()).ask('getRunPlan');
    expect(found).toMatchObject({
      reply: {
        plan: { id: 5, tasks: { wash_a: { start: 5, end: 25 } } },
        analysis: { operations: [{ task_id: 'wash_a', start_s: 5, end_s: 25 }] },
      },
    });
    expect(await handled(null).ask('getRunPlan')).toMatchObject({ refused: 'wrong_state' });
  });

  it('keep the plan of the record while it is the current one', async () => {
    const { ask, record } = handled(liveRun());
    const plan = { id: 5 };
    Object.assign(record, { history: { ...EMPTY_HISTORY, plan } });
    expect(await ask('getRunPlan')).toMatchObject({ reply: { plan: { id: 5 } } });
    const { reply } = (await ask('getRunPlan')) as { reply: { plan: object } };
    expect(reply.plan).toBe(plan);
  });

  it.each([
    [{ query: { after: 1 } }, [2]],
    [{ query: { after: 1 }, lastEventId: 0 }, [2]],
    [{ lastEventId: 1 }, [2]],
    [{ query: { after: 0 }, lastEventId: 1 }, [1, 2]],
    [{}, [1, 2]],
  ])('stream the events after %j', async (change, ids) => {
    const { ask, client } = handled(liveRun());
    const { reply, feed } = (await ask('streamRunEvents', change)) as {
      reply: object;
      feed: RunEventFeed;
    };
    const texts: string[] = [];
    feed.open({ write: (text) => texts.push(text) > 0, end: () => {}, abort: () => {} });
    expect(reply).toEqual({});
    expect(texts.map((text) => Number(/id: (\d+)/.exec(text)![1]))).toEqual(ids);
    expect(client.beats).toHaveLength(1);
    client.refusal = {};
    client.beat();
    expect(client.listener).toBeNull();
  });

  it('refuse more streams than a user may have', async () => {
    const own = Array<number>(shareAlone(shares.streams)).fill(3);
    const refused = { refused: 'too_many_streams' };
    expect(await handled(liveRun(), own).ask('streamRunEvents')).toMatchObject(refused);
    const others = await handled(liveRun(), own.fill(4)).ask('streamRunEvents');
    expect(others).not.toMatchObject(refused);
  });
});
