/** Acquires, releases and renews the lock. */
import { describe, expect, it, vi } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import { ERROR_ROWS } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { success } from '../../contract/result.ts';
import type { PaceName, RunMode } from '../../contract/types.generated.ts';
import { createOnce } from '../ui/once.ts';
import type { ArmCalls } from './arm-calls.ts';
import { ArmStore } from './arm-store.ts';
import type { ArmView } from './arm-view.ts';
import { Commands, renewalPeriod_ms } from './commands.ts';
import { failureNotice } from './failure-notice.ts';
import { SNAPSHOT } from './snapshot.cases.ts';

function armAt(run_mode: RunMode, patch: Partial<ArmView>): ArmView {
  const control = { ...SNAPSHOT.control, run_mode };
  return { ...new ArmStore().view(), snapshot: { ...SNAPSHOT, control }, ...patch };
}

function simulationAt(pace: PaceName, real_time_factor: number): Partial<ArmView> {
  const clock = { tick: 0, now_s: 0, date: '', pace, paused: false, real_time_factor };
  return {
    sim: {
      clock,
      lockLeft_s: null,
      lockHolder: null,
      status: null,
      faults: [],
      contacts: null,
      touches: [],
      obstacles: null,
      cell: null,
      isCellKnown: true,
      cellCheck: null,
      profile: null,
      jointRange: null,
      modified: null,
      log: [],
    },
  };
}

/** Number of renewals within the lifetime of a lock, in wall time. */
function renewals(view: ArmView, lock_s: number, pace: number): number {
  return (lock_s * 1000) / pace / renewalPeriod_ms(view);
}

describe('lock renewal', () => {
  it('happens five times within the lifetime of a lock while teaching', () => {
    expect(renewals(armAt('teach', {}), limits.lock_expiry_teach_s, 1)).toBeCloseTo(5);
  });

  it('scales with a fast clock, reported by the header or by the simulation control API', () => {
    const fromHeader = armAt('teach', { clock: '4' });
    expect(renewals(fromHeader, limits.lock_expiry_teach_s, 4)).toBeCloseTo(5);
    const measured = armAt('automatic', { clock: '1', ...simulationAt(20, 20) });
    expect(renewals(measured, limits.lock_expiry_automatic_s, 20)).toBeCloseTo(5);
    const fastest = armAt('teach', { clock: 'max', ...simulationAt('max', 8) });
    expect(renewals(fastest, limits.lock_expiry_teach_s, 8)).toBeCloseTo(5);
  });

  it('is not slower than in real time, and has a shortest period', () => {
    const slow = armAt('teach', simulationAt(0.1, 0.1));
    expect(renewalPeriod_ms(slow)).toBe(renewalPeriod_ms(armAt('teach', {})));
    expect(renewalPeriod_ms(armAt('teach', { clock: '100000' }))).toBeGreaterThanOrEqual(50);
  });
});

it('sends one request when the lock is acquired or released twice at once', async () => {
  vi.useFakeTimers();
  const requests: string[] = [];
  const reply = (name: string) => async () => {
    requests.push(name);
    return { status: 'locked', owner: 'you' };
  };
  const client = { takeLock: reply('take'), releaseLock: reply('release') } as object as ArmClient;
  const call: ArmCalls['call'] = async (act) => success(await act(client));
  const commands = new Commands(new ArmStore(), { call } as Partial<ArmCalls> as ArmCalls);
  expect(await Promise.all([commands.acquireLock(), commands.acquireLock()])).toEqual([true, true]);
  await Promise.all([commands.releaseLock(), commands.releaseLock()]);
  expect(requests).toEqual(['take', 'release']);
  await commands.releaseLock();
  expect(requests).toEqual(['take', 'release', 'release']);
  vi.useRealTimers();
});

it('runs an action once until it is over, also after a failure', async () => {
  const once = createOnce();
  let runs = 0;
  const failing = async () => {
    runs += 1;
    throw new Error('refused');
  };
  const first = once('run', failing);
  await once('run', failing);
  await once('home', async () => (runs += 10));
  await expect(first).rejects.toThrow('refused');
  expect(runs).toBe(11);
  await once('run', async () => (runs += 100));
  expect(runs).toBe(111);
});

it('says in a notice why the arm is not ready', () => {
  const details = { reasons: ['The joints are starting', 'The disk is full'] };
  const title = 'The arm is not ready yet';
  const refused = { kind: 'refused', status: 503, code: 1, title, details } as const;
  const text = 'The arm is not ready yet: The joints are starting; The disk is full.';
  expect(failureNotice(refused).text).toBe(text);
});

it.each([
  ['an object', { path: '/time', error: 'needs 3.2 s' }],
  ['the first of a list', [{ path: '/time', problem: 'needs 3.2 s' }, { problem: 'and more' }]],
])('says in a notice why a motion is refused, from %s', (_, details) => {
  const refused = {
    kind: 'refused',
    status: 400,
    code: 8,
    title: 'Motion error',
    details,
  } as const;
  expect(failureNotice(refused).text).toBe('Motion error: needs 3.2 s.');
});

it('says what to do after a reply without a reason, and after a lock that has ended', () => {
  const refused = { kind: 'refused', status: 502, code: 0, title: '', details: null } as const;
  const { text, code } = failureNotice(refused);
  expect([text, code]).toEqual([expect.stringContaining('try again'), 'HTTP 502']);
  const { title } = ERROR_ROWS.lock_not_held;
  const ended = failureNotice({ ...refused, status: 403, code: 3, title });
  expect(ended.text).toMatch(/no longer holds the lock/);
  const held = failureNotice({ ...refused, status: 403, code: 3, title: 'owned' });
  expect(held.text).toMatch(/held elsewhere/);
});

it('no longer says that the robot does not respond once it does', () => {
  const store = new ArmStore();
  new Commands(store, {} as ArmCalls);
  const unreachable = failureNotice({ kind: 'unreachable' });
  store.set({ link: 'stale', notice: unreachable });
  expect(store.view().notice).toBe(unreachable);
  store.set({ link: 'live' });
  expect(store.view().notice?.text).toContain('responds again');
  const refused = failureNotice({ kind: 'signed-out' });
  store.set({ link: 'stale', notice: refused });
  store.set({ link: 'live' });
  expect(store.view().notice).toBe(refused);
});
