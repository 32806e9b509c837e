/**
 * Collision detection and the daily schedule over restarts and kills: what was acknowledged is
 * kept, what was refused is not, and the audit log says who it was.
 * @module-tag ci
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { ArmClient } from '../../../contract/client.ts';
import { observeDisk } from '../../store/simulated-disk.cases.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import { AuditLog } from '../logging/audit-log.ts';
import { withTwinClient } from '../simulation/twin-client.cases.ts';
import { TOKEN } from './service-process.cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const newData = () => join(folder, `${++count}`);
/** A twin on a new folder, which the same options open again. */
const onNewFolder = () => ({ data: newData(), driver: 'fast', token: TOKEN }) as const;

const RANGE = { start_time: '22:15:00', end_time: '04:30:00' };
const DETECTS = { enabled: true, sensitivity: 'high' } as const;
const SCHEDULED = { enabled: true, start_time: '22:15:00', stop_time: '04:30:00' };

/** What the robot says of its settings. */
async function shown(arm: ArmClient) {
  const { snapshot } = await arm.getSnapshot();
  return [snapshot.collision_detection, snapshot.scheduler];
}

describe('settings of the robot', () => {
  it('are those of before after a restart, and the schedule starts the arm', async () => {
    const options = onNewFolder();
    await withTwinClient(options, async ({ arm }) => {
      await arm.takeLock();
      await arm.setCollisionDetection(DETECTS);
      await arm.setScheduler({ enabled: true, ...RANGE });
    });
    await withTwinClient(options, async ({ arm, twin }) => {
      expect(await shown(arm)).toEqual([DETECTS, SCHEDULED]);
      await arm.takeLock();
      await arm.useUnsavedToolpath({ name: 'of the night', toolpath: smallToolpath() });
      // A stepped twin starts at midnight.
      expect(await twin.until('running', 24 * 3600)).toBe(true);
      expect(twin.now_s()).toBeCloseTo(22.25 * 3600, 1);
      // The lock has expired, and the run does not need it.
      await arm.takeLock();
      await arm.pause();
      await arm.cancel();
      await arm.setScheduler({ enabled: false });
      await arm.setCollisionDetection({ enabled: false });
    });
    await withTwinClient(options, async ({ arm }) => {
      const off = { enabled: false, start_time: '00:00:00', stop_time: '00:00:00' };
      expect(await shown(arm)).toEqual([{ enabled: false, sensitivity: 'high' }, off]);
    });
  });

  it('are on disk when they are acknowledged', async () => {
    const options = onNewFolder();
    const copy = `${options.data}-copy`;
    await withTwinClient(options, async ({ arm }) => {
      await arm.takeLock();
      await arm.setScheduler({ enabled: true, ...RANGE });
      await arm.setCollisionDetection(DETECTS);
      // What a process leaves that is killed now.
      cpSync(options.data, copy, { recursive: true });
    });
    await withTwinClient({ ...options, data: copy }, async ({ arm }) => {
      expect(await shown(arm)).toEqual([DETECTS, SCHEDULED]);
    });
  });

  it('of a snapshot are those after a restart too, and a reset forgets later ones', async () => {
    const options = onNewFolder();
    await withTwinClient(options, async ({ arm }) => {
      await arm.takeLock();
      await arm.setCollisionDetection(DETECTS);
      await arm.keepState({ name: 'detects' });
      await arm.setCollisionDetection({ enabled: false, sensitivity: 'low' });
      await arm.restoreState({ name: 'detects' });
    });
    await withTwinClient(options, async ({ arm }) => {
      expect((await shown(arm))[0]).toEqual(DETECTS);
      await arm.takeLock();
      await arm.setCollisionDetection({ enabled: true, sensitivity: 'low' });
      await arm.resetTwin({});
      expect((await shown(arm))[0]).toEqual(DETECTS);
    });
    await withTwinClient(options, async ({ arm }) => {
      expect((await shown(arm))[0]).toEqual(DETECTS);
    });
  });

  it('that cannot be stored are refused and not in effect', async () => {
    let isFull = false;
    const restore = observeDisk((step) => {
      if (step === 'write' && isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    });
    await withTwinClient(onNewFolder(), async ({ arm }) => {
      await arm.takeLock();
      const before = await shown(arm);
      isFull = true;
      await expect(arm.setCollisionDetection(DETECTS)).rejects.toMatchObject({ status: 503 });
      await expect(arm.setScheduler({ enabled: true, ...RANGE })).rejects.toMatchObject({
        status: 503,
      });
      expect(await shown(arm)).toEqual(before);
      isFull = false;
      await arm.setCollisionDetection(DETECTS);
      expect(await shown(arm)).toEqual([DETECTS, before[1]]);
    });
    restore();
  });

  it('of one whose lock ends while they are stored are refused and not kept', async () => {
    const options = onNewFolder();
    let onWrite = () => {};
    const restore = observeDisk((step) => {
      if (step === 'write') onWrite();
    });
    await withTwinClient(options, async ({ arm, twin }) => {
      await arm.takeLock();
      onWrite = () => void twin.apply({ kind: 'power_cycle' });
      const set = arm.setCollisionDetection(DETECTS);
      await expect(set).rejects.toMatchObject({
        error_name: 'lock_not_held',
      });
      onWrite = () => {};
      expect((await shown(arm))[0]).toMatchObject({ enabled: false });
    });
    restore();
    await withTwinClient(options, async ({ arm }) => {
      expect((await shown(arm))[0]).toMatchObject({ enabled: false });
    });
  });

  it('set at the same time are all kept', async () => {
    const options = onNewFolder();
    await withTwinClient(options, async ({ arm }) => {
      await arm.takeLock();
      await Promise.all([
        arm.setCollisionDetection(DETECTS),
        arm.setScheduler({ enabled: true, ...RANGE }),
      ]);
    });
    await withTwinClient(options, async ({ arm }) => {
      expect(await shown(arm)).toEqual([DETECTS, SCHEDULED]);
    });
  });

  it('are kept one by one: detection that a fault switches on is not', async () => {
    const options = onNewFolder();
    await withTwinClient(options, async ({ arm }) => {
      await arm.takeLock();
      await arm.addFault({ kind: 'collision', joint: 2, with_detection: true });
      expect((await shown(arm))[0]).toMatchObject({ enabled: true });
      await arm.setScheduler({ enabled: true, ...RANGE });
    });
    await withTwinClient(options, async ({ arm }) => {
      expect(await shown(arm)).toMatchObject([{ enabled: false }, SCHEDULED]);
    });
  });

  it('are in the audit log with who has set them', async () => {
    const record = vi.spyOn(AuditLog.prototype, 'record');
    await withTwinClient({ driver: 'fast' }, async ({ arm }) => {
      await arm.takeLock();
      await arm.setCollisionDetection(DETECTS);
      await arm.setScheduler({ enabled: true, ...RANGE });
      await expect(arm.setScheduler({ enabled: true })).rejects.toMatchObject({ status: 400 });
    });
    const address = '127.0.0.1';
    expect(record.mock.calls.filter(([event]) => event.endsWith('_changed'))).toEqual([
      ['collision_detection_changed', { by: 1, ...DETECTS, address }],
      ['schedule_changed', { by: 1, enabled: true, ...RANGE, address }],
    ]);
    record.mockRestore();
  });
});
