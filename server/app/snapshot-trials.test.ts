/**
 * Trials of states end within limits of time and memory.
 * @module-tag ci
 */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock/wall-clock.ts';
import { decodePlainData } from '../recording/plain-data.ts';
import type { SnapshotTrialTask } from '../service/simulation/snapshot-trial.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { createSnapshotTrials } from './snapshot-trials.ts';

/** A state whose driver is refused before its other parts are read. */
const NONE = { driver: 'none' } as SnapshotTrialTask;
const LIMITS = { time_s: 20, memory_mb: 256 };

/** The state of a twin at rest. */
async function stateOf(driver: 'fast' | 'rapier'): Promise<SnapshotTrialTask> {
  return withTwinClient({ driver }, async ({ arm }) => {
    await arm.keepState({ name: 'a' });
    const { data } = await arm.exportState({ name: 'a' });
    return decodePlainData(data) as SnapshotTrialTask;
  });
}

describe('the trial of a state', () => {
  it('says why it fails, or nothing, in this process and in its own', async () => {
    const task = await stateOf('fast');
    for (const inline of [true, false]) {
      const trial = createSnapshotTrials(inline, systemClock);
      expect(await trial(NONE)).toBe('there is no simulated driver none');
      expect(await trial(task)).toBeNull();
    }
  });

  it('ends where it takes too long, and the next one runs in a new process', async () => {
    const task = await stateOf('rapier');
    const trial = createSnapshotTrials(false, systemClock, { ...LIMITS, time_s: 0.01 });
    const reason = 'its trial takes more than 0.01 s of processor time';
    expect(await Promise.all([trial(task), trial(task)])).toEqual([reason, reason]);
  });

  it('ends where it takes too much memory', async () => {
    const trial = createSnapshotTrials(false, systemClock, { ...LIMITS, memory_mb: 4 });
    expect(await trial(NONE)).toBe('its trial takes more than 4 MB of memory');
  });
});
