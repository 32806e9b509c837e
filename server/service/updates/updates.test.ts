/** Updates: their order, what may be installed, and what an installation does and survives. */

import { expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { refuse } from '../../../contract/refusal.ts';
import { tickOf } from '../../clock/twin-time.ts';
import { Updates, type UpdatesParts } from './updates.ts';

const [FIRST, SECOND] = ['4.10.0', '4.11.2'];
const NOW_S = 100;
const BUSY = refuse('wrong_state');

/** Updates over parts that record what happens to them. */
function createUpdates({
  software_version = '4.9.0',
  isBusy = false,
  disk = null as unknown,
} = {}) {
  const calls: unknown[] = [];
  const timers = new Map<number, () => void>();
  const database = {
    software_version,
    change: async (edit: (draft: { software_version: string }) => void) => {
      if (disk !== null) throw disk;
      edit(database);
    },
  };
  const parts = {
    database,
    loop: {
      apply: (command: object) => {
        calls.push(command);
        return isBusy ? BUSY : null;
      },
    },
    time: { now_s: NOW_S },
    timers: {
      at: (tick: number, run: () => void) => {
        timers.set(tick, run);
        return () => timers.delete(tick);
      },
    },
    sessions: { endWhere: (which: () => boolean) => calls.push(`end sessions: ${which()}`) },
    announce: (text: string) => calls.push(text),
    onUnsaved: (error: unknown) => calls.push(error),
  };
  const updates = new Updates(parts as object as UpdatesParts);
  return { updates, calls, timers, database };
}

const versions = (updates: Updates) => updates.list().map(({ version }) => version);
const DUE = tickOf(NOW_S + limits.update_duration_s);
const INSTALLED = [{ kind: 'finish_update' }, 'end sessions: true'];

it.each([
  ['4.9.0', [FIRST, SECOND]],
  [FIRST, [SECOND]],
  [SECOND, []],
])('of %s, what is later is available', (software_version, expected) => {
  expect(versions(createUpdates({ software_version }).updates)).toEqual(expected);
});

it.each([
  ['4.9.0', SECOND, `must be ${FIRST}, the next update in order`],
  ['4.9.0', '4.9.0', `must be ${FIRST}, the next update in order`],
  [SECOND, SECOND, 'cannot be installed: the software is up to date'],
])('on %s, %s is refused', (software_version, version, problem) => {
  const { updates, calls } = createUpdates({ software_version });
  const refusal = refuse('invalid_arguments', [{ path: '/version', problem }]);
  expect(updates.apply(version)).toEqual(refusal);
  expect(calls).toEqual([]);
});

it('installs the next one after its duration, and ends all sessions', async () => {
  const { updates, calls, timers, database } = createUpdates();
  expect(updates.save()).toBeNull();
  expect(updates.apply(FIRST)).toBeNull();
  expect(calls.splice(0)).toEqual([{ kind: 'begin_update' }, `Installing version ${FIRST}`]);
  expect(updates.save()).toEqual({ version: FIRST, due_tick: DUE });
  expect([...timers.keys()]).toEqual([DUE]);
  timers.get(DUE)?.();
  expect(calls).toEqual(INSTALLED);
  expect(updates.save()).toBeNull();
  await Promise.resolve();
  expect(database.software_version).toBe(FIRST);
  expect(versions(updates)).toEqual([SECOND]);
});

it('shows the new version to those who see the arm ready, before it is durable', async () => {
  let settle = (_: unknown) => {};
  const saved = new Promise((_, reject) => {
    settle = reject;
  });
  const { updates, calls, timers, database } = createUpdates();
  let seen = '';
  Object.assign(database, { change: () => saved });
  calls.push = (...items) => {
    seen ||= updates.version;
    return Array.prototype.push.apply(calls, items);
  };
  expect(updates.version).toBe('4.9.0');
  updates.restore({ version: FIRST, due_tick: DUE });
  timers.get(DUE)?.();
  expect([seen, updates.version, versions(updates)]).toEqual([FIRST, FIRST, [SECOND]]);
  settle(new Error('full'));
  await new Promise((done) => setImmediate(done));
  expect([updates.version, versions(updates)]).toEqual(['4.9.0', [FIRST, SECOND]]);
});

it('shows the latest version while an earlier one becomes durable', async () => {
  const { updates, timers, database } = createUpdates();
  const stored: (() => void)[] = [];
  const change = () => new Promise<void>((resolve) => stored.push(resolve));
  Object.assign(database, { change });
  for (const version of [FIRST, SECOND]) {
    updates.restore({ version, due_tick: DUE });
    timers.get(DUE)?.();
  }
  for (const finish of stored) {
    expect(updates.version).toBe(SECOND);
    finish();
    await new Promise((done) => setImmediate(done));
  }
  expect([stored.length, updates.version]).toEqual([2, database.software_version]);
});

it('starts nothing that the robot refuses', () => {
  const { updates, calls, timers } = createUpdates({ isBusy: true });
  expect(updates.apply(FIRST)).toBe(BUSY);
  expect([calls, timers.size, updates.save()]).toEqual([[{ kind: 'begin_update' }], 0, null]);
});

it.each([
  ['4.9.0', 'armtwin-update 7.0.123\nrest', '7.0.123'],
  ['4.9.0', 'armtwin-update 7.0.1234\n', FIRST],
  ['4.9.0', ' armtwin-update 7.0.1\n', FIRST],
  ['4.9.0', 'armtwin-update 7.0.1', FIRST],
  ['4.9.0', 'x', FIRST],
  [SECOND, 'x', SECOND],
])('on %s, the package %j installs %s', (software_version, start, version) => {
  const { updates } = createUpdates({ software_version });
  expect(updates.upload(Buffer.from(start))).toBeNull();
  expect(updates.save()?.version).toBe(version);
});

it('refuses an empty package', () => {
  const { updates, calls } = createUpdates();
  const refusal = refuse('malformed_body', 'The update package is empty');
  expect(updates.upload(Buffer.alloc(0))).toEqual(refusal);
  expect(calls).toEqual([]);
});

it('restores an installation in place of the present one', () => {
  const { updates, calls, timers } = createUpdates();
  updates.apply(FIRST);
  calls.length = 0;
  const saved = { version: SECOND, due_tick: DUE + 1 };
  updates.restore(saved);
  expect([[...timers.keys()], updates.save()]).toEqual([[saved.due_tick], saved]);
  updates.restore(null);
  expect([timers.size, updates.save(), calls]).toEqual([0, null, []]);
  updates.restore(null);
  expect(updates.save()).toBeNull();
});

it('reports a version that cannot be saved', async () => {
  const disk = new Error('full');
  const { updates, calls, timers } = createUpdates({ disk });
  updates.apply(FIRST);
  calls.length = 0;
  timers.get(DUE)?.();
  await new Promise((done) => setImmediate(done));
  expect(calls).toEqual([...INSTALLED, disk]);
});
