/** The journal: search, verification and near misses; what of the calls to a twin is in it. */

import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import type { JournalEntry, NearMiss } from '../../../contract/types.generated.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import { exchangeWith } from '../http/exchange.cases.ts';
import { createCallInterceptor } from './call-interceptor.ts';
import { Journal } from './call-journal.ts';
import type { Simulation } from './simulation.ts';
import { withTwinClient } from './twin-client.cases.ts';

const CALL: Omit<JournalEntry, 'id'> = {
  method: 'POST',
  path: '/api/v1/controls/home',
  user_id: 1,
  body_sha256: 'aa',
  status: 200,
  duration_ms: 3,
  tick: 7,
};

/** A journal of calls that differ from one in these fields. */
function journalOf(...calls: Partial<JournalEntry>[]): Journal {
  const journal = new Journal();
  for (const call of calls) journal.record({ ...CALL, ...call });
  return journal;
}

const ids = (entries: readonly JournalEntry[]) => entries.map(({ id }) => id);
const missed = (near: readonly NearMiss[]) => near.map(({ entry, differs }) => [entry.id, differs]);

describe('the journal', () => {
  it('finds calls with the SHA-256 of their body', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'teach', joints: [0.1, 0, 0, 0, 0, 0] });
      const { entries } = await arm.searchJournal({ path: '/api/v1/controls/*' });
      expect(entries.map(({ method, path, status }) => [method, path, status])).toEqual([
        ['POST', '/api/v1/controls/lock', 200],
        ['POST', '/api/v1/controls/go_to', 204],
      ]);
      expect(entries[1]).toMatchObject({ user_id: 1, tick: 0 });
    });
  });

  it('verifies calls regardless of the order of keys, and lists near misses', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'teach', joints: [0.1, 0, 0, 0, 0, 0] });
      const call = { method: 'POST', path: '/api/v1/controls/go_to' } as const;
      const body = { joints: [0.1, 0, 0, 0, 0, 0], mode: 'teach' };
      expect(await arm.verifyJournal({ ...call, body, times: 1 })).toEqual({
        holds: true,
        matched: 1,
        near_misses: [],
      });
      const other = await arm.verifyJournal({ ...call, body: { ...body, mode: 'automatic' } });
      expect(other).toMatchObject({ holds: false, matched: 0 });
      expect(other.near_misses[0]).toMatchObject({
        differs: ['body'],
        entry: { path: '/api/v1/controls/go_to' },
      });
    });
  });
});

describe('the calls in the journal', () => {
  it('have ids from 1 on; the oldest of too many are lost', () => {
    const journal = journalOf(...Array.from({ length: limits.journal_entries }, () => ({})));
    expect([journal.lost, ids(journal.search({})).at(0)]).toEqual([0, 1]);
    journal.record(CALL);
    journal.record({ ...CALL, status: 404 });
    const found = journal.search({});
    expect(found).toHaveLength(limits.journal_entries);
    expect([found[0]!.id, found.at(-1)!.status, journal.lost]).toEqual([3, 404, 2]);
    journal.clear();
    journal.record(CALL);
    expect([ids(journal.search({})), journal.lost]).toEqual([[1], 0]);
  });

  it('are found by each of their fields, the latest where there are too many', () => {
    const other = { method: 'GET', path: '/api/v1/toolpaths', user_id: 2, status: 403 };
    const fields = Object.entries(other).map(([key, value]) => ({ [key]: value }));
    const journal = journalOf({}, ...fields);
    for (const [i, field] of fields.entries()) expect(ids(journal.search(field))).toEqual([i + 2]);
    expect(ids(journal.search({ path: '/api/v1/controls/home' }))).toEqual([1, 2, 4, 5]);
    expect(ids(journal.search({ limit: 2 }))).toEqual([4, 5]);
  });

  it('are found by the begin of a path only with an asterisk', () => {
    const journal = journalOf({}, { path: '/api/v1/controls/home/now' }, { path: '/api/v1/x' });
    const found = (path: string) => ids(journal.search({ path }));
    expect(found('/api/v1/controls/home')).toEqual([1]);
    expect(found('/api/v1/controls/*')).toEqual([1, 2]);
    expect(found('/api/v1/')).toEqual([]);
    expect(found('/api/v1/controls/home*')).toEqual([1, 2]);
  });
});

describe('the verification of a call', () => {
  const wanted = { method: 'POST', path: CALL.path } as const;

  it('wants one or more calls, or as many as given', () => {
    const journal = journalOf({}, {}, { path: '/api/v1/x' });
    const verify = (times?: number) =>
      journal.verify({ ...wanted, ...(times === undefined ? {} : { times }) }, undefined);
    expect(verify()).toEqual({ holds: true, matched: 2, near_misses: [] });
    expect(verify(2)).toEqual({ holds: true, matched: 2, near_misses: [] });
    expect(verify(1)).toMatchObject({ holds: false, matched: 2 });
    expect(journalOf().verify(wanted, undefined)).toMatchObject({ holds: false, matched: 0 });
    expect(journalOf().verify({ ...wanted, times: 0 }, undefined)).toMatchObject({ holds: true });
  });

  it('compares caller, status and body where they are given', () => {
    const journal = journalOf({}, { user_id: 2 }, { status: 404 }, { body_sha256: 'bb' });
    const matched = (more: object, body?: string) =>
      journal.verify({ ...wanted, ...more }, body).matched;
    expect(matched({})).toBe(4);
    expect(matched({ user_id: 2 })).toBe(1);
    expect(matched({ status: 404 })).toBe(1);
    expect(matched({}, 'bb')).toBe(1);
    expect(matched({ user_id: 1, status: 200 }, 'aa')).toBe(1);
  });

  it('lists what nearly matched, the nearest and latest first, with the fields that differ', () => {
    const journal = journalOf(
      { status: 404 },
      { user_id: 2, status: 404 },
      { body_sha256: 'bb' },
      { user_id: null },
      { method: 'GET', path: '/api/v1/x', user_id: 2, status: 404, body_sha256: 'bb' },
    );
    const { near_misses } = journal.verify({ ...wanted, user_id: 1, status: 200 }, 'aa');
    expect(missed(near_misses)).toEqual([
      [4, ['user_id']],
      [3, ['body']],
      [1, ['status']],
      [2, ['user_id', 'status']],
      [5, ['method', 'path', 'user_id', 'status', 'body']],
    ]);
  });

  it('lists no call that matched, and at most a few', () => {
    const others = Array.from({ length: limits.near_misses + 2 }, () => ({ status: 404 }));
    const journal = journalOf({}, ...others);
    const { near_misses } = journal.verify({ ...wanted, status: 200, times: 2 }, undefined);
    expect(near_misses).toHaveLength(limits.near_misses);
    expect(near_misses.every(({ differs }) => differs.includes('status'))).toBe(true);
  });
});

describe('the interception of calls', () => {
  /** An interceptor with a clock and reply faults of the test. */
  function intercepted(fault: 'drop' | { readonly delay_s: number } | null = null) {
    const waits_ms: number[] = [];
    const time = { now_ms: 1000, tick: 5 };
    const wall = {
      now_ms: () => time.now_ms,
      afterUnreferenced: (delay_ms: number, callback: () => void) => {
        waits_ms.push(delay_ms);
        callback();
        return () => {};
      },
    } as Partial<WallClock> as WallClock;
    const journal = new Journal();
    const services = { wall, loop: time };
    const asked: object[] = [];
    const match = (call: object) => {
      asked.push(call);
      return fault;
    };
    const replyFaults = { match };
    const simulation = { parts: { services }, journal, replyFaults } as object as Simulation;
    return { journal, time, waits_ms, asked, ...createCallInterceptor(simulation) };
  }

  it('records a call when it is over, with its duration and the tick at which it came', () => {
    const { watch, journal, time } = intercepted();
    const response = Object.assign(new EventEmitter(), { statusCode: 200 });
    watch(exchangeWith({ method: 'GET', url: '/api/v1/name?x=1' }, response));
    Object.assign(time, { now_ms: 1012, tick: 9 });
    expect(journal.search({})).toEqual([]);
    response.statusCode = 404;
    response.emit('close');
    expect(journal.search({})).toEqual([
      {
        ...{ id: 1, method: 'GET', path: '/api/v1/name', user_id: null, body_sha256: null },
        ...{ status: 404, duration_ms: 12, tick: 5 },
      },
    ]);
  });

  it('leaves out the calls of the simulation control API, and their bodies', () => {
    const { watch, journal, needsBodyHash } = intercepted();
    for (const url of ['/sim/v1/clock', '/api/sim/', '/api/v1/name']) {
      const response = Object.assign(new EventEmitter(), { statusCode: 200 });
      watch(exchangeWith({ method: 'GET', url }, response));
      response.emit('close');
    }
    expect(journal.search({}).map(({ path }) => path)).toEqual(['/api/sim/', '/api/v1/name']);
    const isHashed = ['/sim/v1/clock', '/api/v1/name'].map((path) =>
      needsBodyHash({ path } as never),
    );
    expect(isHashed).toEqual([false, true]);
  });

  it('sends, delays or drops the replies to the arm alone, as faults demand', async () => {
    const call = { method: 'GET', path: '/api/v1/name' };
    const control = { method: 'GET', path: '/sim/v1/faults' };
    expect(intercepted().beforeReply(call)).toBe(true);
    expect(intercepted('drop').beforeReply(call)).toBe(false);
    expect(intercepted('drop').beforeReply(control)).toBe(true);
    const { beforeReply, waits_ms, asked } = intercepted({ delay_s: 1.5 });
    expect(await beforeReply(call)).toBe(true);
    expect(asked).toEqual([call]);
    expect(waits_ms).toEqual([1500]);
  });
});
