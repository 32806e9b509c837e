/** How the page takes and releases the lock, and how often it renews the one it holds. */
import { describe, expect, it, vi } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import { limits } from '../../contract/limits.ts';
import { success } from '../../contract/result.ts';
import type { PaceName, RunMode } from '../../contract/types.ts';
import type { ArmCalls } from './arm-calls.ts';
import { type ArmView, createArmStore } from './arm-store.ts';
import { createCommands, renewalPeriod_ms } from './commands.ts';
import { SNAPSHOT } from './snapshot.cases.ts';

function armAt(run_mode: RunMode, patch: Partial<ArmView>): ArmView {
  const control = { ...SNAPSHOT.control, run_mode };
  return { ...createArmStore().view(), snapshot: { ...SNAPSHOT, control }, ...patch };
}

function twinAt(pace: PaceName, real_time_factor: number): Partial<ArmView> {
  const clock = { tick: 0, now_s: 0, date: '', pace, paused: false, real_time_factor };
  return { sim: { clock, lockLeft_s: null, touches: [], obstacles: null, log: [] } };
}

/** How many renewals (at least) fall into the life of a lock, in wall time. */
function renewals(view: ArmView, lock_s: number, pace: number): number {
  return (lock_s * 1000) / pace / renewalPeriod_ms(view);
}

describe('the renewal of the lock', () => {
  it('comes five times within the life of a lock while teaching', () => {
    expect(renewals(armAt('teach', {}), limits.lock_expiry_teach_s, 1)).toBeCloseTo(5);
  });

  it('keeps pace with a twin whose time is fast, told by the server or by the hand on it', () => {
    const told = armAt('teach', { clock: '4' });
    expect(renewals(told, limits.lock_expiry_teach_s, 4)).toBeCloseTo(5);
    const held = armAt('automatic', { clock: '1', ...twinAt(20, 20) });
    expect(renewals(held, limits.lock_expiry_automatic_s, 20)).toBeCloseTo(5);
    const fastest = armAt('teach', { clock: 'max', ...twinAt('max', 8) });
    expect(renewals(fastest, limits.lock_expiry_teach_s, 8)).toBeCloseTo(5);
  });

  it('is no slower than real time, and does not flood the server', () => {
    const slow = armAt('teach', twinAt(0.1, 0.1));
    expect(renewalPeriod_ms(slow)).toBe(renewalPeriod_ms(armAt('teach', {})));
    expect(renewalPeriod_ms(armAt('teach', { clock: '100000' }))).toBeGreaterThanOrEqual(50);
  });
});

it('asks once for the lock, and once for its release, when pressed twice', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  const told = (name: string) => async () => {
    asked.push(name);
    return { status: 'locked', owner: 'you' };
  };
  const client = { takeLock: told('take'), releaseLock: told('release') } as object as ArmClient;
  const call: ArmCalls['call'] = async (act) => success(await act(client));
  const commands = createCommands(createArmStore(), { call } as Partial<ArmCalls> as ArmCalls);
  expect(await Promise.all([commands.takeLock(), commands.takeLock()])).toEqual([true, true]);
  await Promise.all([commands.releaseLock(), commands.releaseLock()]);
  expect(asked).toEqual(['take', 'release']);
  await commands.releaseLock();
  expect(asked).toEqual(['take', 'release', 'release']);
  vi.useRealTimers();
});
